import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DuckDBInstance } from '@duckdb/node-api'
import { extendContract } from '../../../src/contracts/extended/extend-contract.ts'
import { formatDdl } from '../../../src/describe/ddl/format-ddl.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { createRecordWriter } from '../../../src/sandbox/data/record-writer.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { skipsPostgres, startPostgres } from '../../loads/databases/postgres-server.ts'
import { toExpectedTables } from '../outputs/expected-tables.ts'
import { openReaders, type TableReaders } from '../outputs/read-tables.ts'
import { RunFolder } from '../run-folder.ts'

const extra = {
  artgId: 'text',
  pzn: 'code',
  shelfLife: 'integer',
  rating: 'float',
  pbs: 'boolean',
  recalledAt: 'timestamp',
  slogan: 'localized',
  'names[]': 'text',
  'meta.touchedAt': 'timestamp',
  'photos[].credits.name': 'text',
  'productFamilies[].id': 'integer',
  'productFamilies[].name': 'localized',
} as const

const formats = ['csv', 'ndjson', 'parquet'] as const
const locales = ['nl', 'fr']
let readers: TableReaders
let folder: RunFolder

beforeAll(async () => {
  readers = await openReaders()
})
afterAll(() => readers.close())
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

describe('fields beyond the contract', { timeout: 60_000 }, () => {
  test('cells of added fields read back as delivered, and are not counted as unknown', async () => {
    const contract = extendContract('v4/product', extra)
    const write = createRecordWriter(contract, { seed: 3 })
    const lines = Array.from({ length: 200 }, (_, index) => write(index))
    await folder.write('input.ndjson', lines.map((line) => `${line}\n`).join(''))
    const outputs = formats.map((format) => ({ format, path: `out/{table}.${format}` }))
    const source = { contract: 'v4/product' }
    const report = await folder.runDefaultTables({ locales, outputs, source, contract: { extra } })
    expect(report.ledger).toMatchObject({ lines: 200, accepted: 200 })
    expect(report.drift.unknownFields).toEqual({})
    expect(report.contract).toEqual({ name: 'v4/product', version: 1 })
    const records = lines.map((line) => JSON.parse(line) as unknown)
    const expected = toExpectedTables(contract, records, locales)
    expect([...expected.keys()]).toContain('product_product_families')
    for (const [table, { columns, rows }] of expected) {
      for (const file of report.files.filter((each) => each.table === table))
        expect(file.columns.map(({ name, type }) => ({ name, type }))).toEqual(columns)
      const path = (format: string): string => join(folder.out, `${table}.${format}`)
      expect(await readers.ndjsonByHand(path('ndjson'), columns)).toEqual(rows)
      expect(await readers.parquetWithDuckDb(path('parquet'), columns)).toEqual(rows)
      expect(await readers.parquetWithHyparquet(path('parquet'), columns)).toEqual(rows)
    }
  })

  test('values of type json stay as delivered in every format', async () => {
    await folder.write('input.ndjson', '{"id":"A","gs1":{"b":[1,"x"],"a":null}}\n{"id":"B","gs1":[]}\n{"id":"C"}\n')
    await folder.run({
      contract: { extra: { gs1: 'json' } },
      tables: { products: { columns: ['id', 'gs1'] } },
      outputs: formats.map((format) => ({ format, path: `out/{table}.${format}` })),
    })
    expect(await folder.readOut('products.csv')).toBe('id,gs1\nA,"{""b"":[1,""x""],""a"":null}"\nB,[]\nC,\n')
    expect(await folder.readOut('products.ndjson')).toContain('{"id":"A","gs1":{"b":[1,"x"],"a":null}}')
    const columns = [
      { name: 'id', type: 'text' },
      { name: 'gs1', type: 'json' },
    ]
    const rows = [
      ['A', '{"b":[1,"x"],"a":null}'],
      ['B', '[]'],
      ['C', null],
    ]
    expect(await readers.parquetWithDuckDb(join(folder.out, 'products.parquet'), columns)).toEqual(rows)
  })

  test('a value of another type in an added field is a reject like that of any field', async () => {
    await folder.write('input.ndjson', '{"id":"A","shelfLife":"long"}\n{"id":"B","shelfLife":"12"}\n')
    const tables = { products: { columns: ['id', 'shelfLife'] } }
    const report = await folder.run({ contract: { extra }, tables, rejects: { limit: 1 } })
    expect(report.ledger).toMatchObject({ accepted: 1, rejected: 1 })
    expect(await folder.readOut('products.csv')).toBe('id,shelf_life\nB,12\n')
    expect(await folder.readOut('_rejects.ndjson')).toContain('"path":"shelfLife"')
  })

  test('an incremental pipeline that gets a field reads everything, fills the column, and follows its changes', async () => {
    await writeRecords(['a', 'b', undefined])
    await runNight({})
    expect((await read('products.ndjson'))[0]).not.toHaveProperty('artg_id')
    const added = await runNight({ artgId: 'text' })
    expect((await read('products.ndjson')).map(({ artg_id: value }) => value)).toEqual(['a', 'b', null])
    // The two records that have the field have another content than the one that was published.
    expect(added.state?.changes).toMatchObject({ new: 0, changed: 2, removed: 0 })
    const current = (await read('history/products.ndjson')).filter((row) => row['is_current'])
    expect(current.map(({ id, artg_id: value }) => [id, value])).toEqual([
      ['M0', 'a'],
      ['M1', 'b'],
      ['M2', null],
    ])
    await writeRecords(['a', 'c', undefined])
    expect((await runNight({ artgId: 'text' })).state?.changes).toMatchObject({ changed: 1 })
    expect((await read('products.ndjson')).map(({ artg_id: value }) => value)).toEqual(['a', 'c', null])
  })

  test.each(['duckdb', 'postgres'] as const)(
    '%s accepts the statements for tables with added fields',
    async (dialect) => {
      if (dialect === 'postgres' && skipsPostgres) return
      await folder.write('input.ndjson', '{"id":"A"}\n')
      const config = {
        name: 'x',
        source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
        contract: { extra: { ...extra, gs1: 'json' } },
        outputs: [{ format: 'ndjson', path: join(folder.out, '{table}.ndjson') }],
      } as const
      await runPipeline({ ...config, outputs: [...config.outputs] }, { env: {} })
      const statements = formatDdl(planPipeline({ ...config, outputs: [...config.outputs] }, { env: {} }), dialect)
      const creates = statements.match(/CREATE TABLE[^;]*;/g)?.join('\n') ?? ''
      const types = `SELECT data_type FROM information_schema.columns WHERE table_name = 'products' AND column_name IN ('artg_id', 'gs1', 'names', 'recalled_at', 'shelf_life') ORDER BY column_name`
      const found = dialect === 'duckdb' ? await inDuckDb(creates, types) : await inPostgres(creates, types)
      expect(found).toEqual(
        dialect === 'duckdb'
          ? ['VARCHAR', 'JSON', 'VARCHAR[]', 'TIMESTAMP WITH TIME ZONE', 'BIGINT']
          : ['text', 'json', 'ARRAY', 'timestamp with time zone', 'bigint'],
      )
    },
  )

  test('fields of other markets in the loose dialect of the sandbox become typed columns and a child table', async () => {
    const sandbox = await startSandbox({ products: 200, rateLimit: false, dialect: 'loose' })
    try {
      const { baseUrl, keyId, keySecret } = sandbox
      const market = {
        artgId: 'text',
        pzn: 'code',
        snomedCode: 'code',
        pbs: 'code',
        upc12: 'code',
        gs1Category: 'json',
      } as const
      const fields = { ...market, 'productFamilies[].id': 'integer', 'productFamilies[].name': 'localized' } as const
      const run = (contract: { extra?: typeof fields }) =>
        runPipeline(
          {
            name: 'market',
            source: { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret },
            contract,
            locales: ['de', 'en'],
            outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
            rejects: { limit: '100%' },
            maxRemoved: '100%',
          },
          { outDir: folder.out, env: {} },
        )
      const before = await run({})
      const report = await run({ extra: fields })
      expect(Object.keys(before.drift.unknownFields)).toEqual(expect.arrayContaining(Object.keys(market)))
      const left = Object.keys(report.drift.unknownFields)
      expect(left.filter((path) => path in market || path.startsWith('productFamilies'))).toEqual([])
      expect(report.ledger).toEqual(before.ledger)
      const pzns = (await read('products.ndjson')).flatMap(({ pzn }) => (pzn === null ? [] : [pzn]))
      expect(pzns.length).toBeGreaterThan(5)
      expect(pzns.every((pzn) => typeof pzn === 'string' && /^\d{8}$/.test(pzn))).toBe(true)
      const [family] = await read('product_product_families.ndjson')
      expect(family).toEqual({
        product_id: expect.any(String) as string,
        position: 1,
        id: expect.any(Number) as number,
        name_de: expect.stringMatching(/^Familie/) as string,
        name_en: 'Family',
      })
    } finally {
      await sandbox.close()
    }
  })
})

async function read(name: string): Promise<Record<string, unknown>[]> {
  const lines = (await folder.readOut(name)).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** A record for each value of `artgId`. */
async function writeRecords(values: readonly (string | undefined)[]): Promise<void> {
  const records = values.map((artgId, id) => ({ id: `M${id}`, artgId, meta: { updatedAt: 9 } }))
  await folder.write('input.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

async function runNight(fields: Readonly<Record<string, 'text'>>) {
  return folder.run({
    contract: { extra: fields },
    incremental: {},
    tables: { products: { columns: 'all' } },
    outputs: [
      { format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' },
      { format: 'ndjson', path: 'out/history/{table}.ndjson', mode: 'history' },
    ],
  })
}

async function inDuckDb(statements: string, query: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(statements)
  const rows = (await connection.runAndReadAll(query)).getRows()
  connection.closeSync()
  instance.closeSync()
  return rows.map(([type]) => type)
}

async function inPostgres(statements: string, query: string): Promise<unknown[]> {
  const server = await startPostgres()
  try {
    await server.query(statements)
    return (await server.query(query)).map(([type]) => type)
  } finally {
    await server.stop()
  }
}
