import { describe, expect, test } from 'vitest'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { compareScan } from '../kernel/scan/compare-scan.ts'
import { loadPlan } from '../kernel/scan/scan-plans.ts'
import { planRecords, processAll } from './plan-records.ts'

describe('a locale that is delivered as "*"', () => {
  const columns = [
    'id',
    'name',
    { column: 'title', from: 'name', locale: 'nl', fallback: ['fr' as const] },
    { column: 'any', from: 'name', locale: 'nl', fallback: 'spec' as const },
  ]
  const plan = planRecords({ locales: ['nl'], tables: { products: { columns } } })

  test('a locale that is delivered as "*" is another locale, counted as such, and fills no column of a configured one', () => {
    const { rows, drift } = processOne(plan, '{"id":"A","name":{"*":"everywhere"}}')
    expect(rows).toEqual([['A', null, null, 'everywhere']])
    expect({ ...drift.otherLocales }).toEqual({ '*': 1 })
  })

  test('a locale that is delivered as "*" is kept apart from text without a locale and from keys that look like its own', () => {
    expect(processOne(plan, '{"id":"A","name":"plain"}').rows).toEqual([['A', 'plain', 'plain', 'plain']])
    const { drift } = processOne(plan, String.raw`{"id":"A","name":{"*":"a","\\*":"b","\\\\*":"c","nl":"d","de*":"e"}}`)
    expect({ ...drift.otherLocales }).toEqual({ '*': 1, '\\*': 1, '\\\\*': 1, 'de*': 1 })
  })

  test('a locale that is delivered as "*" is the same on the fast path', () => {
    for (const name of ['{"*":"a"}', '{"nl":"b","*":"a"}', String.raw`{"\\*":"a"}`, '{"*":null}', '{"a*":"b"}']) {
      const line = `{"id":"A","name":${name}}\n`
      expect(compareScan(plan)(line).lines).toBe(1)
      expect(compareScan(loadPlan('v4/product', 'filtered'))(line).lines).toBe(1)
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
  ])(
    'several codes in one field, %s, are joined with the escape that the elements of a list have',
    (delivered, cell) => {
      const line = `{"id":"A","gtin":${delivered}}`
      expect(processOne(plan, line).rows).toEqual([['A', cell]])
      expect(compareScan(plan)(`${line}\n`).lines).toBe(1)
      expect(compareScan(loadPlan('v4/product', 'filtered'))(`${line}\n`).lines).toBe(1)
    },
  )
})

describe('a code of another form than its contract says', () => {
  const plan = planRecords({ tables: { products: { columns: ['id', 'eanGtin13', 'cnk'] } } })

  test.each([
    ['"ABC"', { ABC: 1 }],
    ['54123456789081', { '54123456789081': 1 }],
    ['"541234567890"', undefined],
    ['5412345678908', undefined],
    ['""', undefined],
    ['null', undefined],
    ['[]', undefined],
    ['-5', { '-5': 1 }],
    ['["ABC",5412345678908,"x|y","1 2",""]', { ABC: 1, 'x|y': 1, '1 2': 1 }],
    [String.raw`"a\\b"`, { ab: 1 }],
    ['"1|ABC"', { '1': 1, ABC: 1 }],
  ])('a code of another form than its contract says is kept and counted with its text: %s', (delivered, expected) => {
    const line = `{"id":"A","eanGtin13":${delivered}}`
    const { drift } = processOne(plan, line)
    expect(drift.oddCodes).toEqual(expected === undefined ? {} : { eanGtin13: expected })
    expect(compareScan(plan)(`${line}\n${line}\n`).lines).toBe(2)
  })

  test('a code of another form than its contract says is counted apart from others up to a hundred', () => {
    const lines = Array.from({ length: 120 }, (_, at) => `{"id":"M${at}","cnk":"odd ${at}"}\n`)
    const [{ drift }] = processAll(plan, lines.join('')) as [BlockOutcome]
    expect(drift.oddCodes['cnk']).toMatchObject({ 'odd 0': 1, '(other values)': 20 })
  })
})

describe('a null among the elements of a list', () => {
  const plan = planRecords({
    tables: {
      products: { columns: ['id', 'ean'] },
      photos: { each: 'photos[]', columns: ['displayOrder', 'locales'] },
    },
  })

  test('a null among the elements of a list is counted, whether it is kept in a list cell or gives no row', () => {
    const line = '{"id":"A","ean":[null,"5",[],null],"photos":[null,{"displayOrder":1,"locales":["nl",null]},null]}'
    const { drift } = processOne(plan, line)
    expect(drift.nullElements).toEqual({ 'ean[]': 3, 'photos[]': 2, 'photos[].locales[]': 1 })
    const [{ rows }] = processAll(plan, `${line}\n`) as [BlockOutcome]
    expect(rows[1]?.map(([id, position]) => [id, position])).toEqual([['A', 2]])
    expect(compareScan(plan)(`${line}\n${line}\n`)).toEqual({ lines: 2, fallbackLines: 0 })
  })
})

function processOne(plan: Parameters<typeof processAll>[0], line: string) {
  const [{ rows, drift }] = processAll(plan, `${line}\n`) as [BlockOutcome]
  return { rows: rows[0], drift }
}
