import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFile } from '../package-file.ts'

const schema = 'pipelines/pipeline.schema.json'

/**
 * The JSON Schema of configs as an editor finds it from a config: relative where this package is installed for a folder above
 * the config, or is one itself.
 */
export function findSchemaPath(config: string): string {
  const folder = dirname(resolve(config))
  const own = packageFile(schema)
  const root = dirname(dirname(own))
  if (folder === root || folder.startsWith(root + sep)) return toReference(relative(folder, own))
  const installed = listAbove(folder).map((above) => join(above, 'node_modules/catalogue-etl', schema))
  const found = installed.find((path) => existsSync(path))
  return found === undefined ? toReference(own) : toReference(relative(folder, found))
}

function listAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...listAbove(above)]
}

/** The comment that names it ends at the first space. */
function toReference(path: string): string {
  if (/\s/.test(path)) return pathToFileURL(resolve(path)).href
  const slashed = path.replaceAll(sep, '/')
  return /^(?:\/|\.|[A-Za-z]:)/.test(slashed) ? slashed : `./${slashed}`
}
