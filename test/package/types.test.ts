import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeTypes } from '../../build/write-types.ts'
import { isDeep } from '../depth.ts'
import { createProject, npmInstall, pack, run } from './packed.ts'

/* What a stranger's compiler makes of the declarations that are published, beside nothing but those of Node. */

const versions = ['5.9.3', '6.0.3', '7.0.2']

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: false,
  declaration: true,
  exactOptionalPropertyTypes: true,
  outDir: 'built',
}

describe.runIf(isDeep)('the declarations of the tarball', () => {
  let project: string

  beforeAll(async () => {
    const packed = await pack(isDeep ? 2000 : 200)
    project = await createProject(packed, 'types')
    const compilers = versions.map((version) => `typescript-${version}@npm:typescript@${version}`)
    const types = writeTypes(join(project, 'dist'), ['index', 'streams', 'sandbox', 'users'])
    await npmInstall(project, [packed.tarball, '@types/node@20.19.43', ...compilers])
    await types
    await cp(join(project, 'dist'), join(project, 'node_modules/catalogue-etl/dist/types'), { recursive: true })
    await writeFile(join(project, 'consumer.ts'), consumer)
    await writeFile(join(project, 'rows.ts'), rows)
    await writeFile(join(project, 'nothing.ts'), "import 'catalogue-etl/streams'\n")
  }, 600_000)

  const compile = async (version: string, file: string): Promise<string> => {
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = join(project, `node_modules/typescript-${version}/bin/tsc`)
    return (await run(execPath, [tsc, '-p', '.', '--extendedDiagnostics'], project)).stdout
  }

  const count = async (file: string) => Number(/Instantiations: +(\d+)/.exec(await compile('5.9.3', file))?.[1])

  test.each(versions)('TypeScript %s finds no error in them, nor in the module of a stranger', async (version) => {
    expect(await compile(version, 'consumer.ts')).not.toMatch(/error/)
  })

  test('one readRows takes fewer than ten thousand instantiations of types', async () => {
    expect((await count('rows.ts')) - (await count('nothing.ts'))).toBeLessThan(10_000)
  })
})

/** The module of a stranger, whose own declarations name those of the package. */
const consumer = `import { catalogue, contracts, csv, definePipeline, type ProductV4, type RunReport } from 'catalogue-etl'
import { startSandbox } from 'catalogue-etl/sandbox'
import { contracts as same, readRows, type RowOf } from 'catalogue-etl/streams'
import { createUsers } from 'catalogue-etl/users'

export const c = contracts['v4/product']
export const all = same
export const photos = catalogue('v4/product').from('products.ndjson').rows('product_photos', { locales: ['nl'] })
export const sink = csv('photos.csv', { each: 'photos[]' })
export const row: RowOf<'v4/product', 'nl'>['public_price'] = null
export const first = async (): Promise<number | undefined> => (await photos.toArray())[0]?.position
export const id = (product: ProductV4): string => product.id
export const files = (report: RunReport) => report.files.map(({ path, rows }) => ({ path, rows }))
export const stage = readRows({ contract: c, table: 'products', columns: ['id', 'name'], locales: ['nl'] })
export const named = readRows({ contract: 'v4/product', table: 'product_photos', columns: ['id'], locales: ['nl'] })
export const config = definePipeline({ name: 'p', source: { files: 'a.ndjson', contract: 'v4/product' } })
export const rest = { startSandbox, createUsers }

// @ts-expect-error
catalogue('v4/produkt')
`

const rows = `import { contracts, readRows } from 'catalogue-etl/streams'
export const rows = readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id', 'name'], locales: ['nl'] })
`
