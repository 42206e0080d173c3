import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contractNames } from '../../src/contracts/contracts.ts'
import { formatDdl } from '../../src/describe/ddl/format-ddl.ts'
import { toDataPackage } from '../../src/describe/to-data-package.ts'
import { toDbtSources } from '../../src/describe/to-dbt-sources.ts'
import { toMarkdown } from '../../src/describe/to-markdown.ts'
import { toRowSchema } from '../../src/describe/to-row-schema.ts'
import { runPlan } from '../../src/engine/run/run-pipeline.ts'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { describeTables } from '../../src/plan/records/describe-tables.ts'
import type { PipelinePlan } from '../../src/plan/pipeline-plan.ts'
import { runInMemory } from '../cli/memory-terminal.ts'
import { RunFolder } from '../cli/run-folder.ts'
import { cases, isDeep } from '../depth.ts'

/**
 * A Python with frictionless, dbt-duckdb and jsonschema; without it what needs them is left out, but with
 * CATALOGUE_REQUIRE_DESCRIBE=1, as in CI.
 */
const { CATALOGUE_DESCRIBE_PYTHON: python = '', CATALOGUE_REQUIRE_DESCRIBE } = process.env
const skips = python === '' && CATALOGUE_REQUIRE_DESCRIBE !== '1'

function planOf(config: Omit<PipelineConfig, 'name'>): PipelinePlan {
  return planPipeline({ name: 'Shop-1', ...config }, { env: {} })
}

const chosen = planOf({
  source: { files: 'x.ndjson', contract: 'v4/product' },
  locales: ['nl', 'fr'],
  tables: {
    products: {
      columns: [
        'id',
        'status',
        'gtin',
        { column: 'name', from: 'name', locale: 'nl', fallback: ['fr', 'en'] },
        { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
        { column: 'brand_names', from: 'brands[].name', locale: 'nl' },
      ],
    },
    photos: { each: 'photos[]', columns: ['id', 'formats.large'] },
  },
  outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
})

describe('the description of a column', () => {
  const [products, photos] = describeTables(chosen.records)

  test('has the meaning, unit, locales and replacement from the contract', () => {
    const meanings = products?.columns.map(({ name, description, deprecated, nullable }) => [
      name,
      description,
      deprecated,
      nullable,
    ])
    expect(meanings).toEqual([
      ['id', 'Unique product identifier', false, false],
      ['status', 'State', false, true],
      ['gtin', 'GTIN', 'use eanGtin14', true],
      ['name', 'Name (locale nl, else fr, else en)', false, true],
      ['price', 'Public price, including VAT (money, delivered in cents, divided by 100)', false, true],
      ['brand_names', 'Brands: Name (locale nl)', false, true],
    ])
    expect(products?.columns[1]?.values).toEqual(['active', 'inactive', 'replaced', 'no_selection'])
  })

  test('names the list, key and parent of a child table', () => {
    expect(products).toMatchObject({ description: 'One row a product.', key: ['id'], parent: null })
    expect(photos).toMatchObject({
      description: 'One row an element of photos[] (Photos) of a product.',
      key: ['product_id', 'position'],
      parent: { table: 'products', column: 'product_id', from: 'id' },
    })
  })

  test('exists for every column of every contract, except those beyond the contract', () => {
    const unknown = contractNames
      .filter((contract) => contract !== 'raw')
      .flatMap((contract) => {
        const plan = planOf({
          source: { files: 'x.ndjson', contract },
          outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
        })
        const columns = describeTables(plan.records).flatMap(({ name, columns: all }) =>
          all.map((column) => ({ table: name, ...column })),
        )
        return columns
          .filter(({ description }) => description === '')
          .map(({ table, name }) => `${contract} ${table}.${name}`)
      })
    expect(unknown).toEqual([])
  })
})

describe('descriptions of a published run', () => {
  let folder: RunFolder
  let plan: PipelinePlan

  beforeAll(async () => {
    folder = await RunFolder.create()
    const files = await folder.generate('data.ndjson', 'v4/product', cases(200, 50))
    const outputs = (['csv', 'ndjson', 'parquet'] as const).map((format) => ({
      format,
      path: folder.at(`out/{table}.${format}`),
    }))
    plan = planOf({ source: { files, contract: 'v4/product' }, locales: ['nl', 'fr'], outputs })
    await runPlan(plan)
  })
  afterAll(() => folder.remove())

  /** Runs Python and returns its output if it exits with a code other than 0. */
  function runPython(...args: readonly string[]): Promise<string | null> {
    const env = { PATH: process.env['PATH'], HOME: folder.at(''), DBT_SEND_ANONYMOUS_USAGE_STATS: 'false' }
    return new Promise((resolve) => {
      execFile(python, args, { cwd: folder.at(''), env }, (error, stdout, stderr) =>
        resolve(error === null ? null : stdout + stderr),
      )
    })
  }

  test('DuckDB stores the meaning of tables and columns as comments', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    await connection.run(formatDdl(plan, 'duckdb'))
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
    expect(await read("SELECT comment FROM duckdb_tables() WHERE table_name = 'products'")).toEqual([
      ['One row a product.'],
    ])
    const columns = describeTables(plan.records).flatMap(({ name, columns: all }) =>
      all.map((column) => [name, column.name, column.description]),
    )
    const found = await read('SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal')
    const sorted = [found, columns].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted())
    expect(sorted[0]).toEqual(sorted[1])
    connection.closeSync()
    instance.closeSync()
  })

  test.skipIf(skips)(
    'Frictionless finds every CSV and NDJSON file valid by the data package, with keys and foreign keys',
    async () => {
      const described = toDataPackage(plan)
      // The Parquet reader of Frictionless returns NaN for a missing integer.
      const resources = described.resources.filter(({ format }) => format !== 'parquet')
      expect(resources).toHaveLength(2 * plan.records.tables.length)
      await writeFile(folder.at('out/datapackage.json'), JSON.stringify({ ...described, resources }))
      const check = `
import sys
from frictionless import Package
report = Package(sys.argv[1]).validate()
errors = [(task.name, error.message) for task in report.tasks for error in task.errors]
assert report.valid, (report.errors, errors[:5])
`
      expect(await runPython('-c', check, 'out/datapackage.json')).toBeNull()
    },
  )

  test.skipIf(skips || !isDeep)(
    'dbt parses the sources, and none of their tests fails on the tables in DuckDB',
    async () => {
      await mkdir(folder.at('dbt/models'), { recursive: true })
      await writeFile(folder.at('dbt/models/sources.yml'), toDbtSources(plan.name, plan.records))
      await writeFile(folder.at('dbt/dbt_project.yml'), 'name: shop\nversion: "1.0"\nprofile: shop\n')
      const database = folder.at('dbt/shop.duckdb')
      await writeFile(
        folder.at('dbt/profiles.yml'),
        `shop: { target: dev, outputs: { dev: { type: duckdb, path: '${database}' } } }\n`,
      )
      const instance = await DuckDBInstance.create(database, { threads: '1' })
      const connection = await instance.connect()
      await connection.run('CREATE SCHEMA shop_1; USE shop_1;')
      await connection.run(formatDdl(plan, 'duckdb'))
      connection.closeSync()
      instance.closeSync()
      const place = ['--project-dir', folder.at('dbt'), '--profiles-dir', folder.at('dbt'), '--no-use-colors']
      expect(await runPython('-m', 'dbt.cli.main', 'test', ...place)).toBeNull()
    },
  )

  test.skipIf(skips)('every line of NDJSON meets the JSON Schema of its table', async () => {
    await writeFile(folder.at('rows.json'), JSON.stringify(toRowSchema(plan.name, plan.records)))
    const check = `
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
for table, rows in schema["$defs"].items():
    validator = Draft202012Validator({**rows, "additionalProperties": False})
    for line in open(f"out/{table}.ndjson"):
        error = next(validator.iter_errors(json.loads(line)), None)
        assert error is None, (table, error.message)
`
    expect(await runPython('-c', check, 'rows.json')).toBeNull()
  })

  test('the data package leaves out files outside the folder of the manifest', () => {
    const placed = { ...plan, report: { ...plan.report, manifest: { path: folder.at('out/below/_manifest.json') } } }
    expect(toDataPackage(placed).resources).toEqual([])
    const paths = toDataPackage({
      ...plan,
      report: { ...plan.report, manifest: { path: folder.at('_manifest.json') } },
    }).resources.map(({ path }) => path)
    expect(paths).toContain('out/products.csv')
  })

  test('tables of a pipeline with repeated records have no keys in the data package', () => {
    const [first] = toDataPackage(plan, { hasUniqueIds: false }).resources
    expect(first?.schema).not.toHaveProperty('primaryKey')
    expect(toDataPackage(plan).resources[0]?.schema.primaryKey).toEqual(['id'])
  })
})

describe('the command describe', () => {
  const shown = z.object({ resources: z.array(z.object({ name: z.string() })) })

  test('prints Markdown by default, or the requested format', async () => {
    const folder = await RunFolder.create()
    await writeFile(
      folder.at('shop.yaml'),
      'name: shop\nsource: { files: x.ndjson, contract: v4/brand }\noutputs: [{ format: csv }]\n',
    )
    const run = (...args: readonly string[]) => runInMemory(['describe', folder.at('shop.yaml'), ...args])
    const { stdout, exitCode } = await run()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('## brands\n\nOne row a brand. Key: `id`.\n\n| Column | Type | From | Meaning |')
    expect(shown.parse(JSON.parse((await run('--as', 'datapackage')).stdout)).resources[0]?.name).toBe('brands')
    expect((await run('--as', 'dbt-sources')).stdout).toMatch(/^version: 2\nsources:\n {2}- name: shop\n/)
    expect(JSON.parse((await run('--as', 'json-schema')).stdout)).toHaveProperty(
      '$defs.brands.properties.id.type',
      'integer',
    )
    expect((await run('--as', 'xml')).exitCode).toBe(2)
    await folder.remove()
  })

  test('escapes pipes and line breaks in cells of Markdown', () => {
    const lines = toMarkdown(chosen.name, chosen.records)
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(lines.every((line) => line.replaceAll('\\|', '').split('|').length === 6)).toBe(true)
  })
})

test('docs/contracts.md has the meaning of a column that describe prints', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/contracts.md'), 'utf8')
  const { description = '' } = describeTables(chosen.records)[0]?.columns[0] ?? {}
  expect(page).toContain(description)
})
