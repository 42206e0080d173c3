import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { CatalogueError } from '../errors.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'
import type { ObjectReader } from '../storage/s3/object-reader.ts'
import { findObjects, loadGlob } from './find-objects.ts'
import { isLandingManifest } from './landing-manifest.ts'
import { toAbsolutePath } from '../storage/paths.ts'

/**
 * The files that paths and globs name, in the order of the entries and by name within a glob; `-` is kept. Each file
 * comes once, under the first name that found it. Globs skip the manifests of landed files. Throws SOURCE_NOT_FOUND if
 * an entry matches nothing.
 */
export async function findFiles(entries: readonly string[], objects: ObjectReader): Promise<string[]> {
  const found = new Map<string, string>()
  for (const entry of entries) {
    for (const file of await findEntry(entry, objects)) {
      const key = file === '-' ? file : toAbsolutePath(file)
      if (!found.has(key)) found.set(key, file)
    }
  }
  return [...found.values()]
}

async function findEntry(entry: string, objects: ObjectReader): Promise<readonly string[]> {
  if (entry === '-') return [entry]
  const found = await (isObjectPath(entry) ? findObjects(entry, objects) : findLocal(entry))
  if (found.length === 1 && found[0] === entry) return found
  const files: string[] = []
  for (const file of found) if (!(await isLandingManifest(file, objects))) files.push(file)
  if (files.length === 0) throw new CatalogueError('SOURCE_NOT_FOUND', `${entry}: expected files that match, got none`)
  return files
}

/** The file with exactly this name, or else those that match the pattern, by name. */
async function findLocal(entry: string): Promise<readonly string[]> {
  const isFile = await isThere(entry)
  if (isFile) return [entry]
  const { glob, isDynamicPattern } = await loadGlob()
  const pattern = toPattern(entry)
  if (!isDynamicPattern(pattern))
    throw new CatalogueError('SOURCE_NOT_FOUND', `${entry}: expected a file, got nothing there`)
  // An absolute pattern gives absolute paths, so the names of sources don't depend on the current folder.
  const options = { onlyFiles: true, expandDirectories: false, absolute: isAbsolute(entry) }
  return (await glob(pattern, options)).toSorted()
}

/** A pattern with slashes: `\\` is a separator on Windows, and keeps the next character from being special elsewhere. */
export function toPattern(entry: string, platform = process.platform): string {
  return platform === 'win32' ? entry.replaceAll('\\', '/') : entry
}

/** True if a file of exactly this name exists. Refuses a folder, because reading it would fail later. */
async function isThere(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    if (found.isDirectory())
      throw new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected a file, got a folder (use ${path}/*.ndjson)`)
    return true
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return false
    throw new CatalogueError(
      'SOURCE_NOT_FOUND',
      `${path}: expected a readable file, got: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

/** The path without links. If the file does not exist yet, the real path of its nearest folder, and the rest. */
export async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const folder = dirname(resolve(path))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === resolve(path)) return resolve(path)
    return join(await toRealPath(folder), basename(path))
  }
}
