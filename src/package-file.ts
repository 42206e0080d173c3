import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package, such as `pipelines/products.yaml`, from the sources as from the bundles. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, findPackage(new URL('./', import.meta.url))))
}

function findPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const above = new URL('../', folder)
  if (above.href === folder.href) throw new Error('package.json: expected in a folder above the code, got none')
  return findPackage(above)
}

/** Name and version of this package. */
export function readToolVersion(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as PackageJson
  return { name, version }
}

interface PackageJson {
  readonly name: string
  readonly version: string
}
