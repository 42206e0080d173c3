import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDrift, countDuplicateKey, createDriftCounter, emptyDrift } from '../../src/records/drift.ts'
import { cases } from '../depth.ts'
import { planRecords, processAll } from './plan-records.ts'
import type { Drift } from '../../src/manifest/manifest.ts'

const plan = planRecords({ tables: { products: { columns: ['id'] } } })

describe('drift', () => {
  test('drift counts names and values that have a meaning in JavaScript like any other', () => {
    const odd = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '']
    const records = odd.map((name) => JSON.stringify({ id: 'M1', [name]: 1, status: name, name: { [name]: 'x' } }))
    const drift = count(`${records.join('\n')}\n{"id":"M2","status":"__proto__"}\n{"id":"M3","status":"__proto__"}\n`)
    const once = new Map(odd.map((name) => [name, 1]))
    expect(new Map(Object.entries(drift.unknownFields))).toEqual(once)
    expect(new Map(Object.entries(drift.unknownValues['status'] ?? {}))).toEqual(new Map([...once, ['__proto__', 2]]))
    expect(new Map(Object.entries(drift.otherLocales))).toEqual(once)
  })

  test('drift counts the first hundred values apart and the others together', () => {
    const lines = Array.from({ length: 250 }, (_, at) => `{"id":"M${at}","status":"state ${at % 125}"}\n`)
    const values = count(lines.join('')).unknownValues['status'] ?? {}
    expect(Object.keys(values)).toHaveLength(101)
    expect(values).toMatchObject({ 'state 0': 2, 'state 99': 2, '(other values)': 50 })
  })

  test('drift counts a thousand names apart and the others together, in any order within a block', () => {
    const blocks = Array.from({ length: 4 }, (_, block) =>
      Array.from({ length: 400 }, (__, at) => `f${block * 300 + at}`),
    )
    const [there, back] = [emptyDrift(), emptyDrift()]
    for (const names of blocks) {
      addDrift(there, driftOf(names))
      addDrift(back, driftOf(names.toReversed()))
    }
    for (const [counts, rest] of [
      [there.unknownFields, '(other fields)'],
      [there.otherLocales, '(other locales)'],
      [there.duplicateKeys, '(other keys)'],
    ] as const) {
      expect(Object.keys(counts)).toHaveLength(1_001)
      expect(counts).toMatchObject({ f0: 1, f300: 2, [rest]: 300 })
      expect(sum(counts)).toBe(1_600)
    }
    expect(back).toEqual(there)
  })

  test('drift of several blocks is the sum of theirs', () => {
    const event = fc.oneof(
      fc.tuple(fc.constant('field'), fc.constantFrom('a', 'b', '__proto__')),
      fc.tuple(fc.constant('locale'), fc.constantFrom('de', 'pt')),
      fc.tuple(
        fc.constant('value'),
        fc.integer({ min: 0, max: 300 }).map((number) => `v${number}`),
      ),
    )
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 200 }), { maxLength: 4 }), (blocks) => {
        const all = emptyDrift()
        for (const block of blocks) {
          const own = emptyDrift()
          const counter = createDriftCounter(own)
          for (const [kind, name] of block) {
            if (kind === 'field') counter.unknownField(name)
            else if (kind === 'locale') counter.otherLocale(name)
            else counter.unknownValue('status', name)
          }
          addDrift(all, structuredClone(own))
        }
        const events = blocks.flat()
        const countOf = (kind: string): number => events.filter(([each]) => each === kind).length
        expect(sum(all.unknownFields)).toBe(countOf('field'))
        expect(sum(all.otherLocales)).toBe(countOf('locale'))
        expect(sum(all.unknownValues['status'] ?? {})).toBe(countOf('value'))
      }),
      { numRuns: cases(100) },
    )
  })
})

function driftOf(names: readonly string[]): Drift {
  const drift = emptyDrift()
  const counter = createDriftCounter(drift)
  for (const name of names) {
    counter.unknownField(name)
    counter.otherLocale(name)
    countDuplicateKey(drift, name)
  }
  return drift
}

function count(input: string): Drift {
  const drift = emptyDrift()
  for (const outcome of processAll(plan, input)) addDrift(drift, outcome.drift)
  return drift
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, times) => total + times, 0)
}
