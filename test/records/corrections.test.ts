import { expect, test } from 'vitest'
import { compileCorrections, type Correction, toPlainText } from '../../src/records/correct-line.ts'
import type { RawLine } from '../../src/records/raw-line.ts'

function toLine(text: string): RawLine {
  const bytes = Buffer.from(text)
  return { bytes, lineBytes: bytes.length, byteOffset: 7, terminated: true, isUtf8: true }
}

/** Rejects what is no number at `price` and no text at `code`, of a record in an envelope or alone. */
function findIssues({ bytes }: RawLine) {
  const line = JSON.parse(bytes.toString()) as Record<string, unknown>
  const record = (line['result'] ?? line) as Record<string, unknown>
  const wrong = [
    ...(typeof record['price'] === 'number' ? [] : ['price']),
    ...(typeof record['code'] === 'string' ? [] : ['code']),
  ]
  const issues = wrong.map((path) => ({ code: 'invalid_type', path, message: 'wrong' }))
  return issues.length === 0 ? null : { id: String(record['id']), issues }
}

function correct(text: string, ...corrections: Correction[]) {
  const { line, used, refused } = compileCorrections(corrections)(toLine(text), findIssues)
  return {
    text: line.bytes.toString(),
    used,
    byteOffset: line.byteOffset,
    reasons: refused.map(({ reason }) => reason),
  }
}

const price = { id: 'A', path: 'price', value: 'on request', corrected: '1250' }
const code = { id: 'A', path: 'code', value: '12', corrected: '0012' }

test('a wrong value is replaced by a number where a number is expected, by text where text is, and all else stays', () => {
  const text =
    '{"meta": {"index":3}, "result": {"id":"A", "price": "on request" ,"code":12,"big":12345678901234567890}}'
  expect(correct(text, code, price)).toEqual({
    text: '{"meta": {"index":3}, "result": {"id":"A", "price": 1250 ,"code":"0012","big":12345678901234567890}}',
    used: [0, 1],
    byteOffset: 7,
    reasons: [],
  })
  expect(correct('{"id":"A","price":1,"code":12}', { ...code, corrected: '13' }).text).toBe(
    '{"id":"A","price":1,"code":"13"}',
  )
})

test.each([
  ['with the id of another record', '{"id":"B","price":"on request","code":"1"}', price, []],
  ['for another value', '{"id":"A","price":"sold out","code":"1"}', price, ['the source delivers another value']],
  ['for a value that is right by now', '{"id":"A","price":3,"code":"on request"}', price, []],
  [
    'that is wrong itself',
    '{"id":"A","price":"on request","code":"1"}',
    { ...price, corrected: 'soon' },
    ['the corrected value is wrong too: wrong'],
  ],
  [
    'that leaves another reason',
    '{"id":"A","price":"on request","code":null}',
    price,
    ['the line is rejected all the same: code: wrong'],
  ],
  [
    'of what is right in a line with another reason',
    '{"id":"A","price":3,"code":null}',
    price,
    ['the source has nothing wrong at this path, but code: wrong'],
  ],
] as const)('a line stays as it is with a correction %s, which is told', (_, text, correction, reasons) => {
  expect(correct(text, correction)).toEqual({ text, used: [], byteOffset: 7, reasons })
})

test('of two wrong values that came one after the other each has its correction', () => {
  const later = { ...price, value: 'sold out', corrected: '900' }
  expect(correct('{"id":"A","price":"sold out","code":"1"}', price, later).used).toEqual([1])
})

test('a string is shown without quotes and escapes, all else as JSON', () => {
  expect(['"a \\"b\\""', ' 12.50', '[1, 2]', 'null', '" x"'].map(toPlainText)).toEqual([
    'a "b"',
    '12.50',
    '[1, 2]',
    'null',
    'x',
  ])
})
