import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contracts } from '../../../src/contracts/contracts.ts'
import { chooseFields } from '../../../src/inspect/diff/choose-fields.ts'
import { compileComparison } from '../../../src/inspect/diff/compare-records.ts'
import { compilePrints } from '../../../src/inspect/diff/print-lines.ts'
import { cases } from '../../depth.ts'

const contract = contracts['v4/product']
const fields = chooseFields(contract.fields, {})
const print = compilePrints(fields.ignored)
const comparison = compileComparison(contract, fields)
const toPrint = (line: string) => [...print(Buffer.from(line))].join()
const wrap = (record: string, index: number) => `{"meta":{"total":9,"index":${index}},"result":${record}}`

function toLine(value: object, keys: readonly string[], isWrapped: boolean): string {
  const json = JSON.stringify(Object.fromEntries(keys.map((key) => [key, value[key as keyof typeof value]])))
  return isWrapped ? wrap(json, 7) : json
}

describe('prints of lines', () => {
  test('prints do not depend on the envelope, the line break, volatile fields and the time of the last change', () => {
    const start = '{"id":"M1","brands":[{"id":1,"meta":{"updatedAt":5}}]'
    const one = `${start},"meta":{"createdAt":1,"updatedAt":2,"embedUrl":"https://x.example.com/{a}\\"","publicPageUrl":"b"}}`
    const two = `${start},"meta":{"createdAt":1,"updatedAt":3000,"embedUrl":"https://x.example.com/c","publicPageUrl":null}}`
    const spaced = '{"meta": {"total": 9, "index": 3}, "result": '
    const same = [two, wrap(two, 1), wrap(two, 123456), `${wrap(two, 1)}\r`, `${spaced}${two}}  `]
    for (const line of same) expect(toPrint(line)).toBe(toPrint(two))
    // A brace in text is not looked into: such lines are parsed.
    expect(toPrint(one)).not.toBe(toPrint(two))
    expect(toPrint(one.replace('{a}', 'a'))).toBe(toPrint(two))
    expect(toPrint(two.replace('"updatedAt":5', '"updatedAt":6'))).not.toBe(toPrint(two))
    expect(toPrint(two.replace('"createdAt":1', '"createdAt":2'))).not.toBe(toPrint(two))
  })

  test('every line has a print, even blank ones and a last one without line break', () => {
    expect(print(Buffer.from('{"id":"a"}\n\n{"id":"a"}\n')).length).toBe(6)
    expect(print(Buffer.from('{"id":"a"}\n\n{"id":"b"}')).length).toBe(6)
    expect(print(Buffer.from(''))).toHaveLength(0)
  })

  test('records with equal prints have equal values in every compared field', () => {
    const time = fc.constantFrom(1, 2)
    const text = fc.constantFrom('a', 'b', '}', '{', '","meta":{', '"updatedAt":1,', '\\', '\\"updatedAt\\":2')
    const meta = fc.record({ createdAt: time, updatedAt: time, embedUrl: text, other: text }, { requiredKeys: [] })
    const nested = fc.oneof(meta, fc.record({ meta }), fc.record({ a: text, meta }))
    const record = fc.record(
      { id: fc.constant('M1'), x: nested, meta: fc.oneof(meta, nested), y: text },
      { requiredKeys: ['id'] },
    )
    const order = fc.shuffledSubarray(['x', 'meta', 'y', 'id'], { minLength: 4 })
    // The second is the first one with another member.
    const pair = fc
      .tuple(record, order, fc.constantFrom('x', 'meta', 'y'), record, fc.boolean(), fc.boolean())
      .map(([value, keys, name, other, isWrapped, isOtherWrapped]) => {
        const next = { ...value, [name]: other[name as keyof typeof other] }
        return [toLine(value, keys, isWrapped), toLine(next, keys, isOtherWrapped)] as const
      })
    let same = 0
    fc.assert(
      fc.property(pair, ([one, two]) => {
        if (toPrint(one) !== toPrint(two)) return
        same += Number(one !== two)
        expect(comparison.compare(Buffer.from(one), Buffer.from(two))).toEqual([])
      }),
      { numRuns: cases(200_000, 5000) },
    )
    expect(same).toBeGreaterThan(100)
  })
})
