import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CatalogueError } from '../../errors.ts'
import { joinPath } from '../../storage/paths.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'

export function metadataFolder(folder: string): string {
  return joinPath(folder, 'metadata')
}

export function dataFolder(folder: string): string {
  return joinPath(folder, 'data')
}

export function metadataPath(folder: string, version: number): string {
  return joinPath(metadataFolder(folder), `v${version}.metadata.json`)
}

/** The address of a file or folder, by which tables name it: on a disk with its whole path, whose characters stay as they are. */
export function toLocation(path: string): string {
  return isObjectPath(path) ? path : `file://${decodeURIComponent(pathToFileURL(resolve(path)).pathname)}`
}

/** The path in the storage of what a table names. Throws TARGET_MISMATCH for what is outside of its folder. */
export function fromLocation(folder: string, location: string): string {
  const root = normalize(toLocation(folder))
  const found = normalize(location)
  const rest = found.slice(root.length)
  if (found.startsWith(root) && /^\/+(?!\/)/.test(rest) && !/(?:^|\/)\.\.(?:\/|$)/.test(rest))
    return joinPath(folder, rest.replace(/^\/+/, ''))
  const message = `${folder}: expected files in its folder, got "${location}"`
  throw new CatalogueError('TARGET_MISMATCH', message, {
    fix: 'Move the table back to where it was, as its files are named by their whole paths. Or name another path or namespace: the next run fills a new table.',
  })
}

/** Engines write addresses of one place in several ways. */
function normalize(location: string): string {
  return location
    .replace(/^s3[an]:/, 's3:')
    .replace(/^file:\/*/, '/')
    .replace(/\/+$/, '')
}
