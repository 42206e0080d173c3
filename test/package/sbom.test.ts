import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { isDeep } from '../depth.ts'
import { pack, usualResults } from './packed.ts'

interface Component {
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[]
}

const root = join(import.meta.dirname, '../..')
let folder: string
let bom: { readonly components: readonly Component[] }

beforeAll(async () => {
  const packed = await pack(isDeep ? 2000 : 200)
  await usualResults(packed)
  folder = join(packed.folder, 'usual/node_modules/catalogue-etl')
  bom = JSON.parse(await readFile(join(folder, 'dist/sbom.cdx.json'), 'utf8')) as typeof bom
}, 600_000)

test("the tarball's bill of materials is valid by the schema of CycloneDX 1.6", async () => {
  const require = createRequire(import.meta.url)
  const resolved = require.resolve('@cyclonedx/cyclonedx-library')
  const schemas = join(resolved.slice(0, resolved.lastIndexOf('cyclonedx-library')), 'cyclonedx-library/res/schema')
  const read = async (name: string) =>
    JSON.parse(await readFile(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as { $id?: string }
  const ajv = new Ajv({ strict: false, validateFormats: false })
  // By the names of their files, as they name each other.
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema({ ...(await read(name)), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` })
  const validate = ajv.compile(await read('bom-1.6'))
  validate(bom)
  expect(validate.errors).toBeNull()
  expect(validate({ ...bom, components: [{ name: 'nothing else' }] })).toBe(false)
})

test('the bill names each package of LICENSES.txt, and the versions that are installed here', async () => {
  const licenses = await readFile(join(folder, 'dist/bundle/LICENSES.txt'), 'utf8')
  for (const name of ['avsc', 'commander', 'csv-parse', 'pg', 'undici', 'yaml', 'zod', 'zstd-wasm'])
    expect([name, licenses.includes(`${name}\n\n`), bom.components.some((each) => each.name === name)]).toEqual([
      name,
      true,
      true,
    ])
  const installed = Object.entries<{ readonly version?: string }>(lock.packages).map(
    ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)} ${version}`,
  )
  const named = bom.components
    .filter(({ purl }) => purl.startsWith('pkg:npm/'))
    .map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`)
  expect(installed).toEqual(expect.arrayContaining(named))
})

test('the bill names each crate that the kernel is built from, in its version', async () => {
  const crates = await readdir(join(root, 'kernel/crates'))
  const manifests = await Promise.all(
    crates.map((name) => readFile(join(root, 'kernel/crates', name, 'Cargo.toml'), 'utf8')),
  )
  const dependencies = manifests.flatMap((text) =>
    text.split(/^\[/m).filter((section) => section.startsWith('dependencies]')),
  )
  const asked = [...dependencies.join('\n').matchAll(/^([\w-]+) = \{ version = "=([^"]+)"/gm)]
    .map(([, name, version]) => `${name} ${version}`)
    // Writes code when the kernel is built, and is not in it.
    .filter((each) => !each.startsWith('napi-derive '))
  const named = bom.components.map(({ name, version }) => `${name} ${version.replace(/\+.*/, '')}`)
  expect(asked.length).toBeGreaterThan(5)
  expect(named).toEqual(expect.arrayContaining(asked))
})
