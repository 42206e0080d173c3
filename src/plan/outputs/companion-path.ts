import { basename, posix } from 'node:path'
import { siblingOf } from '../../storage/paths.ts'

/** The path of a file beside a manifest: `_profile.json`, or `NAME.profile.json` where the manifest has a name of its own. */
export function toCompanionPath(manifestPath: string, name: string): string {
  return beside(manifestPath, `_${name}`, name)
}

/** The same of its data package, which its readers look for by the name `datapackage.json`. */
export function toDataPackagePath(manifestPath: string): string {
  return beside(manifestPath, 'datapackage.json', 'datapackage.json')
}

/** The path of a file from the folder of a manifest, with slashes; null where it is not below that. */
export function toPathBelow(manifestPath: string, path: string): string | null {
  const manifest = toPosix(manifestPath)
  const below = posix.relative(posix.dirname(manifest), toPosix(path))
  return below.startsWith('../') || posix.isAbsolute(below) ? null : below
}

/** Node knows the two slashes of `s3://` as one, in both of the paths that are compared. */
function toPosix(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/'))
}

function beside(manifestPath: string, usual: string, name: string): string {
  const manifest = basename(manifestPath)
  return siblingOf(manifestPath, manifest === '_manifest.json' ? usual : `${manifest}.${name}`)
}
