import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contractNames } from '../../src/contracts/contracts.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases, someOf } from '../depth.ts'
import { compareScan } from '../kernel/scan/compare-scan.ts'
import { createDraw, mutateLine } from '../kernel/scan/mutate-line.ts'
import { planRecords, processAll } from './plan-records.ts'

const contract = { invalidValues: null }
const wrongValues = cases(30_000)

describe('with contract.invalidValues: null a value of a wrong type', () => {
  const columns = [
    'id',
    'weight',
    { column: 'nl', from: 'name', locale: 'nl' },
    { column: 'updated', from: 'meta.updatedAt' },
    'atcCategory',
  ]
  const photos = { each: 'photos[]', columns: ['displayOrder', 'photoType'] }
  const plan = planRecords({ contract, locales: ['nl'], tables: { products: { columns }, photos } })

  test.each([
    ['"weight":10.5', ['A', null, null, null, null], { weight: { 'number 10.5': 1 } }],
    ['"weight":1e400', ['A', null, null, null, null], { weight: { 'number 1e400': 1 } }],
    ['"weight":12345678901234567890', ['A', null, null, null, null], { weight: { 'number 12345678901234567890': 1 } }],
    ['"weight":7,"name":{"nl":true,"fr":"b"}', ['A', 7, null, null, null], { 'name.nl': { true: 1 } }],
    ['"weight":7,"name":true', ['A', 7, null, null, null], { name: { true: 1 } }],
    [
      '"meta":{"updatedAt":"soon","createdAt":[]}',
      ['A', null, null, null, null],
      { 'meta.createdAt': { 'an empty list': 1 }, 'meta.updatedAt': { 'text "soon"': 1 } },
    ],
    ['"meta":7', ['A', null, null, null, null], { meta: { 'number 7': 1 } }],
    ['"atcCategory":["A",{},"B"]', ['A', null, null, null, ['A', null, 'B']], { 'atcCategory[]': { 'an object': 1 } }],
    ['"prescription":"maybe"', ['A', null, null, null, null], { prescription: { 'text "maybe"': 1 } }],
    ['"photos":"none"', ['A', null, null, null, null], { photos: { 'text "none"': 1 } }],
    ['"apbCategory":{"id":true}', ['A', null, null, null, null], { 'apbCategory[].id': { true: 1 } }],
    [
      '"productFamily":{"id":"x","name":{"nl":[1]}}',
      ['A', null, null, null, null],
      {
        'productFamily[].id': { 'text "x"': 1 },
        'productFamily[].name.nl': { 'a list of 1': 1 },
      },
    ],
  ])(
    'with contract.invalidValues: null a value of a wrong type is null and counted, and its record stays: %s',
    (json, row, counts) => {
      const line = `{"id":"A",${json}}\n`
      const [{ rows, drift, rejects }] = processAll(plan, line) as [BlockOutcome]
      expect(rejects).toEqual([])
      expect(rows[0]).toEqual([row])
      expect(drift.invalidValues).toEqual(counts)
      compareScan(plan)(line)
    },
  )

  test('with contract.invalidValues: null a value of a wrong type in an element of a list leaves the element its row', () => {
    const [{ rows }] = processAll(plan, '{"id":"A","photos":[{"displayOrder":"x","photoType":"packshot"},7]}\n') as [
      BlockOutcome,
    ]
    expect(rows[1]).toEqual([['A', 1, null, 'packshot']])
  })

  test('with contract.invalidValues: null a value of a wrong type is as it came in a column of the whole record', () => {
    const raw = planRecords({ contract, tables: { products: { columns: [{ column: 'raw', from: '$', as: 'json' }] } } })
    const line = '{"id":"A","weight":10.5,"big":12345678901234567890}\n'
    expect(processAll(raw, line)[0]?.rows[0]).toEqual([['{"id":"A","weight":10.5,"big":12345678901234567890}']])
  })

  test.each([
    '{"id":true,"weight":10.5}',
    '{"id":"","weight":"x"}',
    '{"weight":"x"}',
    '7',
    '{"id":1e400}',
    '{"id":"A"',
  ])('a wrong key, or no record at all, is rejected also with contract.invalidValues: null: %s', (text) => {
    const [{ rejects, drift }] = processAll(plan, `${text}\n`) as [BlockOutcome]
    expect(rejects).toHaveLength(1)
    expect(drift.invalidValues).toEqual({})
    compareScan(plan)(`${text}\n`)
  })

  test.each([
    ['elements of a list', { atcCategory: Array.from({ length: wrongValues }, () => ({})) }],
    ['locales', { name: Object.fromEntries(Array.from({ length: wrongValues }, (_, at) => [`l${at}`, true])) }],
  ])('with contract.invalidValues: null many wrong values in one line cost time in proportion: %s', (_, member) => {
    const [{ rejects, counts }] = processAll(plan, `${JSON.stringify({ id: 'A', ...member })}\n`) as [BlockOutcome]
    expect([rejects, counts.accepted]).toEqual([[], 1])
  })

  test('with contract.invalidValues: null a value that the contract does not list is still a reject where the config says so', () => {
    const strict = planRecords({ contract: { invalidValues: 'null', unknownValues: 'reject' } })
    const [{ rejects }] = processAll(strict, '{"id":"A","weight":"x","status":"sold"}\n') as [BlockOutcome]
    expect(rejects[0]?.issues.map(({ code }) => code)).toEqual(['unknown_value'])
  })
})

test.each(someOf(contractNames, 'v4/product', 'v3/organization'))(
  'with contract.invalidValues: null every record of %s stays that has a key, and both paths agree',
  (name) => {
    const plan = planRecords({ contract }, name)
    const compare = compareScan(plan)
    const text = Buffer.concat([
      ...generateLines({ contract: name, records: 12, seed: 9, dialect: 'loose' }),
    ]).toString()
    const lines = text.split('\n').slice(0, -1)
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 3 }), (seed, mutations) => {
        const draw = createDraw(seed)
        let line: Buffer = Buffer.from(lines[draw(lines.length)] ?? '')
        for (let times = 0; times < mutations && isObject(line); times++) line = mutateLine(line, draw)
        compare(Buffer.concat([line, Buffer.from('\n')]))
        const [outcome] = processAll(plan, Buffer.concat([line, Buffer.from('\n')])) as [BlockOutcome]
        const wrong = (outcome?.rejects ?? []).filter(({ issues }) =>
          issues.every(({ code }) => code === 'invalid_type'),
        )
        for (const { issues } of wrong) expect(issues.some(({ path }) => path === 'id' || path === '')).toBe(true)
      }),
      { numRuns: cases(60, 10) },
    )
  },
)

function isObject(line: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0
  } catch {
    return false
  }
}
