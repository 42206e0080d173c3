import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutMembers as cut } from '../../../src/service/read/cut-members.ts'
import { cases } from '../../depth.ts'

const names = ['cnk', 'products', 'a"b']
const cutMembers = (line: Buffer) => cut(line, new Set(names))

test('members of a record are cut out of a line as JSON.parse finds them', () => {
  const key = fc.oneof(fc.constantFrom(...names, 'result', 'meta', 'id'), fc.string())
  const record = fc.dictionary(key, fc.jsonValue())
  const line = fc.oneof(record, fc.record({ meta: fc.jsonValue(), result: fc.oneof(record, fc.jsonValue()) }))
  const written = fc.tuple(line, fc.constantFrom(undefined, 1, '\t'), fc.boolean()).map(([value, space, isEscaped]) => {
    const text = JSON.stringify(value, null, space)
    return isEscaped ? text.replaceAll('"cnk"', String.raw`"\u0063nk"`) : text
  })
  fc.assert(
    fc.property(written, (text) => {
      const members = [...cutMembers(Buffer.from(text))].map(([name, value]) => [name, JSON.parse(value) as unknown])
      expect(Object.fromEntries(members)).toEqual(findMembers(JSON.parse(text)))
    }),
    { numRuns: cases(500) },
  )
})

test('members of a record that are repeated: the last one is cut out of a line', () => {
  expect(cutMembers(Buffer.from('{"cnk":1,"cnk":[2,"3"]}'))).toEqual(new Map([['cnk', '[2,"3"]']]))
})

test('cutting members ends at the fault of a broken line', () => {
  const line = '{"cnk":"1","x":{"y":[1,{"z":"\\""}],"cnk":2},"products":"a\\\\"}'
  for (let length = 0; length < line.length; length++) {
    const members = cutMembers(Buffer.from(line.slice(0, length)))
    expect([...members]).toEqual(length > 10 ? [['cnk', '"1"']] : [])
  }
  expect(cutMembers(Buffer.from(line))).toEqual(new Map(Object.entries({ cnk: '"1"', products: '"a\\\\"' })))
})

/** The members of the record on a line, as the engine understands the line. */
function findMembers(line: unknown): Record<string, unknown> {
  const isEnvelope = isObject(line) && Object.hasOwn(line, 'result')
  const record = isEnvelope ? line['result'] : line
  if (!isObject(record)) return {}
  return Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
