import { basename, posix } from 'node:path'
import { siblingOf } from '../../storage/paths.ts'

/** Path of a file beside a manifest: `_profile.json`, or `NAME.json.profile.json` if the manifest is named `NAME.json`. */
export function toCompanionPath(manifestPath: string, name: string): string {
  return beside(manifestPath, `_${name}`, name)
}

/** Path of the data package beside a manifest, by default `datapackage.json`, the name that readers expect. */
export function toDataPackagePath(manifestPath: string): string {
  return beside(manifestPath, 'datapackage.json', 'datapackage.json')
}

/** Path relative to the folder of a manifest, with slashes; null if it is outside that folder. */
export function toPathBelow(manifestPath: string, path: string): string | null {
  const manifest = toPosix(manifestPath)
  const below = posix.relative(posix.dirname(manifest), toPosix(path))
  return below.startsWith('../') || posix.isAbsolute(below) ? null : below
}

/** Normalizing merges the two slashes of `s3://`, but in both compared paths. */
function toPosix(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/'))
}

function beside(manifestPath: string, usual: string, name: string): string {
  const manifest = basename(manifestPath)
  return siblingOf(manifestPath, manifest === '_manifest.json' ? usual : `${manifest}.${name}`)
}
