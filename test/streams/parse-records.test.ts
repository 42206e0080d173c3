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

  test('parseRecords lets lines that hold no JSON travel on with the reason', async () => {
    const records = await parse('{"id":\n{"meta":{"total":9,"index":7},"result":{"id"\n')
    expect(records).toMatchObject([
      { kind: 'invalid', line: 1, index: null, issue: { code: 'invalid_json' } },
      { kind: 'invalid', line: 2, index: 7, total: 9, issue: { code: 'invalid_json' } },
    ])
  })

  test('parseRecords makes a line too long that splitLines did not keep whole', async () => {
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

  test('parseRecords does not take the strings of another splitter', async () => {
    const reading = collect(Readable.from(['{"id":"M1"}']), parseRecords())
    await expect(reading).rejects.toThrow('parseRecords: expected the lines that splitLines gives, got string')
  })
})

function parse(text: string, options: ParseRecordsOptions = {}): Promise<ParsedRecord[]> {
  return collect(toChunks(text), splitLines(), parseRecords(options))
}
