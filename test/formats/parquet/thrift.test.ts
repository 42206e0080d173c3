import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatThrift, thrift, type ThriftFields, type ThriftValue } from '../../../src/formats/parquet/thrift.ts'
import { cases } from '../../depth.ts'
import { parseThrift } from './parse-thrift.ts'

/** A value to format, and what a reader makes of it. */
interface Example {
  readonly value: ThriftValue
  readonly read: unknown
}

it('thrift structs of every type, also nested, read back as they were', () => {
  fc.assert(
    fc.property(anyFields(), ({ fields, read }) => {
      expect(parseThrift(formatThrift(fields))).toEqual({ value: read, bytes: formatThrift(fields).length })
    }),
    { numRuns: cases(300) },
  )
})

it.each([0, 1, 14, 15, 16, 127, 128, 5000])('a thrift list of %i elements reads back', (length) => {
  const numbers = Array.from({ length }, (_, index) => index)
  const booleans = numbers.map((index) => index % 3 === 0)
  const bytes = formatThrift({ 1: thrift.list(numbers.map(thrift.i64)), 2: thrift.list(booleans.map(thrift.boolean)) })
  expect(parseThrift(bytes).value).toEqual({ field_1: numbers.map(BigInt), field_2: booleans })
})

it('a thrift integer has up to 52 bits', () => {
  const limit = 2 ** 52 - 1
  for (const value of [0, -1, 1, 63, 64, -64, -65, 2 ** 31, -(2 ** 31), 2 ** 40, limit, -limit]) {
    expect(throughThrift(value)).toEqual({ field_1: BigInt(value) })
  }
  fc.assert(
    fc.property(fc.integer({ min: -limit, max: limit }), (value) => {
      expect(throughThrift(value)).toEqual({ field_1: BigInt(value) })
    }),
  )
})

it('thrift fields are written in the order of their numbers, without undefined ones', () => {
  const fields = { 16: thrift.text('b'), 9: thrift.boolean(false), 2: undefined, 1: thrift.boolean(true) }
  expect(Buffer.from(formatThrift(fields)).toString('hex')).toBe('118278016200')
})

it('thrift text has the length of its bytes', () => {
  for (const text of ['', 'é'.repeat(100), '\0', 'x'.repeat(100_000)]) {
    const { value } = parseThrift(formatThrift({ 1: thrift.text(text), 2: thrift.i32(1) }))
    expect(value).toEqual({ field_1: new Uint8Array(Buffer.from(text)), field_2: 1 })
  }
})

function throughThrift(value: number): object {
  return parseThrift(formatThrift({ 1: thrift.i64(value) })).value
}

function anyFields(depth = 0): fc.Arbitrary<{ fields: ThriftFields; read: object }> {
  const entry = fc.record({ step: fc.integer({ min: 1, max: 15 }), example: fc.option(anyValue(depth)) })
  return fc.array(entry, { maxLength: 5 }).map((entries) => {
    const fields: Record<number, ThriftValue | undefined> = {}
    const read: Record<string, unknown> = {}
    let last = 0
    let id = 0
    for (const { step, example } of entries) {
      // A field that is left out does not bring the next one nearer.
      id = Math.min(id + step, last + 15)
      fields[id] = example?.value
      if (example === null) continue
      read[`field_${id}`] = example.read
      last = id
    }
    return { fields, read }
  })
}

function anyValue(depth: number): fc.Arbitrary<Example> {
  const kinds: fc.Arbitrary<Example>[] = [
    fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }).map((value) => ({ value: thrift.i16(value), read: value })),
    fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }).map((value) => ({ value: thrift.i32(value), read: value })),
    fc
      .integer({ min: 1 - 2 ** 52, max: 2 ** 52 - 1 })
      .map((value) => ({ value: thrift.i64(value), read: BigInt(value) })),
    fc.boolean().map((value) => ({ value: thrift.boolean(value), read: value })),
    fc.uint8Array({ maxLength: 300 }).map((value) => ({ value: thrift.binary(value), read: value })),
  ]
  if (depth === 3) return fc.oneof(...kinds)
  const structs = anyFields(depth + 1).map(({ fields, read }) => ({ value: thrift.struct(fields), read }))
  const lists = fc.oneof(...[...kinds, structs].map((kind) => fc.array(kind, { maxLength: 20 }))).map((elements) => ({
    value: thrift.list(elements.map(({ value }) => value)),
    read: elements.map(({ read }) => read),
  }))
  return fc.oneof(...kinds, structs, lists)
}
