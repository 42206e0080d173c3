import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { DatabaseTarget } from '../../../src/loads/databases/database-output.ts'
import { ddlDialects, formatDdl, type DdlDialectName } from '../../../src/describe/ddl/format-ddl.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import type { Column } from '../../../src/records/flatten/column.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { runPlanned } from '../../../src/shards/run-planned.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { skipsPostgres } from '../../loads/databases/postgres-server.ts'
import { readLines, startDatabase, type TestDatabase } from '../../loads/databases/targets.ts'

const tables = {
  products: {
    columns: [
      'id',
      'name',
      'status',
      'meta.updatedAt',
      { column: 'day', from: 'meta.updatedAt', as: 'date' },
      { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
      { column: 'weight', from: 'weightWithUnit.value' },
      { column: 'prescribed', from: 'prescription' },
      { column: 'brand_names', from: 'brands[].name', locale: 'nl' },
      { column: 'atc', from: 'atcCategory', as: 'json' },
    ],
  },
  product_photos: { each: 'photos[]', columns: ['id', 'locales'] },
} as const

function configOf(files: string, outputs: PipelineConfig['outputs']): PipelineConfig {
  const source = { files, contract: 'v4/product' } as const
  return { name: 'catalogue', source, tables, outputs } as unknown as PipelineConfig
}

const names = Object.keys(ddlDialects) as DdlDialectName[]

function formatForMariadb(output: object): string {
  const outputs = [output] as PipelineConfig['outputs']
  return formatDdl(planPipeline(configOf('data.ndjson', outputs), { env: {} }), 'mariadb')
}

/** MariaDB takes neither CSV nor files in several parts. */
const withCsv = names.filter((name) => name !== 'mariadb')

describe('statements of ddl', () => {
  test.each(names)(
    'the statements for %s create a table for each column type and load the format that suits it',
    async (dialect) => {
      const outputs = (['parquet', 'csv', 'ndjson'] as const).map((format) => ({
        format,
        path: `out/{table}.${format}${format === 'parquet' || dialect === 'mariadb' ? '' : '.gz'}`,
      }))
      const plan = planPipeline(configOf('data.ndjson', outputs), { env: {} })
      await expect(formatDdl(plan, dialect)).toMatchFileSnapshot(`statements/${dialect}.sql`)
    },
  )

  test.each(withCsv)('the statements for %s load all files of a table', async (dialect) => {
    const output = {
      format: 'csv',
      path: 's3://bucket/{table}/all.csv',
      mode: 'history',
      partitionBy: ['status'],
      tables: ['products'],
    }
    const plan = planPipeline(configOf('data.ndjson', [output] as unknown as PipelineConfig['outputs']), { env: {} })
    await expect(formatDdl(plan, dialect)).toMatchFileSnapshot(`statements/${dialect}-many.sql`)
  })

  test('the statements for MariaDB load neither compressed nor split files, which LOAD DATA does not read', () => {
    const path = 'out/{table}.ndjson'
    expect(() => formatForMariadb({ format: 'ndjson', path: `${path}.gz` })).toThrow(
      'got ndjson with .gz, which LOAD DATA does',
    )
    expect(() => formatForMariadb({ format: 'ndjson', path, rowsPerFile: 10 })).toThrow(
      'got ndjson with several files a table',
    )
    expect(() => formatForMariadb({ format: 'csv' })).toThrow('expected an output in ndjson, got csv')
    expect(formatForMariadb({ format: 'ndjson', path })).toContain("LOAD DATA LOCAL INFILE 'out/products.ndjson'")
  })

  test('the statements for ClickHouse load no CSV with a quote that it does not know', () => {
    const plan = planPipeline(configOf('data.ndjson', [{ format: 'csv', quote: "'" }]), { env: {} })
    expect(() => formatDdl(plan, 'clickhouse')).toThrow("got csv with quote ', which ClickHouse does not read")
  })

  test('formatDdl throws for a pipeline without files', () => {
    const plan = planPipeline(configOf('data.ndjson', undefined), { env: {} })
    const outputs = { ...plan.outputs, files: [] }
    expect(() => formatDdl({ ...plan, outputs }, 'duckdb')).toThrow('expected an output that is files, got none')
  })

  test.each(withCsv)(
    'the statements for %s load no CSV with escapeFormulas, whose apostrophes would become part of the texts',
    (dialect) => {
      const escaped = { format: 'csv', path: 'out/sheets/{table}.csv', escapeFormulas: true } as const
      const formatOf = (outputs: PipelineConfig['outputs'], onWarning?: (message: string) => void) =>
        formatDdl(planPipeline(configOf('data.ndjson', outputs), { env: {} }), dialect, onWarning)
      const words = 'got csv with escapeFormulas, whose apostrophes would become part of the texts'
      expect(() => formatOf([escaped])).toThrow(words)
      // Another output of the same table is loaded instead.
      const plain = { format: 'csv', path: 'out/{table}.csv' } as const
      expect(formatOf([escaped, plain])).toBe(formatOf([plain]))
      const warnings: string[] = []
      const partly = formatOf([escaped, { ...plain, tables: ['products'] }], (message) => void warnings.push(message))
      expect(partly).toMatch(
        /^-- Not loaded: table "product_photos": expected an output in .*, got csv with escapeFormulas/m,
      )
      expect(partly).not.toContain('sheets')
      expect(warnings).toEqual([expect.stringMatching(/^not loaded: table "product_photos": .*escapeFormulas/)])
    },
  )

  test.each(names)('the statements for %s load no CSV with a decimal comma', (dialect) => {
    const local = { format: 'csv', path: 'out/sheets/{table}.csv', delimiter: ';', decimalSeparator: ',' } as const
    const outputs = [local] as PipelineConfig['outputs']
    expect(() => formatDdl(planPipeline(configOf('data.ndjson', outputs), { env: {} }), dialect)).toThrow(
      "got csv with decimalSeparator ',', which warehouses do not read",
    )
  })

  test('the statements name each table without a file in a suitable format', () => {
    const formatOf = (outputs: PipelineConfig['outputs']) =>
      formatDdl(planPipeline(configOf('data.ndjson', outputs), { env: {} }), 'postgres')
    const [table = ''] = planPipeline(configOf('data.ndjson', undefined), { env: {} }).records.tables.map(
      ({ name }) => name,
    )
    expect(() => formatOf([{ format: 'parquet' }])).toThrow(
      `table "${table}": expected an output in csv or ndjson, got parquet`,
    )
    const partly = formatOf([{ format: 'parquet' }, { format: 'csv', tables: [table] }])
    expect(partly).toMatch(/^-- Not loaded: table ".*": expected an output in csv or ndjson, got parquet\.$/m)
  })
})

/** CSV can't distinguish an empty list from a list of one null. */
function toCsvLists(tablesOfLines: readonly (readonly string[])[]): string[][] {
  return tablesOfLines.map((lines) => lines.map((line) => line.replaceAll('[null]', '[]')).toSorted())
}

describe('loading what a run published', () => {
  let folder: RunFolder
  let expected: string[][]
  let columns: Column[][]
  beforeAll(async () => {
    folder = await RunFolder.create()
    const files = await folder.generate('data.ndjson', 'v4/product', 200)
    const plan = planPipeline(configOf(files, outputsOf(['parquet', 'csv', 'ndjson'])), { env: {} })
    columns = plan.records.tables.map((table) => [...table.columns])
    await runPlan(plan)
    expected = await readExpected(plan.records.tables.map(({ name }) => folder.at(`out/${name}.parquet`)))
  })
  afterAll(() => folder.remove())

  const outputsOf = (formats: readonly ('parquet' | 'csv' | 'ndjson')[]) =>
    formats.map((format) => ({ format, path: folder.at(`out/{table}.${format}${format === 'csv' ? '.gz' : ''}`) }))

  /** Rows read back through the schema of the target. */
  async function readLoaded(database: TestDatabase, target: DatabaseTarget): Promise<string[][]> {
    return Promise.all(Object.keys(tables).map((name, at) => readLines(database, target, name, columns[at] ?? [])))
  }

  async function readExpected(paths: readonly string[]): Promise<string[][]> {
    const database = await startDatabase('duckdb')
    const target = database.createTarget()
    for (const [at, name] of Object.keys(tables).entries()) {
      await database.query(target, `CREATE TABLE ${name} AS SELECT * FROM read_parquet('${paths[at]}')`)
    }
    const lines = await readLoaded(database, target)
    await database.stop()
    return lines
  }

  test.each(['parquet', 'csv', 'ndjson'] as const)(
    'DuckDB loads every row that a run published from %s',
    async (format) => {
      const plan = planPipeline(configOf(folder.at('data.ndjson'), outputsOf([format])), { env: {} })
      const database = await startDatabase('duckdb')
      const target = database.createTarget()
      const instance = await DuckDBInstance.fromCache(target.format === 'duckdb' ? target.path : '')
      const connection = await instance.connect()
      await connection.run(formatDdl(plan, 'duckdb'))
      expect(await readLoaded(database, target)).toEqual(format === 'csv' ? toCsvLists(expected) : expected)
      connection.closeSync()
      instance.closeSync()
      await database.stop()
    },
  )

  test('DuckDB loads every row of the parts that shards published, by the statements of ddl --shards', async () => {
    const outputs = [{ format: 'parquet' as const, path: folder.at('parts/{table}.parquet') }]
    const config = {
      ...configOf(folder.at('data.ndjson'), outputs),
      manifest: { path: folder.at('parts/_manifest.json') },
    }
    const plan = planPipeline(config, { env: {} })
    const { shards } = await planShards(plan, { to: folder.at('plan'), bytes: 50_000, env: {} })
    expect(shards.length).toBeGreaterThan(2)
    await runPlanned(folder.at('plan'), plan, { workers: 0 })
    const file = await folder.write('sharded.json', JSON.stringify(config))
    const { stdout } = await runInMemory(['describe', file, '--as', 'ddl', '--dialect', 'duckdb', '--shards'])
    const database = await startDatabase('duckdb')
    const target = database.createTarget()
    const instance = await DuckDBInstance.fromCache(target.format === 'duckdb' ? target.path : '')
    const connection = await instance.connect()
    await connection.run(stdout)
    expect(await readLoaded(database, target)).toEqual(expected)
    connection.closeSync()
    instance.closeSync()
    await database.stop()
  })

  test.skipIf(skipsPostgres)('PostgreSQL loads every row that a run published from CSV and NDJSON', async () => {
    const database = await startDatabase('postgres')
    try {
      const { server } = database
      if (server === undefined) throw new Error('expected a server')
      for (const formats of [['csv'], ['ndjson'], ['csv', 'ndjson', 'parquet']] as const) {
        const plan = planPipeline(configOf(folder.at('data.ndjson'), outputsOf(formats)), { env: {} })
        const psql = promisify(execFile)(join(server.binFolder, 'psql'), ['-v', 'ON_ERROR_STOP=1', server.url.text])
        psql.child.stdin?.end(formatDdl(plan, 'postgres'))
        await psql
        const target = { format: 'postgres', url: server.url, schema: 'public' } as const
        const [only] = formats
        const isCsv = only === 'csv' && formats.length === 1
        expect([formats, await readLoaded(database, target)]).toEqual([
          formats,
          isCsv ? toCsvLists(expected) : expected,
        ])
        for (const name of Object.keys(tables)) await server.query(`DROP TABLE ${name}`)
      }
    } finally {
      await database.stop()
    }
  })
})
