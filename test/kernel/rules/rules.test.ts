import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { EncodedBlock } from '../../../src/kernel/encode/encoding-plan.ts'
import { createEncoding } from '../../../src/kernel/encode/encode-block.ts'
import { toProfiledEncoding } from '../../../src/engine/run/run-task.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { judgeRules } from '../../../src/kernel/rules/judge-rules.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import type { RuleReport } from '../../../src/manifest/manifest.ts'

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', input)
})
afterAll(() => folder.remove())

/** Values at every bound, empty, long, repeated and beyond 2^53. */
const strange = [
  { id: 'S1', cnk: '0000001', status: 'active', publicPrice: 0, vat: -0, name: { nl: '' } },
  { id: 'S2', cnk: '0000001', status: 'odd', publicPrice: -5, vat: 0, name: { nl: 'é😀' }, ean: ['1', null, '22'] },
  { id: 'S3', cnk: '0000001', publicPrice: 9_007_199_254_740_991, vat: 1.5, ean: [], prescription: true },
  { id: 'S4', cnk: '', publicPrice: 1, name: { nl: 'x'.repeat(300) }, meta: { updatedAt: 1_700_000_000 } },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('')
  .concat('{"id":"S5","publicPrice":9223372036854775807}\n{"id":"S6","publicPrice":-9223372036854775808}\n')

const generated = Buffer.concat([
  ...generateLines({ contract: 'v4/product', records: cases(2000, 900), seed: 12, dialect: 'loose' }),
])
const input = Buffer.concat([Buffer.from(strange), generated, generated.subarray(0, generated.indexOf(10) + 1)])

type Rules = NonNullable<PipelineConfig['expect']>

/** Each rule, with the query of what breaks it over the Parquet files. */
const rules: readonly (readonly [rule: Rules[number], sql: string])[] = [
  [{ column: 'publicPrice', from: 1 }, 'SELECT count(*) FROM products WHERE public_price < 1'],
  [{ column: 'public_price', to: 1000 }, 'SELECT count(*) FROM products WHERE public_price > 1000'],
  [
    { column: 'publicPrice', from: -5, to: '9007199254740991' },
    'SELECT count(*) FROM products WHERE public_price NOT BETWEEN -5 AND 9007199254740991',
  ],
  [
    { column: 'price_eur', from: '0.01', to: 99.5 },
    'SELECT count(*) FROM products WHERE price_eur NOT BETWEEN 0.01 AND 99.5',
  ],
  [{ column: 'vat', from: 0.5 }, 'SELECT count(*) FROM products WHERE vat < 0.5'],
  [{ column: 'vat', not: [0] }, 'SELECT count(*) FROM products WHERE vat = 0'],
  [
    { column: 'meta_updated_at', from: '2024-01-01', to: '2025-06-30T12:00:00Z' },
    "SELECT count(*) FROM products WHERE meta_updated_at NOT BETWEEN '2024-01-01' AND '2025-06-30 12:00:00'",
  ],
  [
    { column: 'meta_updated_at', until: '2024-12-31' },
    "SELECT count(*) FROM products WHERE meta_updated_at >= '2025-01-01'",
  ],
  [
    { column: 'meta_updated_at', not: ['2023-11-14'] },
    "SELECT count(*) FROM products WHERE meta_updated_at BETWEEN '2023-11-14' AND '2023-11-14 23:59:59'",
  ],
  [{ column: 'updated_on', to: '2024-12-31' }, "SELECT count(*) FROM products WHERE updated_on > '2024-12-31'"],
  [
    { column: 'status', in: ['active', 'inactive'] },
    "SELECT count(*) FROM products WHERE status NOT IN ('active', 'inactive')",
  ],
  [{ column: 'status', not: ['odd'] }, "SELECT count(*) FROM products WHERE status = 'odd'"],
  [{ column: 'prescription', in: [false] }, 'SELECT count(*) FROM products WHERE prescription'],
  [
    { column: 'cnk', matches: String.raw`^\d{7}$` },
    String.raw`SELECT count(*) FROM products WHERE NOT regexp_matches(cnk, '^\d{7}$')`,
  ],
  [
    { column: 'name_nl', matches: '^.{2,50}$' },
    'SELECT count(*) FROM products WHERE length(name_nl) NOT BETWEEN 2 AND 50',
  ],
  [{ column: 'ean', not: ['1'] }, "SELECT count(*) FROM (SELECT unnest(ean) AS code FROM products) WHERE code = '1'"],
  [{ column: 'name_nl', filled: '95%' }, 'SELECT count(*) FROM products WHERE name_nl IS NULL'],
  [{ column: 'ean', filled: '10 rows' }, 'SELECT count(*) FROM products WHERE ean IS NULL'],
  [{ column: 'cnk', unique: true }, 'SELECT count(cnk) - count(DISTINCT cnk) FROM products'],
  [{ column: 'id', unique: true }, 'SELECT count(id) - count(DISTINCT id) FROM products'],
  [{ column: 'vat', unique: true }, 'SELECT count(vat) - count(DISTINCT vat) FROM products'],
  [
    { column: 'meta_updated_at', unique: true },
    'SELECT count(meta_updated_at) - count(DISTINCT meta_updated_at) FROM products',
  ],
  [
    { table: 'product_photos', column: 'photoType', in: ['packshot'] },
    "SELECT count(*) FROM product_photos WHERE photo_type <> 'packshot'",
  ],
]

const toConfig = (expectRules: Rules): PipelineConfig => ({
  name: 'products',
  source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
  completeness: 'report',
  rejects: { limit: '100%' },
  maxRemoved: '100%',
  tables: {
    products: {
      columns: [
        'id',
        'cnk',
        'status',
        'name',
        'publicPrice',
        { column: 'price_eur', from: 'publicPrice', as: 'decimal(22,2)', unit: 'cents' },
        'vat',
        'prescription',
        'ean',
        'meta.updatedAt',
        { column: 'updated_on', from: 'meta.updatedAt', as: 'date' },
      ],
    },
    product_photos: { each: 'photos[]' },
  },
  outputs: [{ format: 'parquet', path: 'out/{table}.parquet' }],
  expect: expectRules,
})

const run = async (expectRules: Rules, options: Parameters<RunFolder['run']>[1] = {}) => {
  const { rules: found = [], tables } = await folder.run({ ...toConfig(expectRules), source: {} }, options)
  return { found, tables }
}

const all = rules.map(([rule]) => rule)

/** The rules as the reference path, or the fast path, finds them in one block. */
async function judgeBlock(
  isFast: boolean,
  changes: Partial<PipelineConfig> = {},
): Promise<{ found: RuleReport[]; unique: EncodedBlock['unique']; broken: EncodedBlock['broken'] }> {
  const plan = planPipeline({ ...toConfig(all), ...changes })
  const encoding = toProfiledEncoding({ records: plan.records, files: [] }, plan)
  const scan = isFast ? compileScan(encoding.records) : null
  expect(scan === null).toBe(!isFast)
  const { encodeBlock, collectCounts } = await createEncoding({ ...encoding, scan })
  const encoded = await encodeBlock({ bytes: input, byteOffset: 0, droppedBytes: 0, unterminated: false })
  const { rowCounts: rows, unique, broken } = encoded
  return { found: judgeRules(plan.records, plan.limits, { rows, rowCounts: [collectCounts()] }), unique, broken }
}

async function readBroken(): Promise<
  Record<'rule' | 'severity' | 'table' | 'id' | 'position' | 'column' | 'value', string>[]
> {
  return parse(await folder.readOut('_broken.csv'), { columns: true })
}

describe('the rules of a config', () => {
  test('what breaks each rule is as many values as DuckDB finds in the published files', async () => {
    const { found } = await run(all)
    const counts: [unknown, number][] = []
    for (const [at, [rule, sql]] of rules.entries()) {
      const from = sql.replaceAll(
        /FROM (products|product_photos)\b/g,
        (_, table) => `FROM '${folder.out}/${table}.parquet'`,
      )
      const [[count] = []] = await queryDuckDb(from)
      counts.push([rule, Number(count)])
      expect([rule, found[at]?.count]).toEqual([rule, Number(count)])
      expect(found[at]?.result === 'kept' || found[at]?.rule === 'filled').toBe(
        Number(count) === 0 || found[at]?.rule === 'filled',
      )
    }
    expect(counts.filter(([, count]) => count > 0).length).toBeGreaterThan(15)
  })

  test('the same rules are broken by the same values for any number of workers', async () => {
    const { found } = await run(all, { workers: 0 })
    for (const workers of [1, 8]) expect((await run(all, { workers })).found).toEqual(found)
    expect((await folder.run({ ...toConfig(all), profile: false, source: {} })).rules).toEqual(found)
  })

  test('the fast path finds what the reference path finds', async () => {
    expect(await judgeBlock(true)).toEqual(await judgeBlock(false))
  })

  test('a rule says what was expected and found, with the most frequent values that break it', async () => {
    const { found, tables } = await run([
      { column: 'status', in: ['active', 'inactive', 'replaced', 'no_selection', ''] },
      { column: 'cnk', unique: true, severity: 'warn' },
      { table: 'product_photos', rows: { from: 1_000_000 } },
      { rows: { from: 1, to: 1_000_000 } },
    ])
    const [products, photos] = tables.map(({ rows: count }) => count.toLocaleString('en'))
    expect(found).toEqual([
      {
        table: 'products',
        column: 'status',
        rule: 'in',
        severity: 'warn',
        result: 'broken',
        expected: 'one of active, inactive, replaced, no_selection, ""',
        count: 1,
        found: '1 other value',
        examples: ['odd'],
        ids: ['S2'],
        listed: 1,
      },
      expect.objectContaining({ column: 'cnk', rule: 'unique', result: 'broken', examples: ['0000001'] }),
      {
        table: 'product_photos',
        rule: 'rows',
        severity: 'warn',
        result: 'broken',
        expected: 'at least 1,000,000 rows',
        count: 0,
        found: `${photos} rows`,
      },
      {
        table: 'products',
        rule: 'rows',
        severity: 'warn',
        result: 'kept',
        expected: '1 to 1,000,000 rows',
        count: 0,
        found: `${products} rows`,
      },
    ])
  })

  test('a broken rule of severity error publishes nothing', async () => {
    const before = await folder.run({ ...toConfig([]), source: {} })
    expect(before.rules).toBeUndefined()
    const error = await folder.fail({
      ...toConfig([
        { column: 'status', not: ['odd'], severity: 'error' },
        { column: 'publicPrice', from: 1 },
        { column: 'id', filled: '100%', severity: 'error' },
      ]),
      source: {},
    })
    expect(error).toMatchObject({ code: 'RULE_BROKEN', exitCode: 3 })
    expect(error?.message).toBe('products: products.status: expected none of odd, got 1, such as "odd" (id S2)')
    expect(JSON.parse(await folder.readOut('_manifest.json'))).toMatchObject({ startedAt: before.startedAt })
  })

  test('a file lists each row that breaks a rule with its record, position and value, as DuckDB finds them', async () => {
    const { found } = await run([
      { table: 'product_photos', column: 'displayOrder', to: 2 },
      { column: 'price_eur', from: 0 },
      { column: 'cnk', unique: true },
      { column: 'publicPrice', filled: '100%' },
    ])
    const products = `read_parquet('${folder.out}/products.parquet', file_row_number = true)`
    const queries = [
      `SELECT product_id, position, display_order FROM '${folder.out}/product_photos.parquet' WHERE display_order > 2`,
      `SELECT id, NULL, price_eur FROM ${products} WHERE price_eur < 0`,
      `SELECT id, NULL, cnk FROM ${products} WHERE cnk IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY cnk ORDER BY file_row_number) > 1 ORDER BY file_row_number`,
      `SELECT id, NULL, public_price FROM ${products} WHERE public_price IS NULL`,
    ]
    const broken = []
    for (const query of queries) broken.push(await queryDuckDb(query))
    const expected = broken.flatMap((rows, at) =>
      rows.slice(0, 1000).map(([id, position, value]) => [found[at]?.expected, id, position, value]),
    )
    const listed = await readBroken()
    expect(listed.map((row) => [row.rule, row.id, row.position, row.value])).toEqual(
      expected.map((row) => row.map((value) => `${(value ?? '') as string | number}`)),
    )
    expect(new Set(listed.map((row) => `${row.table}.${row.column}`)).size).toBe(4)
  })

  test('the rows that break a rule are listed alike for any number of workers, up to a thousand of each rule', async () => {
    const expectation = [{ column: 'id', matches: '^never$' }] satisfies Rules
    const files = []
    for (const workers of [0, 8]) {
      const { found } = await run(expectation, { workers })
      expect(found).toMatchObject([{ listed: Math.min(1000, found[0]?.count ?? 0), ids: ['S1', 'S2', 'S3'] }])
      files.push(await folder.readOut('_broken.csv'))
    }
    expect(files[0]).toBe(files[1])
  })

  test('of a long value that breaks a rule the beginning is listed, in whole characters', async () => {
    const long = `${'x'.repeat(999)}${'é'.repeat(2000)}`
    const lines = ['a', 'b'].map((id) => `${JSON.stringify({ id, cnk: long })}\n`)
    const files = await folder.write('long.ndjson', lines.join(''))
    const expectation = [
      { column: 'cnk', matches: '^.{7}$' },
      { column: 'cnk', unique: true },
    ] satisfies Rules
    await folder.run({ ...toConfig(expectation), source: { files } })
    const listed = await readBroken()
    expect(listed.map(({ id, value }) => [id, value.length])).toEqual([
      ['a', 999],
      ['b', 999],
      ['b', 999],
    ])
  })

  test('rows of a table without the id are listed with it, and with the same bytes for each path', async () => {
    const tables = { products: { columns: ['cnk', 'status'] } }
    const expectation = [
      { column: 'status', not: ['odd'] },
      { column: 'cnk', unique: true },
    ] satisfies Rules
    await folder.run({ ...toConfig(expectation), tables, source: {}, profile: false })
    const [first] = await readBroken()
    expect(first).toMatchObject({ id: 'S2', value: 'odd' })
    const lists = await Promise.all([true, false].map((isFast) => judgeBlock(isFast, { expect: expectation, tables })))
    expect(lists[0]).toEqual(lists[1])
  })

  test('a run that fails leaves the rows that break rules, and one that breaks none removes them', async () => {
    const strict = { ...toConfig([{ column: 'status', not: ['odd'], severity: 'error' as const }]), source: {} }
    const error = await folder.fail(strict)
    expect(error?.outputs).toContain(`The rows that break rules are in ${join(folder.out, '_broken.csv')}`)
    expect(await readBroken()).toMatchObject([{ id: 'S2', severity: 'error', value: 'odd' }])
    await folder.run({ ...strict, expect: [{ column: 'status', not: ['even'] }] })
    await expect(folder.readOut('_broken.csv')).rejects.toThrow('ENOENT')
  })

  test('the number of rows of a sample is not judged', async () => {
    const { found } = await run([{ rows: { from: 1_000_000 } }, { column: 'status', in: ['active'] }], { limit: 1 })
    expect(found.map(({ result }) => result)).toEqual(['unjudged', 'kept'])
  })
})
