import { expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { checkPipeline } from '../../src/plan/check-pipeline.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

function check(outputs: Outputs, more: Partial<PipelineConfig> = {}) {
  const config = { name: 'p', source: { files: 'a.ndjson', contract: 'v4/product' }, outputs, ...more }
  return checkPipeline(config, { env: {}, needsService: false, now: 0 })
}

const messages = (...args: Parameters<typeof check>) =>
  check(...args).problems.map(({ path, message }) => `${path.join('.')} ${message}`)

test('a workbook holds all tables of a pipeline by default, in one file', () => {
  const { plan } = check([{ format: 'xlsx' }])
  expect(new Set(plan?.outputs.files.map(({ path }) => path))).toEqual(new Set(['out/p/p.xlsx']))
  expect(plan?.outputs.files.length).toBe(plan?.records.tables.length)
})

test("two outputs can't share a workbook, nor can a workbook and a database", () => {
  expect(
    messages([
      { format: 'xlsx', path: 'out/a' },
      { format: 'xlsx', path: 'out/a' },
    ]),
  ).toEqual([
    expect.stringContaining('outputs.1.path the xlsx output of table "products" and the xlsx output of table'),
  ])
  expect(
    messages([
      { format: 'xlsx', path: 'out/a' },
      { format: 'duckdb', path: 'out/a' },
    ]).join('\n'),
  ).toContain('would both be "out/a"')
})

test('check refuses a path with the extension of another format, and names that format', () => {
  expect(messages([{ format: 'csv', path: 'out/{table}.xlsx' }])).toEqual([
    'outputs.0.path path: expected a name that ends in .csv for format: csv, or format: xlsx, got "out/{table}.xlsx"',
  ])
  expect(messages([{ format: 'csv', path: 'out/{table}.Parquet.gz' }])[0]).toContain('or format: parquet')
  expect(messages([{ format: 'xlsx', path: 'out/p.csv' }])[0]).toContain('or format: csv')
  expect(messages([{ format: 'duckdb', path: 'out/p.csv' }])[0]).toContain('or format: csv')
  const usual: Outputs = [
    { format: 'csv', path: 'out/{table}.tsv' },
    { format: 'csv', path: 'out/{table}.txt.gz' },
    { format: 'ndjson', path: 'out/{table}.json' },
    { format: 'duckdb', path: 'out/p.db' },
    { format: 'parquet', path: 'out/{table}' },
  ]
  expect(messages(usual)).toEqual([])
})

test("check refuses keys that workbooks don't have", () => {
  const output: Outputs[number] = {
    format: 'xlsx',
    mode: 'merge',
    removed: 'mark',
    partitionBy: ['status'],
    rowsPerFile: 5,
    bytesPerFile: '1MB',
  }
  expect(messages([output])).toEqual([
    'outputs.0.mode mode: expected snapshot, as each run writes a workbook anew, got merge',
    ...['removed', 'partitionBy', 'rowsPerFile', 'bytesPerFile'].map(
      (key) =>
        `outputs.0.${key} ${key}: expected only in other formats, as a workbook is one file that each run writes anew, got it with xlsx`,
    ),
  ])
  expect(messages([{ format: 'xlsx', mode: 'snapshot' }])).toEqual([])
  expect(messages([{ format: 'xlsx', path: 'out/a.xlsx.gz' }])).toEqual([
    expect.stringContaining('expected a name without .gz'),
  ])
})

test.each<[string, Outputs, Partial<PipelineConfig>]>([
  ['incremental', [], { incremental: {} }],
  ['a duckdb output', [{ format: 'duckdb' }], {}],
  ['a parquet output with mode: append', [{ format: 'parquet', mode: 'append' }], {}],
  ['a csv output in several files', [{ format: 'csv', rowsPerFile: 10 }], {}],
])('check refuses a workbook in a pipeline that keeps a state: %s', (state, others, more) => {
  expect(messages([{ format: 'xlsx' }, ...others], more)).toContain(
    `outputs.0.format format: expected no xlsx in a pipeline that keeps a state, as a workbook holds what one run reads: give it a config of its own, got ${state}`,
  )
})

test('check refuses a table with more columns than a sheet', () => {
  const columns = Array.from({ length: 16_385 }, (_, index) => ({ column: `c${index}`, from: 'id' }))
  expect(messages([{ format: 'xlsx' }], { tables: { products: { columns } } })).toEqual([
    'outputs.0.format table "products": expected at most 16384 columns, which a sheet has, got 16385',
  ])
})
