import type { Dirent } from 'node:fs'
import { checkObjectPath, parseObjectPath } from '../storage/s3/object-path.ts'
import type { ObjectReader } from '../storage/s3/object-reader.ts'
import { CatalogueError } from '../errors.ts'

/**
 * The objects that a path or pattern in a bucket names, by name, with the same patterns as for local files. Lists only
 * keys with the pattern's beginning, up to its first special character. Throws SOURCE_NOT_FOUND if there are none.
 */
export async function findObjects(entry: string, objects: ObjectReader): Promise<readonly string[]> {
  const problem = checkObjectPath(entry)
  if (problem !== undefined) throw new CatalogueError('SOURCE_NOT_FOUND', `${entry}: ${problem}`)
  const { glob, isDynamicPattern } = await loadGlob()
  const { bucket, key } = parseObjectPath(entry)
  if (!isDynamicPattern(key)) return [await findOne(entry, objects)]
  const root = `s3://${bucket}/`
  const listed = (await objects.list(root + key.slice(0, key.search(special)))).map(({ path }) => path)
  if (listed.includes(entry)) return [entry]
  const tree = new KeyTree(listed.map((path) => path.slice(root.length)))
  const options = { onlyFiles: true, expandDirectories: false, absolute: true, cwd: '/', fs: tree.toFileSystem() }
  const found = await glob(`./${key}`, options)
  return found.map((path) => root + withoutDrive(path).slice(1)).toSorted()
}

/** The special characters of patterns; every matching name has what comes before them. */
const special = /[*?[\]{}()!+@\\|]/

/** Loads what only patterns need: most sources name their files. */
export function loadGlob() {
  return import('tinyglobby')
}

async function findOne(path: string, objects: ObjectReader): Promise<string> {
  if ((await objects.find(path)) !== null) return path
  const got = (await objects.isFolder(path)) ? `a folder (use ${path}/*.ndjson)` : 'nothing there'
  throw new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected a file, got ${got}`)
}

class KeyTree {
  /**
   * The names in each folder, `/` or `/exports`. Names of folders end with a slash, since a file may have the same
   * name.
   */
  readonly #folders = new Map<string, Set<string>>()

  constructor(keys: readonly string[]) {
    for (const key of keys) if (!key.split('/').some(isNoName)) this.#add(`/${key}`, '')
  }

  #add(path: string, ending: '' | '/'): void {
    const slash = path.lastIndexOf('/')
    const parent = slash === 0 ? '/' : path.slice(0, slash)
    const name = path.slice(slash + 1) + ending
    const names = this.#folders.get(parent)
    if (names !== undefined) {
      names.add(name)
      return
    }
    this.#folders.set(parent, new Set([name]))
    if (parent !== '/') this.#add(parent, '/')
  }

  /** The part of the file system that the search for a pattern uses. */
  toFileSystem() {
    const list = (folder: string): Dirent[] => {
      const path = withoutDrive(folder).replace(/(?<=.)\/$/, '')
      return [...(this.#folders.get(path) ?? [])].map(toEntry)
    }
    type Done = (error: Error | null, entries: Dirent[]) => void
    const readdir = (folder: string, _options: unknown, done: Done): void =>
      queueMicrotask(() => done(null, list(folder)))
    return { readdir } as unknown as { readonly readdir: typeof import('node:fs').readdir }
  }
}

/** On Windows the root of the search has one: `C:/exports`. */
function withoutDrive(path: string): string {
  return path.replace(/^[A-Za-z]:(?=\/)/, '')
}

/** True for a part of a key that no file has. A folder's own object ends with a slash. */
function isNoName(part: string): boolean {
  return part === '' || part === '.' || part === '..'
}

function toEntry(name: string): Dirent {
  const isFolder = name.endsWith('/')
  const entry = {
    name: isFolder ? name.slice(0, -1) : name,
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
    isSymbolicLink: () => false,
  }
  return entry as unknown as Dirent
}
