import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contracts } from '../../../src/contracts/contracts.ts'
import { generateDocument, generateLines, type GenerateLinesOptions } from '../../../src/sandbox/data/generate-lines.ts'
import { createRecordGenerator } from '../../../src/sandbox/data/record-writer.ts'

interface Envelope {
  readonly meta: { readonly total: number; readonly index: number }
  readonly result: Record<string, unknown>
}

test('lines are the records of the generator in the envelope of a stream', () => {
  const options = { contract: 'v4/product', seed: 3, records: 40 } as const
  const generate = createRecordGenerator(contracts['v4/product'], options)
  const lines = readLines(options)
  expect(lines).toHaveLength(40)
  for (const [index, line] of lines.entries()) {
    expect(line).toBe(JSON.stringify({ meta: { total: 40, index }, result: generate(index) }))
  }
})

test('a later start gives later records, in a complete stream of its own', () => {
  const whole = readLines({ contract: 'v4/brand', seed: 1, records: 30 }).map(toEnvelope)
  const part = readLines({ contract: 'v4/brand', seed: 1, records: 10, start: 20 }).map(toEnvelope)
  expect(part.map(({ result }) => result)).toEqual(whole.slice(20).map(({ result }) => result))
  expect(part.map(({ meta }) => meta)).toEqual(part.map((_, index) => ({ total: 10, index })))
})

test('without the envelope a line is the bare record', () => {
  const [line] = readLines({ contract: 'v4/color', seed: 1, records: 1, envelope: false })
  expect(JSON.parse(line ?? '')).toEqual(createRecordGenerator(contracts['v4/color'], { seed: 1 })(0))
})

test('chunks are about 1 MiB of whole lines', () => {
  const chunks = [...generateLines({ contract: 'v4/product', seed: 1, records: 400 })]
  expect(chunks.length).toBeGreaterThan(2)
  for (const chunk of chunks) expect(chunk.at(-1)).toBe(0x0a)
  for (const chunk of chunks.slice(0, -1)) expect(chunk.length / 2 ** 20).toBeCloseTo(1, 0)
})

test('no record gives no line', () => {
  expect([...generateLines({ contract: 'v4/product', seed: 1, records: 0 })]).toEqual([])
})

test('a size in bytes decides the number of records, and the total is right', () => {
  const lines = readLines({ contract: 'v4/product', seed: 8, bytes: 3_000_000 })
  const bytes = Buffer.byteLength(lines.join('\n'))
  expect(Math.abs(bytes - 3_000_000)).toBeLessThan(300_000)
  expect(lines.map((line) => toEnvelope(line).meta)).toEqual(lines.map((_, index) => ({ total: lines.length, index })))
})

test('a product with everything has about 9 kB', () => {
  const lines = readLines({ contract: 'v4/product', seed: 8, records: 1000 })
  expect(Buffer.byteLength(lines.join('\n')) / 1000).toBeGreaterThan(8500)
  expect(Buffer.byteLength(lines.join('\n')) / 1000).toBeLessThan(10_000)
})

test.each([0, 1, 200])('a document of %i holds the same records in one result', (records) => {
  const options = { contract: 'v4/active-ingredient', seed: 4, records } as const
  const document = JSON.parse(Buffer.concat([...generateDocument(options)]).toString()) as unknown
  const results = readLines(options).map((line) => toEnvelope(line).result)
  expect(document).toEqual({ meta: { total: records }, results })
})

// These change only on purpose: whoever keeps generated data by its seed relies on the bytes.
test.each([
  ['v4/product', 'fbd778ab449ee5ff65559470f958938f71ce547e617951a7645f7568718b31bd'],
  ['v3/product', '4ee34fd9933b8d20490f119c155dc380548a8bdc840ad1145020531d3b57d97c'],
] as const)('the bytes of %s stay the same', (contract, sha256) => {
  const hash = createHash('sha256')
  for (const chunk of generateLines({ contract, seed: 2024, records: 200 })) hash.update(chunk)
  expect(hash.digest('hex')).toBe(sha256)
})

function readLines(options: GenerateLinesOptions): string[] {
  const text = Buffer.concat([...generateLines(options)]).toString()
  return text.split('\n').slice(0, -1)
}

function toEnvelope(line: string): Envelope {
  return JSON.parse(line) as Envelope
}
