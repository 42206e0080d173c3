import { basename, dirname, join } from 'node:path'
import { folderOf, isObjectPath } from '../../objects/object-path.ts'

/** The path of a file beside a manifest: `_profile.json`, or `NAME.profile.json` where the manifest has a name of its own. */
export function toCompanionPath(manifestPath: string, name: string): string {
  const manifest = basename(manifestPath)
  const own = manifest === '_manifest.json' ? `_${name}` : `${manifest}.${name}`
  return isObjectPath(manifestPath) ? `${folderOf(manifestPath)}/${own}` : join(dirname(manifestPath), own)
}
