import { stringify } from 'csv-stringify'
import { Readable, type Duplex } from 'node:stream'
import { parser as parseJsonl } from 'stream-json/jsonl/parser.js'
import { pick } from 'stream-json/filters/pick.js'
import { streamArray } from 'stream-json/streamers/stream-array.js'
import split2 from 'split2'
import { describe, expect, test } from 'vitest'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import {
  contracts,
  flattenRecords,
  fromRecords,
  JsonCell,
  parseRecords,
  readRows,
  splitLines,
  toCsv,
  toNdjson,
  trackCompleteness,
  validateRecords,
  type DeliveredRecord,
  type ParsedRecord,
  type RejectedLine,
  type TableRow,
} from '../../src/streams.ts'
import { cases } from '../depth.ts'
import { collect, collectText, toChunks } from './collect.ts'
import type { Completeness } from '../../src/manifest/manifest.ts'

const contract = contracts['v4/product']
const generated = cases(60, 15)
const total = generated + 1
const invalid = `{"meta":{"total":${total},"index":${generated}},"result":{"id":"M2","photos":[{"displayOrder":"first"}]}}\n`
const lines =
  Buffer.concat([...generateLines({ contract: 'v4/product', records: generated, seed: 8 })])
    .toString()
    .replaceAll(`"total":${generated},`, `"total":${total},`) + invalid
const envelopes = lines
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly result: unknown })
const document = JSON.stringify({ meta: { total }, results: envelopes.map(({ result }) => result) })
const locales = ['nl', 'fr', 'en_AU']
const tables = ['products', 'product_photos']

interface Read {
  readonly rows: TableRow[]
  readonly rejects: Omit<RejectedLine, 'raw'>[]
}

/** Reads rows and rejects from stages that give lines or parsed records. */
async function read(table: string, text: string, ...first: Duplex[]): Promise<Read> {
  const rejects: RejectedLine[] = []
  const rows = await collect<TableRow>(
    toChunks(text),
    ...first,
    validateRecords(contract, { onReject: (reject) => void rejects.push(reject) }),
    flattenRecords({ table, locales }),
  )
  return { rows, rejects }
}

async function readWithoutOthers(table: string): Promise<Read> {
  const rejects: RejectedLine[] = []
  const onReject = (reject: RejectedLine): void => void rejects.push(reject)
  return { rows: await collect(toChunks(lines), readRows({ contract, table, locales, onReject })), rejects }
}

describe.each(tables)('the stages with those of other packages, table %s', (table) => {
  test('split2 in place of splitLines gives the rows and rejects of readRows', async () => {
    expect(await read(table, lines, split2(), parseRecords())).toEqual(await readWithoutOthers(table))
  })

  test('stream-json reads lines for fromRecords, and the rows are those of readRows', async () => {
    const { rows, rejects } = await readWithoutOthers(table)
    const read2 = await read(table, lines, parseJsonl.asStream(), fromRecords())
    expect(read2.rows).toEqual(rows)
    expect(read2.rejects).toEqual(rejects)
  })

  test('stream-json reads the list of a document for fromRecords, and the rows are those of readRows', async () => {
    const results = pick.withParserAsStream({ filter: 'results' })
    const { rows, rejects } = await read(table, document, results, streamArray.asStream(), fromRecords())
    const expected = await readWithoutOthers(table)
    expect(rows).toEqual(expected.rows)
    expect(rejects).toMatchObject(expected.rejects.map(({ line, id, issues }) => ({ line, id, issues, index: null })))
  })

  test('csv-stringify writes the rows as toCsv does', async () => {
    const { rows } = await readWithoutOthers(table)
    const ours = await collectText(Readable.from(rows), toCsv())
    const theirs = await collectText(Readable.from(rows), stringify({ header: true, cast: castings }))
    expect(theirs.split('\n')).toEqual(ours.split('\n'))
  })

  test('split2 reads what toNdjson has written', async () => {
    const { rows } = await readWithoutOthers(table)
    const read2 = await collect(Readable.from(rows), toNdjson(), split2(JSON.parse))
    expect(read2).toEqual(rows.map(toPlain))
  })
})

describe('fromRecords', () => {
  test('fromRecords keeps the places of envelopes, so that they prove a stream complete', async () => {
    const verdicts: Completeness[] = []
    const onEnd = (verdict: Completeness): void => void verdicts.push(verdict)
    await collect(Readable.from(envelopes), fromRecords(), trackCompleteness({ onEnd }))
    expect(verdicts).toEqual([{ status: 'proven', reasons: [], total }])
  })

  test('fromRecords gives what parseRecords gives', async () => {
    const ours = await collect<ParsedRecord>(toChunks(lines), splitLines(), parseRecords())
    const theirs = await collect<ParsedRecord>(Readable.from(envelopes), fromRecords())
    expect(theirs).toEqual(ours)
  })

  test('fromRecords leaves the values of the caller as they are', async () => {
    const given = { id: 'M1', cnk: 123, name: 'Text without a locale' }
    await collect(Readable.from([given]), fromRecords(), validateRecords(contract))
    expect(given).toEqual({ id: 'M1', cnk: 123, name: 'Text without a locale' })
  })

  test('fromRecords keeps bigints, and numbers that were rounded before are rejected', async () => {
    const rejects: RejectedLine[] = []
    const records = [
      { id: 'M1', publicPrice: 9007199254740993n },
      // eslint-disable-next-line no-loss-of-precision
      { id: 'M2', publicPrice: 9007199254740993 },
      { id: 'M3', cnk: 123 },
    ]
    const rows = await collect(
      Readable.from(records),
      fromRecords(),
      validateRecords(contract, { onReject: (reject) => void rejects.push(reject) }),
      flattenRecords({ table: 'products', columns: ['id', 'publicPrice', 'cnk'] }),
    )
    expect(rows).toEqual([
      { id: 'M1', public_price: 9007199254740993n, cnk: null },
      { id: 'M3', public_price: null, cnk: '0000123' },
    ])
    expect(rejects).toMatchObject([
      { line: 2, id: 'M2', issues: [{ message: expect.stringContaining('beyond 2^53') }] },
    ])
  })

  test('fromRecords ends at an error of the service', async () => {
    const items = [{ id: 'M1' }, { error: { status: 500, code: 'internal', message: 'Broken' } }]
    await expect(collect(Readable.from(items), fromRecords())).rejects.toMatchObject({
      code: 'SOURCE_ERROR_LINE',
      message: 'line 2: expected a record, got an error line: 500 internal Broken',
    })
  })

  test('fromRecords passes values on that are no records, for validateRecords to reject', async () => {
    const items = await collect<DeliveredRecord>(Readable.from([{ key: 0, value: null }, 7, [1]]), fromRecords())
    expect(items.map(({ delivered }) => delivered)).toEqual([null, 7, [1]])
  })

  test.each([
    ['text', '{"id":"M1"}', 'text "{\\"id\\":\\"M1\\"}"'],
    ['bytes', Buffer.from('{}'), 'bytes'],
    ['a function', () => 1, 'a function'],
  ])('fromRecords does not take %s', async (_name, item, got) => {
    const reading = collect(Readable.from([item], { objectMode: true }), fromRecords())
    const message = `fromRecords: expected parsed records, and parseRecords() for text and bytes, got ${got}`
    await expect(reading).rejects.toMatchObject({ code: 'USAGE', message })
  })
})

/**
 * Options with which csv-stringify writes as `toCsv` does: null as nothing and empty text as `""`, lists in one cell.
 */
const castings = {
  string: (value: string) => ({ value, quoted_empty: true }),
  boolean: String,
  bigint: String,
  date: formatDate,
  object(value: object) {
    const text = value instanceof JsonCell ? value.text : (value as readonly unknown[]).join('|')
    return { value: text, quoted_empty: true }
  },
}

/** Writes whole seconds without a fraction. */
function formatDate(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}

function toPlain(row: TableRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? formatDate(value) : value]),
  )
}
