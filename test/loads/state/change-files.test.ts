import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { cases, isDeep } from '../../depth.ts'
import { isOfChanges, ReplayedChanges } from './replayed-changes.ts'
import { StateFolder } from './state-folder.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

let folder: StateFolder
let replayed: ReplayedChanges

beforeEach(async () => {
  folder = await StateFolder.create()
  replayed = await ReplayedChanges.create({ root: 'products', children })
})
afterEach(async () => {
  replayed.close()
  await folder.close()
})

const lists = { photos: 'photos[]', links: 'links[]' }
const children = Object.fromEntries(Object.keys(lists).map((table) => [table, 'product_id']))
const merge: Outputs[number] = { format: 'parquet', path: 'out/{table}.parquet', mode: 'merge' }
const changes: Outputs[number] = { format: 'parquet', path: 'out/changes/{table}.parquet', mode: 'changes' }
const outputs: Outputs = [merge, { ...changes, touched: true }]

const columns = ['id', 'status', 'name', 'cnk', 'publicPrice', 'weightWithUnit', 'atcCategory', 'deleted', 'meta']

function tablesWith(...more: string[]): NonNullable<PipelineConfig['tables']> {
  const each = Object.entries(lists).map(([name, path]) => [name, { each: path, columns: 'all' as const }])
  return { products: { columns: [...columns, ...more] }, ...Object.fromEntries(each) }
}

const nights = cases(26, 3)
/** The config is edited before this night, so that everything is read and rows have another shape. */
const edited = cases(10, 2)

test(
  'files of changes replayed night by night by another reader come to the merged tables, cell by cell',
  async () => {
    for (let night = 0; night < nights; night++) {
      const tables = night < edited ? tablesWith('packageContent') : tablesWith('packageContent', 'vat')
      const report = await folder.run({ outputs, tables })
      const applied = await replayed.applyAll(report)
      expect(applied).toEqual([...Array.from({ length: night }, () => 'repeated'), 'applied'])
      expect(await findDifferences(), `night ${night}`).toEqual([])
      folder.sandbox.advance()
    }
  },
  isDeep ? 600_000 : 60_000,
)

test('a file of changes names its run and the one before, so that a reader sees one twice or out of order', async () => {
  const runs: Manifest[] = []
  for (let night = 0; night < 3; night++) {
    runs.push(await folder.run({ outputs, tables: tablesWith() }))
    folder.sandbox.advance()
  }
  const { files = [] } = runs.at(-1) ?? {}
  const products = files.filter((file) => isOfChanges(file) && file.table === 'products')
  expect(products.map(({ previousRun }) => previousRun)).toEqual([null, products[0]?.run, products[1]?.run])
  const [first, second, third] = products.map(({ run }) => files.filter((file) => file.run === run))
  expect(await replayed.applyRun(second ?? [])).toBe('gap')
  expect(await replayed.applyRun(first ?? [])).toBe('applied')
  expect(await replayed.applyRun(third ?? [])).toBe('gap')
  expect(await replayed.applyRun(second ?? [])).toBe('applied')
  expect(await replayed.applyRun(second ?? [])).toBe('repeated')
  for (const { path, run, previousRun } of products) {
    const said = await replayed.read(`SELECT DISTINCT _run, _previous_run FROM '${path}'`)
    expect(said).toEqual([[run, previousRun]])
  }
})

async function findDifferences(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const table of ['products', ...Object.keys(children)])
    for (const row of await replayed.differ(table, join(folder.path, `${table}.parquet`))) found.push([table, row])
  return found
}
