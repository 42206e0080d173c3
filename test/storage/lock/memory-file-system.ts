import type { FileSystem } from '../../../src/storage/file-system.ts'

interface Inode {
  content: string
  mtimeMs: number
  readonly ino: number
}

/** The file system that a lock needs, in memory. Each operation is atomic; `turn` decides what happens between them. */
export class MemoryFileSystem {
  readonly names = new Map<string, Inode>()
  now = 1e12
  #inodes = 0

  /** The file system as one actor sees it: each operation waits for its turn. */
  as(turn: () => Promise<void>, { hasLinks = true } = {}): FileSystem {
    const step = async <Result>(operation: () => Result): Promise<Result> => {
      await turn()
      return operation()
    }
    const handleOf = (inode: Inode) => ({
      stat: () => step(() => ({ mtimeMs: inode.mtimeMs, ino: inode.ino })),
      readFile: () => step(() => inode.content),
      writeFile: (text: string) => step(() => this.#write(inode, text)),
      sync: async () => undefined,
      close: async () => undefined,
    })
    const fs = {
      mkdir: async () => undefined,
      open: (path: string, flags: string) => step(() => handleOf(this.#open(path, flags))),
      stat: (path: string) => step(() => ({ mtimeMs: this.#find(path).mtimeMs })),
      rm: (path: string) => step(() => void this.names.delete(path)),
      link: (from: string, to: string) => step(() => this.#link(from, to, hasLinks)),
      rename: (from: string, to: string) => step(() => this.#rename(from, to)),
    }
    return fs as unknown as FileSystem
  }

  #open(path: string, flags: string): Inode {
    if (flags === 'r') return this.#find(path)
    const there = this.names.get(path)
    if (there !== undefined && flags === 'wx') throw systemError('EEXIST')
    const inode = there ?? { content: '', mtimeMs: this.now, ino: ++this.#inodes }
    this.names.set(path, inode)
    return this.#write(inode, '')
  }

  #write(inode: Inode, content: string): Inode {
    return Object.assign(inode, { content, mtimeMs: this.now })
  }

  #find(path: string): Inode {
    const inode = this.names.get(path)
    if (inode === undefined) throw systemError('ENOENT')
    return inode
  }

  #link(from: string, to: string, hasLinks: boolean): void {
    if (!hasLinks) throw systemError('EPERM')
    const inode = this.#find(from)
    if (this.names.has(to)) throw systemError('EEXIST')
    this.names.set(to, inode)
  }

  /** POSIX: if both are names of one file, rename does nothing. */
  #rename(from: string, to: string): void {
    const inode = this.#find(from)
    if (this.names.get(to) === inode) return
    this.names.set(to, inode)
    this.names.delete(from)
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'test' })
}
