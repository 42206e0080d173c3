import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parseRecords, splitLines, type ParsedRecord, type ParseRecordsOptions } from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'

describe('parseRecords', () => {
  test('parseRecords gives the record of an envelope with its place, and a bare record without', async () => {
    const records = await parse(
      '\n{"meta":{"total":9,"index":4},"result":{"id":"M1","meta":{"index":1}}}\n{"id":"M2"}\n',
    )
    expect(records).toMatchObject([
      { kind: 'record', line: 2, index: 4, total: 9, delivered: { id: 'M1', meta: { index: 1 } } },
      { kind: 'record', line: 3, index: null, total: null, delivered: { id: 'M2' } },
    ])
  })

  test('parseRecords passes lines without JSON on, with the reason', async () => {
    const records = await parse('{"id":\n{"meta":{"total":9,"index":7},"result":{"id"\n')
    expect(records).toMatchObject([
      { kind: 'invalid', line: 1, index: null, issue: { code: 'invalid_json' } },
      { kind: 'invalid', line: 2, index: 7, total: 9, issue: { code: 'invalid_json' } },
    ])
  })

  test('parseRecords marks a line as too long if splitLines kept only its beginning', async () => {
    const [record] = await collect<ParsedRecord>(
      toChunks(`"${'a'.repeat(50)}"\n`),
      splitLines({ maxLineBytes: 20 }),
      parseRecords(),
    )
    expect(record).toMatchObject({ kind: 'invalid', issue: { code: 'line_too_long' } })
  })

  test('parseRecords ends at an error line with SOURCE_ERROR_LINE', async () => {
    const reading = parse('{"id":"M1"}\n{"error":{"status":500,"code":"internal","message":"Broken"}}\n{"id":"M2"}\n')
    await expect(reading).rejects.toMatchObject({
      code: 'SOURCE_ERROR_LINE',
      message: 'line 2: expected a record, got an error line: 500 internal Broken',
    })
  })

  test('parseRecords keeps every digit of every number, but for exactNumbers: false', async () => {
    const line = '{"id":12345678901234567890}\n'
    expect(await parse(line)).toMatchObject([{ delivered: { id: 12345678901234567890n } }])
    expect(await parse(line, { exactNumbers: false })).toMatchObject([{ delivered: { id: 12345678901234567000 } }])
  })

  test.each([
    ['text', (line: string) => line],
    ['text with line breaks', (line: string) => `${line}\r\n`],
    ['bytes', (line: string) => Buffer.from(line)],
    ['bytes with line breaks', (line: string) => new Uint8Array(Buffer.from(`${line}\n`))],
  ])('parseRecords takes lines of another splitter as %s', async (_form, toItem) => {
    const lines = ['{"meta":{"total":9,"index":4},"result":{"id":"é1"}}', '  ', '{"id":']
    const records = await collect<ParsedRecord>(
      Readable.from(lines.map((line): string | Uint8Array => toItem(line))),
      parseRecords(),
    )
    expect(records).toMatchObject([
      { kind: 'record', line: 1, index: 4, total: 9, delivered: { id: 'é1' }, rawLine: { byteOffset: 0 } },
      { kind: 'invalid', line: 3, issue: { code: 'invalid_json' }, rawLine: { byteOffset: 56 } },
    ])
  })

  test('parseRecords leaves out a byte order mark that another splitter leaves in', async () => {
    for (const line of ['\uFEFF{"id":"M1"}', Buffer.from('\uFEFF{"id":"M1"}')]) {
      expect(await collect(Readable.from([line]), parseRecords())).toMatchObject([{ delivered: { id: 'M1' } }])
    }
  })

  test('parseRecords rejects half a character, in bytes and in text', async () => {
    const lines = [Buffer.from([0x22, 0xc3, 0x22]), '"\ud800"']
    const records = await collect<ParsedRecord>(Readable.from(lines), parseRecords())
    expect(records).toMatchObject([{ issue: { code: 'invalid_utf8' } }, { issue: { code: 'invalid_utf8' } }])
  })

  test('parseRecords refuses text with several lines, and items that are no lines', async () => {
    const unsplit = Readable.from([Buffer.from('{"id":"M1"}\n{"id":"M2"}\n')])
    await expect(collect(unsplit, parseRecords())).rejects.toMatchObject({
      code: 'USAGE',
      message: 'parseRecords: expected one line an item, as splitLines() gives them, got several in one',
    })
    const parsed = Readable.from([{ id: 'M1' }])
    await expect(collect(parsed, parseRecords())).rejects.toMatchObject({
      code: 'USAGE',
      message: 'parseRecords: expected lines: those of splitLines, text or bytes, got an object',
    })
  })
})

function parse(text: string, options: ParseRecordsOptions = {}): Promise<ParsedRecord[]> {
  return collect(toChunks(text), splitLines(), parseRecords(options))
}
