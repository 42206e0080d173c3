import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { RunFolder, toStream } from './run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const everyFormat: NonNullable<PipelineConfig['outputs']> = [
  { format: 'parquet', path: 'out/{table}.parquet' },
  { format: 'csv', path: 'out/{table}.csv.gz' },
  { format: 'ndjson', path: 'out/{table}.ndjson' },
]

describe('the same input, config and version', () => {
  test('the same input, config and version give the same bytes in every format, run after run, and the same run id', async () => {
    const input = Buffer.concat([...generateLines({ contract: 'v4/product', records: 400, seed: 7 })])
    await folder.write('input.ndjson', Buffer.concat([input, Buffer.from('garbage\n')]))
    const runs = []
    for (const name of ['first', 'second']) {
      const outDir = join(folder.path, name)
      const { runId, files } = await folder.run(
        { tables: { products: {}, product_photos: { each: 'photos[]' } }, outputs: everyFormat },
        { outDir },
      )
      const { '_manifest.json': _manifest, '_report.html': _page, ...outputs } = await folder.snapshot(outDir)
      runs.push({ runId, outputs, sums: files.map(({ sha256, bytes }) => ({ sha256, bytes })) })
    }
    expect(runs[0]).toEqual(runs[1])
    expect(Object.keys(runs[0]?.outputs ?? {})).toHaveLength(8)
  })

  test('the same input, config and version have the run id in the footer of Parquet files', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const { runId } = await folder.run({ outputs: everyFormat })
    expect(runId).toMatch(/^[0-9a-f]{32}$/)
    expect(await readFile(join(folder.out, 'products.parquet'), 'latin1')).toContain(runId)
  })

  test('the same input gives the same bytes from a compressed or plain file, or standard input', async () => {
    const text = toStream(['A', 'B'])
    await folder.write('input.ndjson', text)
    await folder.write('input.gz', gzipSync(text))
    const stdin = Readable.from([Buffer.from(text)])
    const runs = [
      await folder.run(),
      await folder.run({ source: { files: join(folder.path, 'input.gz') } }),
      await folder.run({ source: { files: '-' } }, { stdin }),
    ]
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1)
    expect(runs.map(({ sources }) => sources.map(({ name, bytes }) => ({ name, bytes })))).toEqual([
      [{ name: join(folder.path, 'input.ndjson'), bytes: text.length }],
      [{ name: join(folder.path, 'input.gz'), bytes: text.length }],
      [{ name: '<stdin>', bytes: text.length }],
    ])
  })

  test('runs differ in the run id if input, config or version differs', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const ids = [
      await folder.run(),
      await folder.run({ locales: ['fr'] }),
      await folder.run({ where: { status: 'active' } }),
      await folder.run({ maxRemoved: 1 }, { limit: 1 }),
      await folder.run({ outputs: [{ format: 'csv', path: 'out/{table}.csv', bom: true }] }),
    ].map(({ runId }) => runId)
    await folder.write('input.ndjson', toStream(['A', 'C']))
    ids.push((await folder.run()).runId)
    expect(new Set(ids).size).toBe(6)
  })
})

test('an output name that ends in .gz compresses, to the same text', async () => {
  await folder.write('input.ndjson', toStream(['A', 'B']))
  await folder.run({ outputs: ['csv', 'csv.gz'].map((end) => ({ format: 'csv', path: `out/{table}.${end}` })) })
  const compressed = await readFile(join(folder.out, 'products.csv.gz'))
  expect(gunzipSync(compressed).toString()).toBe(await folder.readOut('products.csv'))
})

describe('a limit of a run', () => {
  test('a limit publishes the first lines and reports a sample', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B', 'C', 'D']))
    const report = await folder.run({}, { limit: 2 })
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,active\nB,active\n')
    expect(report.ledger).toMatchObject({ lines: 2, accepted: 2 })
    expect(report.completeness).toEqual({
      status: 'incomplete',
      reasons: ['a sample was read, on purpose (limit 2)'],
      total: 4,
      limit: 2,
    })
    expect(JSON.parse(await folder.readOut('_manifest.json'))).toEqual(report)
  })

  test('a limit counts the lines of all sources together, across blocks', async () => {
    const ids = Array.from({ length: 40_000 }, (_, index) => `M${index}`)
    const files = [await folder.write('a.ndjson', toStream(ids)), await folder.write('b.ndjson', toStream(['X', 'Y']))]
    const report = await folder.run({ source: { files } }, { limit: 39_000 })
    expect(report.ledger.lines).toBe(39_000)
    expect((await folder.run({ source: { files } }, { limit: 40_001 })).ledger.lines).toBe(40_001)
    expect((await folder.readOut('products.csv')).endsWith('\nM39999,active\nX,active\n')).toBe(true)
  })

  test('a limit does not read error lines or garbage after its lines', async () => {
    await folder.write('input.ndjson', `${toStream(['A'], 9)}{"error":{"status":500}}\n{"id":`)
    expect((await folder.run({}, { limit: 1 })).ledger).toMatchObject({ lines: 1, accepted: 1 })
  })

  test('a limit of a document counts records', async () => {
    await folder.write('input.json', '{"results":[{"id":"A"},{"id":"B"},{"id":"C"}],"meta":{"total":3}}')
    await folder.run({ source: { files: join(folder.path, 'input.json') } }, { limit: 2 })
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,\nB,\n')
  })
})

describe('a source that can be read only once', () => {
  test('a source that can be read only once is copied for duplicates, and the copy is removed', async () => {
    const text = `{"id":"A","status":"old"}\n{"id":"B"}\n{"id":"A","status":"new"}\ngarbage\n`
    const stdin = Readable.from([Buffer.from(text.slice(0, 30)), Buffer.from(text.slice(30))])
    const changes = { duplicates: 'last', source: { files: '-' }, rejects: { limit: 1 } } as const
    const report = await folder.run(changes, { stdin })
    expect(await folder.readOut('products.csv')).toBe('id,status\nB,\nA,new\n')
    expect(report.ledger).toMatchObject({ lines: 4, duplicate: 1, accepted: 2, rejected: 1, repeatedIds: 1 })
    expect(JSON.parse(await folder.readOut('_rejects.ndjson'))).toMatchObject({ source: '<stdin>', line: 4 })
    expect(Object.keys(await folder.snapshot())).toEqual([
      '_manifest.json',
      '_profile.json',
      '_rejects.ndjson',
      '_report.html',
      'products.csv',
    ])
  })

  test('a source that can be read only once is not copied without duplicates', async () => {
    const stdin = Readable.from([Buffer.from('{"id":"A"}\n')])
    await folder.run({ source: { files: '-' } }, { stdin })
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,\n')
  })
})

describe('duplicates', () => {
  test('duplicates are found across blocks and sources, and the last one is kept', async () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => `M${index % 20_000}`)
    const files = [await folder.write('a.ndjson', toStream(ids)), await folder.write('b.ndjson', toStream(['M7', 'X']))]
    const report = await folder.run({ duplicates: 'last', source: { files } })
    expect(report.ledger).toMatchObject({ lines: 30_002, accepted: 20_001, duplicate: 10_001, repeatedIds: 10_001 })
    const rows = (await folder.readOut('products.csv')).split('\n').slice(1, -1)
    expect(new Set(rows).size).toBe(20_001)
    expect(rows.slice(-2)).toEqual(['M7,active', 'X,active'])
    expect(rows[0]).toBe('M10000,active')
  })
})

describe('completeness', () => {
  test('ten thousand lines with a total of ten thousand cannot be proven complete, but are published', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `M${index}`)
    await folder.write('input.ndjson', toStream(ids))
    const { completeness } = await folder.run()
    expect(completeness).toEqual({
      status: 'unprovable',
      reasons: ['the total is 10,000, above which the service does not count'],
      total: 10_000,
    })
  })
})

test('a source without any line is published as empty tables, with a warning that names it', async () => {
  const empty = await folder.write('empty.ndjson', '')
  const blank = await folder.write('blank.ndjson', '\n\n')
  const full = await folder.write('full.ndjson', toStream(['M1']))
  const warnings: string[] = []
  const onWarning = (message: string) => warnings.push(message)
  const { ledger } = await folder.run({ source: { files: [empty, full, blank] } }, { onWarning })
  expect(ledger.accepted).toBe(1)
  const reason = 'there is no line, and an empty result looks the same as a download that failed'
  expect(warnings).toEqual([`${empty}: ${reason}`, `${blank}: ${reason}`])
  await folder.run({ name: 'parts', source: { files: [empty, blank], parts: true } }, { onWarning })
  expect(warnings.slice(2)).toEqual([`${empty}: ${reason}`, `${blank}: ${reason}`])
})

test('progress is reported after every block: lines, bytes and the total of the stream', async () => {
  const text = toStream(Array.from({ length: 40_000 }, (_, index) => `M${index}`))
  await folder.write('input.ndjson', text)
  const seen: object[] = []
  await folder.run({}, { onProgress: (progress) => seen.push(progress) })
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.at(-1)).toEqual({ pipeline: 'products', lines: 40_000, bytes: text.length, total: 40_000 })
})

test('a second run replaces the outputs of the first one, and removes nothing else', async () => {
  await folder.write('input.ndjson', toStream(['A']))
  await folder.write('out/notes.txt', 'mine')
  await folder.run()
  await folder.write('input.ndjson', toStream(['B']))
  await folder.run()
  expect(await folder.readOut('products.csv')).toBe('id,status\nB,active\n')
  expect(await folder.readOut('notes.txt')).toBe('mine')
})

test('a run without rejects removes the rejects of the run before', async () => {
  await folder.write('input.ndjson', 'garbage\n')
  await folder.run({ rejects: { limit: 1 } })
  expect(await folder.readOut('_rejects.ndjson')).not.toBe('')
  await folder.write('input.ndjson', toStream(['A']))
  await folder.run()
  expect(await folder.readOut('_rejects.ndjson')).toBe('')
})
