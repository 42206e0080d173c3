import * as fc from 'fast-check'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsOf, contracts, toCsv, toNdjson, type RejectedLine, type TableRow } from '../../src/streams.ts'
import { runPipeline, type RunReport } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases } from '../depth.ts'
import { collect, collectText, toChunks } from './collect.ts'
import { readRejects, waysToRows } from './table-stages.ts'

const locales = ['nl', 'fr', 'en_AU']
const records = cases(40, 15)
const input = toHostileExport(Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 5 })]))
let folder: string
let report: RunReport

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'same-as-engine-'))
  const file = join(folder, 'export.ndjson')
  await writeFile(file, input)
  report = await runPipeline(
    {
      name: 'products',
      source: { files: file, contract: 'v4/product' },
      completeness: 'report',
      locales,
      outputs: [
        { format: 'csv', path: 'out/{table}.csv' },
        { format: 'ndjson', path: 'out/{table}.ndjson' },
      ],
      rejects: { limit: '100%' },
    },
    { outDir: folder },
  )
})

afterAll(() => rm(folder, { recursive: true }))

describe.each(waysToRows)('%s', (_way, toTableStages) => {
  const toRows = (chunks: Readable): Promise<TableRow[]> =>
    collect(chunks, ...toTableStages('v4/product', { table: 'products', locales }))

  test('the stages give the bytes of the engine, and its rejects, for the root table and every child table', async () => {
    expect(report.tables.map(({ name }) => name)).toContain('product_photo_organizations')
    for (const { name: table } of report.tables) {
      const columns = columnsOf({ contract: contracts['v4/product'], table, locales })
      const csv = await readFile(join(folder, `${table}.csv`), 'utf8')
      const ndjson = await readFile(join(folder, `${table}.ndjson`), 'utf8')
      const rejects: RejectedLine[] = []
      const toStages = () => toTableStages('v4/product', { table, locales }, rejects)
      expect(await collectText(toChunks(input), ...toStages(), toCsv({ columns }))).toBe(csv)
      expect(rejects).toEqual(await readRejects(report.rejects.path))
      expect(await collectText(toChunks(input), ...toStages(), toNdjson())).toBe(ndjson)
      const isEmpty = ndjson === ''
      expect(await collectText(toChunks(input), ...toStages(), toCsv())).toBe(isEmpty ? '' : csv)
    }
  })

  test('the stages give the same bytes in chunks of any size', async () => {
    const part = input.subarray(0, 60_000)
    const expected = await toRows(toChunks(part))
    expect(expected.length).toBeGreaterThan(3)
    expect(await toRows(toChunks(part, 1))).toEqual(expected)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 20_000 }), async (chunkBytes) => {
        expect(await toRows(toChunks(part, chunkBytes))).toEqual(expected)
      }),
      { numRuns: cases(10, 2) },
    )
  })
})

/** Adds every kind of line that may occur between good lines, and cuts the last line. */
function toHostileExport(lines: Buffer): Buffer {
  const hostile = [
    '\n',
    ' \t \r\n',
    `{"meta":{"total":${records},"index":3},"result":{"id":"M1","photos":[{"displayOrder":"first"}]}}\n`,
    '{"id":"M2","tradeInRefundValue":12345678901234567890}\n',
    '{"id":"M3","publicPrice":9007199254740993,"newField":12345678901234567890}\r\n',
    '{"result":\n',
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a]),
    '<html>\n',
    '{"id":"M4","name":"of every locale","brands":[null,{"id":1}],"ean":["1",null,"2|3"],"status":"new"}\n',
  ].map((line) => Buffer.from(line))
  const half = lines.indexOf('\n', lines.length / 2) + 1
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  return Buffer.concat([mark, lines.subarray(0, half), ...hostile, lines.subarray(half), Buffer.from('{"id":"M5')])
}
