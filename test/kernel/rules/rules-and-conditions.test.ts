import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConditionConfig, PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { createEncoding } from '../../../src/kernel/encode/encode-block.ts'
import { toProfiledEncoding } from '../../../src/engine/run/run-task.ts'
import { contracts } from '../../../src/contracts/contracts.ts'
import { planConditions } from '../../../src/plan/conditions/plan-conditions.ts'
import { toRoot } from '../../../src/plan/records/plan-tables.ts'
import { compileConditions } from '../../../src/records/conditions/match-conditions.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { cases } from '../../depth.ts'

const timezone = 'Europe/Brussels'

/** Around the bounds of a day of 25 hours, on which clocks go back in Brussels. */
const time = fc.constantFrom(
  ...[
    '2025-10-25T21:59:59Z',
    '2025-10-25T22:00:00Z',
    '2025-10-26T00:30:00Z',
    '2025-10-26T22:59:59Z',
    '2025-10-26T23:00:00Z',
  ].map((text) => Date.parse(text) / 1000),
)
const amount = fc.constantFrom(-5, 0, 99, 100, 101, 9950)

const record = fc.record(
  {
    status: fc.constantFrom('active', 'inactive', 'odd', '', 'é😀', null),
    cnk: fc.constantFrom('0000001', '0000012', '', null),
    gtin: fc.constantFrom('00000017', '17', '0000000000017', '4006381333931', null),
    ean: fc.option(fc.array(fc.constantFrom('00000017', '17', '4006381333931', null), { maxLength: 3 })),
    publicPrice: fc.option(amount),
    vat: fc.constantFrom(0, 0.5, 6, 21.25, null),
    prescription: fc.constantFrom(true, false, null),
    meta: fc.record({ updatedAt: fc.option(time) }),
  },
  { requiredKeys: [] },
)

type Written = string | number | boolean

interface Rule {
  /** The test of the rule, and the condition that asks the same of the field. */
  readonly test: { from?: Written; until?: Written; in?: Written | Written[]; not?: Written | Written[] }
  readonly condition: ConditionConfig
}

/** Tests as a rule writes them, and as a condition does. `toField` makes what a field holds of a value of the column. */
function tests<Value extends Written>(
  value: fc.Arbitrary<Value>,
  { isOrdered = false, toField = (each: Value): Written => each } = {},
): fc.Arbitrary<Rule> {
  const some = fc.array(value, { minLength: 1, maxLength: 3 })
  const listed = [
    value.map((each) => ({ test: { in: each }, condition: toField(each) })),
    some.map((all) => ({ test: { in: all }, condition: all.map(toField) })),
    fc.oneof(value, some).map((not) => {
      return { test: { not }, condition: { not: Array.isArray(not) ? not.map(toField) : toField(not) } }
    }),
  ]
  const ranges = fc
    .record({ from: value, until: value }, { requiredKeys: [] })
    .filter(
      ({ from, until }) =>
        (from ?? until) !== undefined && !(from !== undefined && until !== undefined && from > until),
    )
    .map((range) => {
      const entries = Object.entries(range).map(([key, bound]) => [key, toField(bound)] as const)
      return { test: range, condition: Object.fromEntries(entries) }
    })
  return fc.oneof(...listed, ...(isOrdered ? [ranges, ranges, ranges] : []))
}

const days = fc.constantFrom('2025-10-24', '2025-10-25', '2025-10-26', '2025-10-27')
const moments = fc.constantFrom('2025-10-26T00:30:00Z', '2025-10-26T02:30:00+01:00', '2025-10-27T08:00:00Z')
const onList: fc.Arbitrary<Rule> = fc
  .constantFrom('17', '00000017', '4006381333931')
  .map((not) => ({ test: { not }, condition: { not } }))

/** By column: its field, and tests of it. */
const columns: Readonly<Record<string, readonly [field: string, rules: fc.Arbitrary<Rule>]>> = {
  status: ['status', tests(fc.constantFrom('active', 'inactive', 'odd', '', 'é😀'))],
  cnk: ['cnk', tests<string | number>(fc.constantFrom('1', '0000001', '0000-012', 12, ''))],
  gtin: ['gtin', tests(fc.constantFrom('17', '00000017', '4006381333931'))],
  ean: ['ean', onList],
  public_price: ['publicPrice', tests(amount, { isOrdered: true })],
  price_eur: [
    'publicPrice',
    tests(
      amount.map((cents) => cents / 100),
      { isOrdered: true, toField: (units) => Math.round(units * 100) },
    ),
  ],
  vat: ['vat', tests(fc.constantFrom(0, 0.5, 6, 21.25), { isOrdered: true })],
  prescription: ['prescription', tests(fc.boolean())],
  meta_updated_at: [
    'meta.updatedAt',
    fc.oneof(tests(days, { isOrdered: true }), tests(moments, { isOrdered: true }), tests(time, { isOrdered: true })),
  ],
  updated_on: ['meta.updatedAt', tests(days, { isOrdered: true })],
}

const ruled = fc
  .constantFrom(...Object.keys(columns))
  .chain((column) => (columns[column]?.[1] ?? fc.constant(null)).map((rule) => ({ column, rule: rule as Rule })))

test('a rule of `expect` flags the rows that the same condition of `where` leaves out, but those without a value, on both paths', async () => {
  const inputs = [
    fc.array(ruled, { minLength: 20, maxLength: 30 }),
    fc.array(record, { minLength: 20, maxLength: 40 }),
  ] as const
  await fc.assert(
    fc.asyncProperty(...inputs, async (asked, records) => {
      const expected = asked.map(({ column, rule: { condition } }) =>
        listFailing(columns[column]?.[0] ?? '', condition, records),
      )
      const rules = asked.map(({ column, rule }) => ({ column, ...rule.test })) as Rules
      for (const isFast of [true, false]) expect(await listFlagged(isFast, records, rules)).toEqual(expected)
    }),
    { numRuns: cases(60, 5) },
  )
})

/** The ids of the records with a value that fails a condition. */
function listFailing(field: string, condition: ConditionConfig, records: readonly object[]): string[] {
  const where = { any: [{ [field]: condition }, { [field]: null }] }
  const { conditions, problems } = planConditions(where, toRoot(contracts['v4/product']), ['where'], timezone)
  expect(problems).toEqual([])
  const findFailing = compileConditions(conditions)
  return records.flatMap((each, at) => (findFailing(each, new Set()) < 0 ? [] : [`P${at}`]))
}

/** The ids of the records that break each rule. */
async function listFlagged(isFast: boolean, records: readonly object[], rules: Rules): Promise<(string | null)[][]> {
  const lines = records
    .map((each, at) => `${JSON.stringify({ id: `P${at}`, ...each })}\n`)
    .join('')
    .replaceAll(/"vat":0(?=[,}])/g, '"vat":-0')
  const plan = planPipeline({
    name: 'products',
    timezone,
    source: { files: 'none', contract: 'v4/product' },
    tables: { products: { columns: ruledColumns } },
    expect: rules,
  })
  const encoding = toProfiledEncoding({ records: plan.records, files: [] }, plan)
  const { encodeBlock } = await createEncoding({ ...encoding, scan: isFast ? compileScan(encoding.records) : null })
  const block = { bytes: Buffer.from(lines), byteOffset: 0, droppedBytes: 0, unterminated: false }
  const { broken } = await encodeBlock(block)
  return rules.map((_, at) => [...new Set(broken.filter(({ rule }) => rule === at).map(({ id }) => id))])
}

type Rules = NonNullable<PipelineConfig['expect']>

const ruledColumns: NonNullable<NonNullable<PipelineConfig['tables']>[string]['columns']> = [
  'id',
  'status',
  'cnk',
  'gtin',
  'ean',
  'publicPrice',
  { column: 'price_eur', from: 'publicPrice', as: 'decimal(22,2)', unit: 'cents' },
  'vat',
  'prescription',
  'meta.updatedAt',
  { column: 'updated_on', from: 'meta.updatedAt', as: 'date' },
]
