import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { FileSystem } from '../../src/storage/file-system.ts'

/**
 * An operation before it is done, such as `rename` or `handle.sync`. `path` is its last path; for `handle.` that of the
 * handle.
 */
export interface Operation {
  readonly name: string
  readonly path: string
  /** Counts from 1. */
  readonly index: number
}

export interface Watch {
  /**
   * Called before each operation. A throw is the operation's failure; a promise that never resolves is the end of the
   * process.
   */
  readonly before?: (operation: Operation) => void | Promise<void>
  /** Called with each file opened. */
  readonly opened?: (handle: FileHandle) => void
  /** Replaces the `write` of handles. */
  readonly write?: (handle: FileHandle, bytes: Uint8Array, offset: number) => Promise<{ bytesWritten: number }>
  /** Skips real flushes: thousands of simulated runs need no disk. */
  readonly skipsSync?: boolean
}

type Call = (...args: unknown[]) => unknown

/** Wraps a file system, the real one by default, and announces each of its operations. */
export function watchFileSystem(watch: Watch, inner: FileSystem = nodeFs): FileSystem {
  let index = 0
  const announce = async (name: string, path: string) => watch.before?.({ name, path, index: ++index })
  return new Proxy(inner, {
    get(target, key) {
      const call = Reflect.get(target, key) as Call
      return async (...args: unknown[]) => {
        const path = String(['rename', 'link', 'copyFile'].includes(String(key)) ? args[1] : args[0])
        await announce(String(key), path)
        const result = await call.apply(target, args)
        if (key !== 'open') return result
        watch.opened?.(result as FileHandle)
        return watchHandle(result as FileHandle, watch, (name) => announce(`handle.${name}`, path))
      }
    },
  })
}

/** Never resolves, like a call of a process that has ended. */
export function never(): Promise<void> {
  return new Promise(() => {})
}

/** An error as the system throws it. */
export function systemError(code: string, errno: number, syscall: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: refused, ${syscall}`), { code, errno, syscall })
}

/** A `before` that simulates a file system without hard links. */
export function refuseLink({ name }: Operation): void {
  if (name === 'link') throw systemError('EPERM', -1, 'link')
}

function watchHandle(handle: FileHandle, watch: Watch, announce: (name: string) => Promise<void>): FileHandle {
  return new Proxy(handle, {
    get(target, key) {
      const call = Reflect.get(target, key, target) as Call
      if (typeof call !== 'function') return call
      if (key === 'createReadStream') return call.bind(target)
      return async (...args: unknown[]) => {
        await announce(String(key))
        if (key === 'write' && watch.write) return watch.write(target, args[0] as Uint8Array, args[1] as number)
        return (key === 'sync' || key === 'datasync') && watch.skipsSync ? undefined : call.apply(target, args)
      }
    },
  })
}
