import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import { trace, type TraceOptions } from '../../../src/inspect/trace/trace.ts'
import type { TracedLine } from '../../../src/inspect/trace/trace-report.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { cases } from '../../depth.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { queryDuckDb } from '../../formats/query-duckdb.ts'
import { mixProducts } from './mix-products.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trace-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

function configOf(name: string, files: string | string[], more: Partial<PipelineConfig> = {}): PipelineConfig {
  return {
    name,
    source: { files, contract: 'v4/product' },
    where: { status: ['active'] },
    rejects: { limit: '100%' },
    completeness: 'report',
    tables: {
      products: { columns: ['id', 'cnk', 'status', 'publicPrice'] },
      photos: { each: 'photos[]', where: { photoType: ['packshot'] }, columns: ['id', 'photoType'] },
    },
    outputs: [{ format: 'parquet', path: join(folder, `${name}/{table}.parquet`) }],
    ...more,
  }
}

async function traceOf(config: PipelineConfig, ids: readonly string[], options: Partial<TraceOptions> = {}) {
  const { signal } = new AbortController()
  return trace(planPipeline(config), ids, { env: forcedWorkers, signal, stdin: Readable.from([]), ...options })
}

/** Every line of files, numbered, with its place and the id of its record: `(file, line, byte_offset, text, id)`. */
const linesOf = (files: readonly string[]): string =>
  files
    .map(
      (
        file,
      ) => `SELECT '${file}' AS file, line, text, CASE WHEN json_valid(text) THEN json_extract_string(text, '$.result.id') END AS id,
        coalesce(sum(strlen(text) + 1) OVER (ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS start
      FROM (SELECT row_number() OVER ()::INTEGER AS line, column0 AS text
        FROM read_csv('${file}', delim = '\\x01', quote = '', escape = '', header = false, all_varchar = true, max_line_size = 10000000))`,
    )
    .join(' UNION ALL ')

describe('lines and rows of records, recomputed by DuckDB', () => {
  test.each(
    Array.from(
      { length: cases(4, 2) },
      (_, seed) => [seed + 1, (['keep', 'last', 'reject'] as const)[seed % 3]!] as const,
    ),
  )('seed %i, duplicates: %s', async (seed, duplicates) => {
    const lines = mixProducts(120, seed)
    const first = await write(`a-${seed}.ndjson`, lines.slice(0, 80).join(''))
    const second = await write(`b-${seed}.ndjson.gz`, gzipSync(lines.slice(80).join('')))
    const config = configOf(`run-${seed}`, [first, second], { duplicates })
    await runPlan(planPipeline(config), { workers: 0 })
    const source = linesOf([first, second])
    const ids = (
      await queryDuckDb(`SELECT DISTINCT id FROM (${source}) WHERE id IS NOT NULL ORDER BY id`)
    ).flat() as string[]
    expect(ids.length).toBeGreaterThan(60)
    const report = await traceOf(config, ids)
    expect(report.read).toMatchObject({ files: 2, lines: lines.length })
    const placed = await queryDuckDb(
      `SELECT id, file, line, start, text FROM (${source}) WHERE id IS NOT NULL ORDER BY id, file, line`,
    )
    const traced = report.ids.flatMap(({ id, lines: own }) => own.map((line) => ({ id, ...line })))
    expect(
      traced.map(({ id, source: file, line, byteOffset, raw }) => [
        id,
        file,
        line,
        `${byteOffset}`,
        'raw' in raw ? raw.raw : null,
      ]),
    ).toEqual(placed)
    const out = join(folder, `run-${seed}`)
    const rows = await queryDuckDb(`
      SELECT id::VARCHAR, 'products', count(*)::INTEGER FROM '${out}/products.parquet' GROUP BY id
      UNION ALL SELECT product_id::VARCHAR, 'photos', count(*)::INTEGER FROM '${out}/photos.parquet' GROUP BY product_id ORDER BY ALL`)
    expect(sumRows(traced)).toEqual(rows)
    const rejected = await queryDuckDb(`
      SELECT source, line::INTEGER, to_json(list_transform(issues, i -> i.code))::VARCHAR
      FROM read_json('${out}/_rejects.ndjson', format = 'newline_delimited') WHERE id IS NOT NULL ORDER BY source, line`)
    const rejects = traced.flatMap(({ source: file, line, outcome }) =>
      outcome.kind === 'rejected'
        ? [[file, line, JSON.stringify(outcome.issues.map(({ code }) => code))] as const]
        : [],
    )
    expect(rejects.toSorted(byPlace)).toEqual(rejected)
    const kinds = new Set(traced.map(({ outcome }) => outcome.kind))
    expect(kinds).toEqual(
      new Set(['accepted', 'filtered', 'rejected', ...(duplicates === 'last' ? ['duplicate'] : [])]),
    )
  })
})

function byPlace(a: readonly [string, number, string], b: readonly [string, number, string]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]
}

function sumRows(traced: readonly (TracedLine & { readonly id: string })[]): unknown[] {
  const counts = new Map<string, number>()
  for (const { id, tables } of traced)
    for (const { name, rows } of tables)
      if (rows.length > 0) counts.set(`${id}\t${name}`, (counts.get(`${id}\t${name}`) ?? 0) + rows.length)
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, count]) => [...key.split('\t'), count])
}

const product = (id: unknown, more: object = {}) => JSON.stringify({ id, status: 'active', ...more })

describe('ids on their lines', () => {
  test('an id is found in every notation of its text, and nowhere else', async () => {
    const lines = [
      '{"status":"active","id":"M\\u0031"}',
      product('M1'),
      product('M2', { cnk: 'M1', name: { nl: 'M1' } }),
      `{ "photos": [], "id" :\t"M1" }`,
      product('M11'),
      '{"id":"M1"',
    ]
    const file = await write('forms.ndjson', `\ufeff${lines.join('\r\n')}\r\n`)
    const { ids } = await traceOf(configOf('forms', file), ['M1'])
    expect(ids[0]!.lines.map(({ line, byteOffset }) => [line, byteOffset])).toEqual([
      [1, 3],
      [2, 3 + lines[0]!.length + 2],
      [4, 3 + lines.slice(0, 3).join('\r\n').length + 2],
    ])
    expect(ids[0]!.mentions).toEqual([])
  })

  test('a line that breaks its contract is found by its id with the reason', async () => {
    const file = await write('broken.ndjson', `${product('M7', { publicPrice: 'twaalf' })}\n`)
    const { ids } = await traceOf(configOf('broken', file), ['M7'])
    expect(ids[0]!.lines[0]!.outcome).toEqual({
      kind: 'rejected',
      issues: [expect.objectContaining({ code: 'invalid_type', path: 'publicPrice' })],
    })
    expect(ids[0]!.lines[0]!.tables).toEqual([])
  })

  test('trace shows the condition that filtered a record, and the elements excluded by where', async () => {
    const photos = [
      { id: 1, photoType: 'packshot' },
      { id: 2, photoType: 'pillshot' },
    ]
    const lines = [product('M1', { photos }), product('M2', { status: 'inactive' })]
    const file = await write('filtered.ndjson', `${lines.join('\n')}\n`)
    const { ids } = await traceOf(configOf('filtered', file), ['M1', 'M2'])
    expect(ids[0]!.lines[0]!.tables.map(({ name, rows, filtered }) => [name, rows, filtered])).toEqual([
      ['products', [{ id: 'M1', cnk: null, status: 'active', public_price: null }], 0],
      ['photos', [{ product_id: 'M1', position: 1, id: 1, photo_type: 'packshot' }], 1],
    ])
    expect(ids[1]!.lines[0]!.outcome).toEqual({
      kind: 'filtered',
      by: 'where',
      path: 'status',
      condition: expect.stringContaining('active'),
      got: 'inactive',
    })
  })

  test('an id without a record shows up to three lines that mention it', async () => {
    const lines = [1, 2, 3, 4].map((at) => product(`M${at}`, { atcCode: 'N02BE01' }))
    const file = await write('elsewhere.ndjson', `${lines.join('\n')}\n`)
    const [missing, part] = (await traceOf(configOf('elsewhere', file), ['N02BE01', '02BE'])).ids
    expect(missing!.lines).toEqual([])
    expect(missing!.mentions.map(({ line, path, id }) => [line, path, id])).toEqual([
      [1, 'atcCode', 'M1'],
      [2, 'atcCode', 'M2'],
      [3, 'atcCode', 'M3'],
    ])
    expect(part!.mentions[0]).toMatchObject({ path: null, id: 'M1' })
  })

  test('trace shows the first and the last of very many lines, and counts all', async () => {
    const lines = Array.from({ length: 250 }, (_, at) => product('M1', { publicPrice: at }))
    const file = await write('many.ndjson', `${lines.join('\n')}\n`)
    const { ids } = await traceOf(configOf('many', file, { duplicates: 'last' }), ['M1'])
    const [{ lines: kept, more }] = ids as [(typeof ids)[0]]
    expect([kept.length, more]).toEqual([100, 150])
    expect(kept.map(({ line }) => line)).toEqual([...Array.from({ length: 99 }, (_, at) => at + 1), 250])
    expect(kept.at(-1)!.outcome.kind).toBe('accepted')
    expect(kept[0]!.outcome).toMatchObject({ kind: 'duplicate', of: { line: 250 } })
  })

  test.each([
    ['12', ['{"id":12}', '{"id":"12"}'], 'v3/brand'],
    ['M"1', ['{"id":"M\\"1","status":"active"}', '{"status":"active","id":"M\\u00221"}'], 'v4/product'],
    ['M/1', ['{"id":"M\\/1","status":"active"}', '{"id":"M/1","status":"active"}'], 'v4/product'],
    ['Mé', ['{"id":"M\\u00e9","status":"active"}', '{"id":"Mé","status":"active"}'], 'v4/product'],
    ['M1', ['{"\\u0069\\u0064":"M1"}', '{"i\\u0064":"\\u004d1"}'], 'v4/product'],
    ['M1', ['{"id":"M1"}', '{"id":"M1","id":"M1"}'], 'raw'],
  ] as const)('the id %s is found in each of its notations: %s', async (id, lines, contract) => {
    const content = lines.flatMap((line) => [line, '{"id":"99"}']).join('\n')
    const file = await write('id-forms.ndjson', content)
    const config: PipelineConfig = { name: 'id-forms', source: { files: file, contract } }
    const { ids } = await traceOf(config, [id])
    expect(ids[0]!.lines.map(({ line }) => line)).toEqual([1, 3])
  })
})

describe('sources that cannot be searched', () => {
  test('trace refuses an endpoint and says what to do instead', async () => {
    const service = { baseUrl: 'https://catalogue.example.com', keyId: 'k', keySecret: 's' }
    const config = { name: 'x', source: { endpoint: 'v4/products/stream', ...service } } as PipelineConfig
    await expect(traceOf(config, ['M1'])).rejects.toMatchObject({
      code: 'USAGE',
      fix: expect.stringContaining('--from'),
    })
  })

  test('a stopped trace ends with INTERRUPTED', async () => {
    const file = await write('stopped.ndjson', `${product('M1')}\n`)
    const signal = AbortSignal.abort()
    await expect(traceOf(configOf('stopped', file), ['M1'], { signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})
