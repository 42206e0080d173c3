import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, win32 } from 'node:path'
import { CatalogueError } from '../errors.ts'
import { isObjectPath } from './s3/object-path.ts'

export function joinPath(folder: string, ...names: readonly string[]): string {
  return isObjectPath(folder) ? [folder.replace(/\/+$/, ''), ...names].join('/') : join(folder, ...names)
}

export function parentOf(path: string): string {
  return isObjectPath(path) ? path.slice(0, path.lastIndexOf('/')) : dirname(path)
}

export function siblingOf(path: string, name: string): string {
  return joinPath(parentOf(path), name)
}

/** True for a path that does not depend on the working folder. */
export function isAbsolutePath(path: string): boolean {
  return isObjectPath(path) || isAbsolute(path)
}

export function toAbsolutePath(path: string): string {
  return isObjectPath(path) ? path : resolve(path)
}

/** The path of a file relative to a folder; null if the file is not below it. */
export function toRelativePath(folder: string, path: string): string | null {
  if (isObjectPath(folder)) return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null
  const below = relative(folder, path)
  return isAbsolute(below) || below.startsWith('..') ? null : below
}

/** Throws OUTPUT_REFUSED for a path that Windows would take for a device, a stream of a file, or another name. */
export function checkFileName(path: string, platform = process.platform): void {
  if (platform !== 'win32') return
  const names = path.slice(win32.parse(path).root.length).split(/[\\/]/)
  const refused = names.find((name) => !isDots.test(name) && refusedByWindows.test(name))
  if (refused === undefined) return
  const message = `${path}: expected names of files and folders as Windows takes them, got "${refused}"`
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    fix: 'Give the output another `path`: Windows takes none of < > : " | ? *, no dot or space at the end, and no name of a device such as CON or NUL.',
  })
}

const isDots = /^\.{1,2}$/
const refusedByWindows = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** The storage of a path, within which files can be published together: `s3://bucket` or `this machine`. */
export function storageOf(path: string): string {
  return /^s3:\/\/[^/]*/.exec(path)?.[0] ?? 'this machine'
}

/**
 * The local path beside which locks and other local files are kept: the path itself or, for an object, one in the
 * temporary folder.
 */
export function localPathOf(path: string): string {
  if (!isObjectPath(path)) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `catalogue-etl-${userInfo().uid}`, name, '_manifest.json')
}
