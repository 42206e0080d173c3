import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { array, assert, asyncProperty, boolean, constantFrom, integer, oneof, record } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../src/shards/plan/plan-shards.ts'
import { runPlanned } from '../../src/shards/run-planned.ts'
import { runShard } from '../../src/shards/run/run-shard.ts'
import { cases } from '../depth.ts'
import { RunFolder } from '../engine/run-folder.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const photos = { id: integer({ min: 1, max: 9 }), displayOrder: oneof(integer({ min: 0, max: 9 }), constantFrom('x')) }
const product = record(
  {
    id: integer({ min: 0, max: 60 }).map(String),
    status: constantFrom('active', 'inactive', 'unheard', 7),
    cnk: constantFrom('0012345', '77', '1234567'),
    name: record({ nl: constantFrom('één', ''), fr: constantFrom('x'), de: constantFrom('y') }, { requiredKeys: [] }),
    publicPrice: oneof(integer(), constantFrom('twaalf')),
    photos: array(record(photos), { maxLength: 3 }),
    surprise: integer(),
  },
  { requiredKeys: ['id'] },
)
const broken = constantFrom('garbage', '', '   ', '{"id":null}', '{"meta":{"total":3}}', '{"error":1}x')

interface FileForm {
  readonly gzip: boolean
  readonly crlf: boolean
  readonly mark: boolean
  readonly isCut: boolean
  readonly envelopes: boolean
  readonly document: boolean
}
const form = record<FileForm>({
  gzip: boolean(),
  crlf: boolean(),
  mark: boolean(),
  isCut: boolean(),
  envelopes: boolean(),
  document: integer({ min: 0, max: 5 }).map((number) => number === 0),
})

function toBytes(
  lines: readonly string[],
  start: number,
  { gzip, crlf, mark, isCut, envelopes, document }: FileForm,
): Buffer {
  const wrapped = lines.map((line, index) =>
    envelopes && line.startsWith('{"id')
      ? `{"meta":{"total":${start + lines.length},"index":${start + index}},"result":${line}}`
      : line,
  )
  const records = lines.filter((line) => line.startsWith('{"id"'))
  const text = document
    ? `{"meta":{"total":${records.length},"offset":0},"results":[${records.join(',')}]}`
    : wrapped.map((line) => line + (crlf ? '\r\n' : '\n')).join('')
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + (isCut && !document ? text.replace(/\r?\n$/, '') : text))
  return gzip ? gzipSync(bytes) : bytes
}

function toConfig(more: Partial<PipelineConfig>): PipelineConfig {
  return {
    name: 'products',
    source: { files: join(folder.path, 'in/*'), contract: 'v4/product' },
    locales: ['nl', 'fr'],
    tables: {
      products: { columns: ['id', 'status', 'cnk', 'name', 'publicPrice'] },
      product_photos: { each: 'photos[]', columns: 'all' },
    },
    completeness: 'report',
    rejects: { limit: '100%' },
    outputs: (['csv', 'ndjson', 'parquet'] as const).map((format) => ({ format, path: `out/{table}.${format}` })),
    expect: [
      { column: 'cnk', unique: true, matches: String.raw`^\d{7}$` },
      { column: 'id', unique: true },
      { column: 'publicPrice', from: -1000, to: 1000 },
      { column: 'status', in: ['active'], filled: '90%' },
      { table: 'product_photos', column: 'displayOrder', not: [7], unique: true },
      { table: 'product_photos', rows: { from: 10 } },
    ],
    ...more,
  }
}

/** The members of a report that do not depend on how the input is divided. */
function toShared({ ledger, completeness, sources, drift, tables, filteredBy, rejects, missingIds, rules }: Manifest) {
  const { path: _, ...counts } = rejects
  return {
    ledger,
    completeness,
    sources,
    drift,
    tables,
    filteredBy,
    rejects: counts,
    missing: missingIds?.sha256,
    rules,
  }
}

async function readProfile(outDir: string): Promise<unknown> {
  const { runId: _, ...profile } = JSON.parse(await readFile(join(outDir, '_profile.json'), 'utf8')) as {
    runId: string
  }
  return profile
}

/** The outcome of a run, with the lines of its parts in order. */
async function readRun(outDir: string, report: Manifest) {
  const lines: Record<string, string> = {}
  for (const { table, format, path } of report.files) {
    if (format === 'parquet') continue
    const text = await readFile(path, 'utf8')
    const name = `${table}.${format}`
    lines[name] = (lines[name] ?? '') + (format === 'csv' ? text.slice(text.indexOf('\n') + 1) : text)
  }
  const rejects = await readFile(join(outDir, '_rejects.ndjson'), 'utf8')
  const brokenRows = report.brokenRows && (await readFile(report.brokenRows.path, 'utf8'))
  return { ...toShared(report), lines, rejectLines: rejects, brokenRows, profile: await readProfile(outDir) }
}

async function runAllShards(config: PipelineConfig, bytes: number, outDir: string) {
  const to = join(folder.path, 'plan')
  const plan = await planShards(planPipeline(config, { outDir }), { to, bytes })
  for (const { number } of plan.shards.toReversed()) await runShard(to, number, { workers: 0 })
  const { report } = await commitShards(to)
  return { plan, report }
}

test('shards together give what one run gives, however files are written and divided', async () => {
  const lines = array(
    oneof({ weight: 9, arbitrary: product.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: broken }),
  )
  const files = array(record({ lines, form }), { minLength: 1, maxLength: 5 })
  const settings = record({
    parts: boolean(),
    filtered: boolean(),
    listed: boolean(),
    invalid: constantFrom('reject', 'null'),
  })
  await assert(
    asyncProperty(
      files,
      settings,
      integer({ min: 40, max: 3000 }),
      async (all, { parts, filtered, listed, invalid }, bytes) => {
        await rm(folder.path, { recursive: true, force: true })
        let start = 0
        for (const [at, file] of all.entries()) {
          await folder.write(
            `in/${at}.ndjson${file.form.gzip ? '.gz' : ''}`,
            toBytes(file.lines, parts ? start : 0, file.form),
          )
          start += file.lines.length
        }
        await folder.write('codes.csv', 'CNK\n0012345\n9999999\n')
        const config = toConfig({
          source: { files: join(folder.path, 'in/*'), contract: 'v4/product', parts },
          contract: { invalidValues: invalid },
          ...(filtered && { where: { status: ['active', 'inactive'] } }),
          ...(listed && { sourceIds: { file: join(folder.path, 'codes.csv'), column: 'CNK', field: 'cnk' } }),
        })
        const [plain, sharded] = [join(folder.path, 'plain'), join(folder.path, 'sharded')]
        const expected = await runPipeline(config, { outDir: plain, workers: 0 })
        const { report } = await runAllShards(config, bytes, sharded)
        expect(await readRun(sharded, report)).toEqual(await readRun(plain, expected))
      },
    ),
    { numRuns: cases(40, 4) },
  )
}, 600_000)

function toLine(index: number): string {
  const result = { id: `M${index}`, status: 'active', name: { nl: 'é'.repeat(200) } }
  return JSON.stringify({ meta: { total: 3000, index }, result })
}

async function writeArchive(): Promise<PipelineConfig> {
  const lines = Array.from({ length: 3000 }, (_, index) => `${toLine(index)}\n`)
  await folder.write('in/a.ndjson', lines.slice(0, 1800).join(''))
  await folder.write('in/b.ndjson.gz', gzipSync(lines.slice(1800).join('')))
  return toConfig({
    source: { files: join(folder.path, 'in/*'), contract: 'v4/product', parts: true },
    completeness: 'require',
  })
}

/** Every file that has no times in it. */
async function readOutputs(outDir: string): Promise<Record<string, string>> {
  const names = await readdir(outDir, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && !/^_(manifest|report|runs)/.test(entry.name))
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  const contents = await Promise.all(
    paths.map(async (path) => [path.slice(outDir.length), (await readFile(path)).toString('base64')] as const),
  )
  return Object.fromEntries(contents)
}

describe('an archive of several files', () => {
  test.each([1, 3, 7])('%s shards on many machines leave the files that one process leaves', async (count) => {
    const config = await writeArchive()
    const bytes = Math.ceil(900_000 / count)
    const many = join(folder.path, 'many')
    const { plan } = await runAllShards(config, bytes, many)
    const expected = await readOutputs(many)
    await rm(many, { recursive: true })
    const pipeline = planPipeline(config, { outDir: many })
    const to = join(folder.path, 'again')
    await planShards(pipeline, { to, bytes })
    const report = await runPlanned(to, pipeline, { workers: 2 })
    expect(report.plan).toEqual({ planId: plan.planId, shards: plan.shards.length })
    expect(await readOutputs(many)).toEqual(expected)
    expect(Object.keys(expected).find((path) => path.endsWith('.parquet'))).toMatch(/part-00000\.parquet$/)
  })

  test('the parts of all shards, read by DuckDB, have the rows of one run, and name plan and shard', async () => {
    const config = await writeArchive()
    const [plain, sharded] = [join(folder.path, 'plain'), join(folder.path, 'sharded')]
    await runPipeline(config, { outDir: plain })
    const { plan } = await runAllShards(config, 200_000, sharded)
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
    const parts = `read_parquet('${sharded}/products/*.parquet')`
    const whole = `read_parquet('${plain}/products.parquet')`
    expect(await read(`SELECT count(*)::int FROM ${parts}`)).toEqual([[3000]])
    expect(
      await read(`(FROM ${parts} EXCEPT ALL FROM ${whole}) UNION ALL (FROM ${whole} EXCEPT ALL FROM ${parts})`),
    ).toEqual([])
    const keys = `SELECT key::VARCHAR, value::VARCHAR FROM parquet_kv_metadata('${sharded}/products/part-00001.parquet')`
    expect(await read(keys)).toEqual(
      expect.arrayContaining([
        ['catalogue-etl.shard', '1'],
        ['catalogue-etl.plan_id', plan.planId],
      ]),
    )
    expect(
      await read(
        `SELECT count(DISTINCT row_group_id)::int FROM parquet_metadata('${sharded}/products/part-00001.parquet')`,
      ),
    ).toEqual([[1]])
    connection.closeSync()
    instance.closeSync()
  })

  test('attempts of a shard have the same digest with any number of threads', async () => {
    const config = await writeArchive()
    const to = join(folder.path, 'plan')
    await planShards(planPipeline(config, { outDir: folder.out }), { to })
    const digests = new Set<string>()
    for (const workers of [0, 1, 8]) digests.add((await runShard(to, 0, { workers })).digest)
    expect(digests.size).toBe(1)
  })
})
