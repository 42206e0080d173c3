import { describe, expect, test } from 'vitest'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { compareScan } from '../scan/compare-scan.ts'
import { loadPlan } from '../scan/scan-plans.ts'
import { planRecords, processAll } from './plan-records.ts'

describe('a locale that is delivered as "*"', () => {
  const columns = [
    'id',
    'name',
    { column: 'title', from: 'name', locale: 'nl', fallback: ['fr' as const] },
    { column: 'any', from: 'name', locale: 'nl', fallback: 'spec' as const },
  ]
  const plan = planRecords({ locales: ['nl'], tables: { products: { columns } } })

  test('is another locale, counted as such, and fills no column of a configured one', () => {
    const { rows, drift } = processOne(plan, '{"id":"A","name":{"*":"everywhere"}}')
    expect(rows).toEqual([['A', null, null, 'everywhere']])
    expect({ ...drift.otherLocales }).toEqual({ '*': 1 })
  })

  test('is told apart from text without a locale and from keys that look like its own', () => {
    expect(processOne(plan, '{"id":"A","name":"plain"}').rows).toEqual([['A', 'plain', 'plain', 'plain']])
    const { drift } = processOne(plan, String.raw`{"id":"A","name":{"*":"a","\\*":"b","\\\\*":"c","nl":"d","de*":"e"}}`)
    expect({ ...drift.otherLocales }).toEqual({ '*': 1, '\\*': 1, '\\\\*': 1, 'de*': 1 })
  })

  test('is the same to the walk of bytes', () => {
    for (const name of ['{"*":"a"}', '{"nl":"b","*":"a"}', String.raw`{"\\*":"a"}`, '{"*":null}', '{"a*":"b"}']) {
      const line = `{"id":"A","name":${name}}\n`
      expect(compareScan(plan)(line).lines).toBe(1)
      expect(compareScan(loadPlan('v4/product', 'left'))(line).lines).toBe(1)
    }
  })
})

describe('several codes in one field', () => {
  const plan = planRecords({ tables: { products: { columns: ['id', 'gtin'] } } })

  test.each([
    ['[1,"a|b"]', String.raw`1|a\|b`],
    [String.raw`["a\\","b"]`, String.raw`a\\|b`],
    ['["a|b"]', String.raw`a\|b`],
    ['"a|b"', 'a|b'],
    ['["x","y"]', 'x|y'],
  ])('%s is joined with the escape that the elements of a list have', (delivered, cell) => {
    const line = `{"id":"A","gtin":${delivered}}`
    expect(processOne(plan, line).rows).toEqual([['A', cell]])
    expect(compareScan(plan)(`${line}\n`).lines).toBe(1)
    expect(compareScan(loadPlan('v4/product', 'left'))(`${line}\n`).lines).toBe(1)
  })
})

function processOne(plan: Parameters<typeof processAll>[0], line: string) {
  const [{ rows, drift }] = processAll(plan, `${line}\n`) as [BlockOutcome]
  return { rows: rows[0], drift }
}
