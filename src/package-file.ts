import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package, such as `pipelines/products.yaml`, from the sources as from the bundles. */
export function packageFile(path: string): string {
  let folder = new URL('./', import.meta.url)
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder)
  return fileURLToPath(new URL(path, folder))
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
