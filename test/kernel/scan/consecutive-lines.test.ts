import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import { compareScan } from './compare-scan.ts'
import { defaultPlan, scanPlans } from './scan-plans.ts'

/** The kinds of lines of a stream: most follow the one before, others break the sequence in every way. */
const kinds = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('next' as const, 'next', 'next', 'next', 'repeat', 'fallback') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'gap',
      'repeat',
      'otherTotal',
      'noTotal',
      'bare',
      'zero',
      'fraction',
      'huge',
      'drift',
      'newDrift',
      'longDrift',
      'locale',
      'fallback',
      'blank',
      'noUtf8',
      'escapedId',
      'longId',
      'numberId',
    ),
  },
)
type Kind = typeof kinds extends fc.Arbitrary<infer Each> ? Each : never

test('the fast path gives what the reference path gives for lines in any order and of any kind', () => {
  const compares = [defaultPlan('v4/product'), scanPlans[0]!.plan].map((plan) => compareScan(plan, 1_000_000))
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 60 }), (lines) => {
      for (const compare of compares) expect(compare(writeLines(lines)).lines).toBe(lines.length)
    }),
    { numRuns: cases(600) },
  )
})

test('the fast path decodes a line with the same index as the fallback line before it', () => {
  const compare = compareScan(defaultPlan('v4/product'), 1_000_000)
  expect(compare(writeLines(['next', 'fallback', 'repeat', 'next']))).toEqual({ lines: 4, fallbackLines: 1 })
})

test('the fast path decodes a stream whose ids need more than their region', () => {
  const compare = compareScan(defaultPlan('v4/product'), 10_000_000)
  const lines = Array.from({ length: 3_000 }, (_, index) =>
    toLine({ index, total: 3_000 }, { id: `${index}`.padEnd(90) }),
  )
  expect(compare(lines.join(''))).toEqual({ lines: 3_000, fallbackLines: 0 })
})

test('the fast path decodes lines with more kinds of drift than a block remembers', () => {
  const compare = compareScan(defaultPlan('v4/product'), 10_000_000)
  const lines = Array.from({ length: 300 }, (_, index) =>
    toLine({ index, total: 300 }, { id: 'M', status: `s${index % 150}`, [`f${index % 40}`]: 1 }),
  )
  expect(compare(lines.join(''))).toEqual({ lines: 300, fallbackLines: 0 })
  expect(compare(lines.toReversed().join(''))).toEqual({ lines: 300, fallbackLines: 0 })
})

function writeLines(kindsOfLines: readonly Kind[]): Buffer {
  let [index, total] = [0, 100]
  return Buffer.concat(
    kindsOfLines.map((kind, line) => {
      if (kind === 'gap') index += 3
      if (kind === 'repeat') index -= 1
      if (kind === 'zero') index = 0
      if (kind === 'huge') index = 999_999_999_999_990
      if (kind === 'otherTotal') total += 1
      const at = kind === 'fraction' ? index + 0.5 : index
      const meta = kind === 'noTotal' ? { index: at } : { total, index: at }
      index += 1
      return Buffer.from(toText(kind, line, meta), kind === 'noUtf8' ? 'latin1' : 'utf8')
    }),
  )
}

function toText(kind: Kind, line: number, meta: object): string {
  switch (kind) {
    case 'bare':
      return toLine(null, { id: line })
    case 'drift':
      return toLine(meta, { id: line, status: 'odd', unknown: 1, name: { xx: 'a' }, seoName: { xx: 'a', yy: 'b' } })
    case 'newDrift':
      return toLine(meta, { id: line, status: `odd ${line}`, [`unknown ${line}`]: 1, name: { [`x${line}`]: 'a' } })
    case 'longDrift':
      return toLine(meta, { id: line, status: 'o'.repeat(51 + (line % 4)) })
    case 'locale':
      return toLine(meta, { id: line, name: { nl: 'a', de: 'b', de_AT: 'c' } })
    case 'fallback':
      return toLine(meta, { id: line, vat: 'none' })
    case 'blank':
      return ' \n'
    case 'noUtf8':
      return toLine(meta, { id: line, name: { nl: 'é' } })
    case 'escapedId':
      return toLine(meta, { id: `a"\n${line}` })
    case 'longId':
      return toLine(meta, { id: `é${'x'.repeat(30_000 + line)}` })
    case 'numberId':
      return toLine(meta, { id: line * 7 })
    default:
      return toLine(meta, { id: `M${line}`, name: { nl: 'naam' } })
  }
}

function toLine(meta: object | null, result: object): string {
  return `${JSON.stringify(meta === null ? result : { meta, result })}\n`
}
