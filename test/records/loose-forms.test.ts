import { describe, expect, test } from 'vitest'
import { contractNames } from '../../src/contracts/contracts.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases, someOf } from '../depth.ts'
import { compareScan } from '../kernel/scan/compare-scan.ts'
import { loadPlan } from '../kernel/scan/scan-plans.ts'
import { planRecords, processAll } from './plan-records.ts'

const contactInformation = (member: string) => `"organizations":[{"id":1,"contactInformation":${member}}]`

describe('a value in another form than the documented one', () => {
  test.each([
    ['publicPrice', '"publicPrice":"820"', 820],
    ['publicPrice', '"publicPrice":"-5"', -5],
    ['publicPrice', '"publicPrice":"9223372036854775807"', 9223372036854775807n],
    ['vat', '"vat":"10.20"', 10.2],
    ['meta.updatedAt', '"meta":{"updatedAt":"1330556400"}', 1_330_556_400_000],
    ['brands[0].id', '"brands":[{"id":"5"}]', 5],
    ['packageContent', '"packageContent":30', '30'],
    ['packageContent', '"packageContent":1.50', '1.5'],
    ['organizations[0].contactInformation.zipCode', contactInformation('{"zipCode":1000}'), '1000'],
    [
      'organizations[0].contactInformation.region',
      contactInformation('{"region":{"value":"n","label":"North"}}'),
      'North',
    ],
    ['organizations[0].contactInformation.region', contactInformation('{"region":{"value":"n","label":null}}'), 'n'],
    ['organizations[0].contactInformation.region', contactInformation('{"region":{}}'), null],
    ['organizations[0].contactInformation.region', contactInformation('{"region":"North"}'), 'North'],
    ['organizations[0].contactInformation.region', contactInformation('[]'), null],
    ['meta.updatedAt', '"meta":[]', null],
    ['weightWithUnit.value', '"weightWithUnit":[]', null],
    ['weightWithUnit.value', '"weightWithUnit":{"value":"10.2"}', 10.2],
    ['endOfCommercializationData.status', '"endOfCommercializationData":[]', null],
    ['brands[0].id', '"brands":[[]]', null],
    ['photos[0].formats.large', '"photos":[{"formats":[]}]', null],
    ['photos[0].displayOrder', '"photos":[{"displayOrder":"3"}]', 3],
  ])(
    'a value in another form than the documented one has one canonical form: %s, delivered as %s',
    (from, json, cell) => {
      const plan = planRecords({ tables: { products: { columns: [{ column: 'cell', from }] } } })
      const line = `{"id":"A",${json}}\n`
      const [outcome] = processAll(plan, line) as [BlockOutcome]
      expect(outcome.rejects).toEqual([])
      expect(outcome.rows[0]).toEqual([[cell]])
      compareScan(plan)(line)
      compareScan(loadPlan('v4/product', 'filtered'))(line)
    },
  )

  test('a number by locale, or in place of localized text, is its digits', () => {
    const plan = planRecords({ locales: ['nl'], tables: { products: { columns: ['name', 'seoName'] } } })
    const line = '{"id":"A","name":{"nl":4711},"seoName":501}\n'
    expect(processAll(plan, line)[0]?.rows[0]).toEqual([['4711', '501']])
    compareScan(plan)(line)
  })

  test('a v3 description whose content is text has it as html, by locale and without', () => {
    const columns = [{ from: 'descriptions[].content.html', column: 'html', locale: 'nl' }]
    const plan = planRecords({ locales: ['nl'], tables: { products: { columns } } }, 'v3/product')
    for (const content of ['{"nl":"<p>a</p>"}', '"<p>a</p>"', '{"nl":{"html":"<p>a</p>"}}']) {
      const line = `{"id":"A","descriptions":[{"id":1,"content":${content}}]}\n`
      expect(processAll(plan, line)[0]?.rows[0]).toEqual([[['<p>a</p>']]])
      compareScan(plan)(line)
    }
  })

  test('a news item has the text of its content, localized or plain', () => {
    const contents = { each: 'content[]', columns: ['text'] }
    const plan = planRecords({ locales: ['nl'], tables: { contents } }, 'v4/news-item')
    const line = '{"id":1,"content":[{"locales":["nl"],"text":{"nl":"a"}},{"text":"b"},{"text":[]}]}\n'
    expect(processAll(plan, line)[0]?.rows[0]?.map((row) => row.at(-1))).toEqual(['a', 'b', null])
    compareScan(plan)(line)
  })

  test.each([
    '"publicPrice":"05"',
    '"publicPrice":" 5"',
    '"publicPrice":"+5"',
    '"publicPrice":"5.0"',
    '"publicPrice":"9223372036854775808"',
    '"vat":"1e3"',
    '"vat":".5"',
    '"vat":"six"',
    '"meta":{"updatedAt":"yesterday"}',
    '"meta":{"updatedAt":"253402300800"}',
    '"packageContent":true',
    '"packageContent":{}',
    '"name":true',
    contactInformation('{"region":{"label":true}}'),
    contactInformation('{"region":["North"]}'),
    contactInformation('["North"]'),
  ])('a value that is no plain number or text is rejected: %s', (json) => {
    const plan = planRecords({})
    const line = `{"id":"A",${json}}\n`
    expect(processAll(plan, line)[0]?.rejects).toHaveLength(1)
    compareScan(plan)(line)
  })
})

test.each([
  ['"publicPrice":820', '"publicPrice":"820"'],
  ['"vat":10.2', '"vat":"10.20"'],
  ['"meta":{"createdAt":1330556400}', '"meta":{"createdAt":"1330556400"}'],
  ['"packageContent":"30"', '"packageContent":30'],
  ['"brands":[{"id":5}]', '"brands":[{"id":"5"}]'],
  ['"ean":["5412345678908"]', '"ean":5412345678908'],
  [contactInformation('{"region":"North"}'), contactInformation('{"region":{"value":"n","label":"North"}}')],
  ['"weightWithUnit":null', '"weightWithUnit":[]'],
])('the content of a record is the same in either form, so that a load sees no change: %s, %s', (documented, loose) => {
  const plan = loadPlan('v4/product', 'filtered')
  const [first, second] = [documented, loose].map((json) => {
    const line = `{"id":"A",${json}}\n`
    expect(compareScan(plan)(line).lines).toBe(1)
    return processAll(plan, line)[0]?.rows.at(-1)
  })
  expect(first).toHaveLength(1)
  expect(second).toEqual(first)
})

test.each(someOf(contractNames, 'v4/product', 'v3/organization', 'raw'))(
  'records of %s in the loose dialect meet their contract, but for the wrong values among products',
  (contract) => {
    const records = cases(700, 200)
    const lines = Buffer.concat([...generateLines({ contract, records, seed: 3, dialect: 'loose' })])
    const outcomes = processAll(planRecords({}, contract), lines)
    const rejects = outcomes.flatMap((outcome) => outcome.rejects)
    const issues = rejects.flatMap((reject) => reject.issues.map(({ path }) => path))
    const isWrong =
      /^(?:weight|officialDeletionAt|photos|publicPrice|vat|prescription|supplyProblems|weightWithUnit\.value|publicCategories|meta\.createdAt)$/
    expect(issues.filter((path) => !isWrong.test(path))).toEqual([])
  },
)
