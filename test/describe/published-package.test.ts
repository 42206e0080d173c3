import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { type DataPackage, toDataPackage } from '../../src/describe/to-data-package.ts'
import { runPlan } from '../../src/engine/run/run-pipeline.ts'
import { verifyPipeline } from '../../src/inspect/verify/verify-pipeline.ts'
import { checkConfig, planPipeline } from '../../src/plan/plan-pipeline.ts'
import type { PipelinePlan } from '../../src/plan/pipeline-plan.ts'
import { commitShards } from '../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../src/shards/plan/plan-shards.ts'
import { runShard } from '../../src/shards/run/run-shard.ts'
import { RunFolder } from '../cli/run-folder.ts'

const { CATALOGUE_DESCRIBE_PYTHON: python = '', CATALOGUE_REQUIRE_DESCRIBE } = process.env
const skips = python === '' && CATALOGUE_REQUIRE_DESCRIBE !== '1'

let folder: RunFolder
let files: string

beforeEach(async () => {
  folder = await RunFolder.create()
  files = await folder.generate('data.ndjson', 'v4/product', 400)
})
afterEach(() => folder.remove())

function planOf(more: Partial<PipelineConfig>): PipelinePlan {
  const tables = {
    products: { columns: ['id', 'status', 'name', 'weight', 'eanGtin13', 'meta.updatedAt'] },
    photos: { each: 'photos[]', columns: ['id', 'formats.large'] },
  }
  const config = { name: 'shop', source: { files, contract: 'v4/product' }, locales: ['nl'], dataPackage: true, tables }
  return planPipeline({ ...config, outputs: [{ format: 'csv', path: folder.at('out/{table}.csv') }], ...more })
}

async function readPackage(): Promise<DataPackage> {
  return JSON.parse(await readFile(folder.at('out/datapackage.json'), 'utf8')) as DataPackage
}

/** Validates the package with Frictionless and returns the verdict with its errors. */
function validate(): Promise<string> {
  const check = `
from frictionless import Package
report = Package("out/datapackage.json").validate()
errors = [(task.name, error.message) for task in report.tasks for error in task.errors]
print(report.valid, len(report.tasks), report.errors, errors[:5])
`
  return new Promise((resolve, reject) => {
    execFile(python, ['-c', check], { cwd: folder.path }, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  })
}

test('a data package lists the files of a run with their sizes, hashes, rows, keys and foreign keys', async () => {
  const report = await runPlan(
    planOf({
      outputs: [
        { format: 'csv', path: folder.at('out/{table}.csv') },
        { format: 'csv', path: folder.at('out/excel/{table}.csv'), delimiter: ';', decimalSeparator: ',' },
        { format: 'parquet', path: folder.at('out/{table}.parquet'), tables: ['photos'] },
      ],
    }),
  )
  const { resources } = await readPackage()
  expect(resources.map(({ name, path }) => [name, path])).toEqual([
    ['products.csv', 'products.csv'],
    ['photos.csv', 'photos.csv'],
    ['products.csv-2', 'excel/products.csv'],
    ['photos.csv-2', 'excel/photos.csv'],
    ['photos.parquet', 'photos.parquet'],
  ])
  for (const [at, { path, bytes, hash, rows }] of resources.entries()) {
    const content = await readFile(join(folder.out, path as string))
    expect({ bytes, hash }).toEqual({
      bytes: content.length,
      hash: `sha256:${createHash('sha256').update(content).digest('hex')}`,
    })
    expect(rows).toBe(report.files[at]?.rows)
  }
  const keys = resources.map(({ schema }) => [schema.primaryKey, schema.foreignKeys?.[0]?.reference.resource])
  expect(keys).toEqual([
    [['id'], undefined],
    [['product_id', 'position'], 'products.csv'],
    [['id'], undefined],
    [['product_id', 'position'], 'products.csv'],
    [['product_id', 'position'], undefined],
  ])
  const { path, sha256 } = report.dataPackage ?? {}
  expect(path).toBe(folder.at('out/datapackage.json'))
  expect(sha256).toBe(
    createHash('sha256')
      .update(await readFile(path ?? ''))
      .digest('hex'),
  )
})

test('a run writes a data package if its config asks for one, and removes an old one otherwise', async () => {
  await runPlan(planOf({ dataPackage: false }))
  expect(await folder.listOutputs()).not.toContain('datapackage.json')
  const plan = planOf({})
  await runPlan(plan)
  expect(await folder.listOutputs()).toContain('datapackage.json')
  expect((await verifyPipeline(plan)).differences).toEqual([])
  await writeFile(folder.at('out/datapackage.json'), '{}')
  expect((await verifyPipeline(plan)).differences.map(({ where }) => where)).toEqual([
    folder.at('out/datapackage.json'),
  ])
  await runPlan(planOf({ dataPackage: false }))
  expect(await folder.listOutputs()).not.toContain('datapackage.json')
})

test('a data package has no key if ids repeat, unless duplicates are dropped', async () => {
  const lines = await readFile(files)
  await writeFile(files, Buffer.concat([lines, lines]))
  const source = { files, contract: 'v4/product' } as const
  await runPlan(planOf({ source, completeness: 'report' }))
  expect((await readPackage()).resources[0]?.schema).not.toHaveProperty('primaryKey')
  await runPlan(planOf({ source, completeness: 'report', duplicates: 'last', maxRemoved: '60%' }))
  expect((await readPackage()).resources[0]?.schema.primaryKey).toEqual(['id'])
})

test('a config with a data package needs an output in files below the folder of the manifest', () => {
  const config = { name: 'shop', source: { files, contract: 'v4/product' }, dataPackage: true } as const
  const outputs = [{ format: 'csv', path: 'out/shop/{table}.csv' }] as const
  const manifest = { path: 'out/else/_manifest.json' }
  expect(checkConfig({ ...config, outputs: [...outputs], manifest }).problems.map(({ message }) => message)).toEqual([
    'dataPackage: expected an output in files below the folder of the manifest, "out/else/_manifest.json", got none',
  ])
  expect(checkConfig({ ...config, outputs: [...outputs] }).problems).toEqual([])
})

test('a run refuses a data package of its own as its source', async () => {
  const plan = planOf({ source: { files: folder.at('out/datapackage.json'), contract: 'v4/product' } })
  await runPlan(planOf({}))
  await expect(runPlan(plan)).rejects.toThrow('datapackage.json')
})

/** Publishes in shards and returns their number. */
async function publishShards(): Promise<number> {
  const outputs = (['csv', 'ndjson'] as const).map((format) => ({ format, path: folder.at(`out/{table}.${format}`) }))
  const place = folder.at('plan')
  const { shards } = await planShards(planOf({ outputs }), { to: place, bytes: 1_000_000 })
  for (const { number } of shards) await runShard(place, number)
  await commitShards(place)
  return shards.length
}

test('the files of all shards are one resource of the data package', async () => {
  const shards = await publishShards()
  const [products] = (await readPackage()).resources
  expect(products?.path).toEqual(Array.from({ length: shards }, (_, number) => `products/part-0000${number}.csv`))
  expect(products?.parts?.map(({ rows }) => rows).reduce((sum, rows) => sum + rows)).toBe(400)
})

test.skipIf(skips)('Frictionless finds the keys and foreign keys of a table in the files of all shards', async () => {
  await publishShards()
  expect(await validate()).toBe('True 4 [] []\n')
})

function planLoad(): PipelinePlan {
  return planOf({
    outputs: [
      { format: 'csv', path: folder.at('out/{table}.csv'), mode: 'merge', removed: 'mark', partitionBy: ['status'] },
      { format: 'csv', path: folder.at('out/history/{table}.csv'), mode: 'history', rowsPerFile: 150 },
    ],
  })
}

test('partitions and numbered files of a load are one resource, and a history has no key', async () => {
  await runPlan(planLoad())
  const { resources } = await readPackage()
  expect(resources[0]?.path).toContain('status=active/products.csv')
  expect(resources[2]?.path).toContain('history/products-00002.csv')
  expect(resources.map(({ schema }) => schema.primaryKey?.length ?? 0)).toEqual([1, 2, 0, 0])
  const before = await readFile(folder.at('out/datapackage.json'))
  await runPlan(planLoad())
  expect(await readFile(folder.at('out/datapackage.json'))).toEqual(before)
})

test.skipIf(skips)('Frictionless finds the rows of partitioned and numbered files', async () => {
  await runPlan(planLoad())
  expect(await validate()).toBe('True 4 [] []\n')
})

const longName = 'photos_of_products_by_their_position'

function planWorkbook(): PipelinePlan {
  return planOf({
    tables: {
      products: { columns: ['id', 'status', 'ean', 'name', 'weight', 'meta.updatedAt'] },
      [longName]: { each: 'photos[]', columns: ['id', 'formats.large'] },
    },
    outputs: [{ format: 'xlsx', path: folder.at('out/book.xlsx') }],
  })
}

test('the tables of a workbook are resources with the names of their sheets', async () => {
  await runPlan(planWorkbook())
  const { resources } = await readPackage()
  const sheet = longName.slice(0, 31)
  expect(resources.map(({ path, dialect }) => [path, dialect])).toEqual([
    ['book.xlsx', { sheetName: 'products', excel: { sheet: 'products' } }],
    ['book.xlsx', { sheetName: sheet, excel: { sheet } }],
  ])
  expect(resources[1]?.schema.foreignKeys?.[0]?.reference.resource).toBe('products')
  expect(resources[0]?.schema.fields).toContainEqual(
    expect.objectContaining({ name: 'ean', type: 'list', delimiter: '|', itemType: 'string' }),
  )
})

test('a table that continues in a second sheet is one resource per sheet, without keys', () => {
  const plan = planWorkbook()
  const file = { path: folder.at('out/book.xlsx'), bytes: 9, sha256: 'aa', rows: 5 }
  const sheets = [3, 2].map((rows, at) => ({ name: `products (${at + 1})`, rows }))
  const { resources } = toDataPackage(plan, { published: [[{ ...file, sheets }], [file]] })
  expect(resources.map(({ name, rows, schema }) => [name, rows, schema.primaryKey, schema.foreignKeys])).toEqual([
    ['products', 3, undefined, undefined],
    ['products-2', 2, undefined, undefined],
    [longName, 5, ['product_id', 'position'], undefined],
  ])
})

test.skipIf(skips)('Frictionless finds the rows of a workbook', async () => {
  await runPlan(planWorkbook())
  expect(await validate()).toBe('True 2 [] []\n')
})
