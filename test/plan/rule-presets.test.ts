import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { checkText } from './check-text.ts'

let folder: RunFolder
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

type Rule = NonNullable<PipelineConfig['expect']>[number]

const price = { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' } as const

function planRule(rule: Rule) {
  const source = { files: 'in.ndjson', contract: 'v4/product' } as const
  const tables = { products: { columns: ['id', 'vat', 'publicPrice', 'pharmacistPrice', price] } }
  return planPipeline({ name: 'shop', source, tables, expect: [rule] }).limits.rules
}

test.each<[preset: Rule, ordinary: Rule]>([
  [{ preset: 'vat_rates' }, { column: 'vat', in: [0, 6, 12, 21] }],
  [
    { preset: 'vat_rates', country: 'FR', severity: 'error' },
    { column: 'vat', in: [2.1, 5.5, 10, 20], severity: 'error' },
  ],
  [
    { preset: 'vat_rates', in: [6, 21] },
    { column: 'vat', in: [6, 21] },
  ],
  [{ preset: 'plausible_prices' }, { column: 'publicPrice', from: 1, until: 1_000_000 }],
  [
    { preset: 'plausible_prices', column: 'price' },
    { column: 'price', from: 0.01, until: 10_000 },
  ],
  [
    { preset: 'plausible_prices', column: 'pharmacistPrice', until: 500 },
    { column: 'pharmacistPrice', from: 1, until: 500 },
  ],
])('the preset %o is planned as the rule %o', (preset, ordinary) => {
  expect(planRule(preset)).toEqual(planRule(ordinary))
})

test.each([
  [
    '{ preset: vat_rate }',
    '5:15 expected one of vat_rates, plausible_prices, price_ratio, got text "vat_rate"; did you mean "vat_rates"?',
  ],
  ['{ preset: vat_rates, country: BEL }', /^5:35 expected one of BE, DE, FR, LU, NL, got text "BEL"/],
  ['{ preset: plausible_prices, country: BE }', '5:42 country: expected only with preset: vat_rates, got BE'],
  ['{ preset: vat_rates, factor: 2 }', '5:34 factor: expected only with preset: price_ratio, got 2'],
  ['{ preset: price_ratio, factor: 1 }', '5:36 expected a number above 1, got number 1'],
  ['{ preset: price_ratio, column: id }', '5:36 rule: expected a column of numbers for price_ratio, got id, text'],
  ['{ preset: vat_rates, rows: { from: 1 } }', /rows: expected a rule of its own, got it beside preset: vat_rates$/],
])('check refuses the preset %s', (rule, message) => {
  const text = `name: shop\nsource: { files: in.ndjson, contract: v4/product }\ntables: { products: { columns: [id, vat, publicPrice] } }\nexpect:\n  - ${rule}\n`
  expect(checkText(text).join('\n')).toMatch(message)
})

test.each(['profile', 'runs'])('check refuses price_ratio without %s, which it compares', (key) => {
  const text = `name: shop\nsource: { files: in.ndjson, contract: v4/product }\nexpect: [{ preset: price_ratio }]\n${key}: false\n`
  expect(checkText(text)).toEqual([
    `4:${key.length + 3} expected true, as preset: price_ratio compares a run with the profile of the last one, got false`,
  ])
})

test('a run counts what breaks presets as a few lines of JavaScript do', async () => {
  const rates = [0, 6, 12, 21, 2100, 20, 5.5, null, 19]
  const prices = [820, 0, -5, 1, 1_000_000, 1_000_001, null]
  const products = Array.from({ length: 500 }, (_, at) => {
    return { id: `P${at}`, vat: rates[at % rates.length] ?? null, publicPrice: prices[at % prices.length] ?? null }
  })
  const lines = products.map((result, index) => JSON.stringify({ meta: { total: 500, index }, result }))
  await folder.write('input.ndjson', lines.join('\n'))
  const { rules } = await folder.run({
    tables: { products: { columns: ['id', 'vat', 'publicPrice', price] } },
    expect: [
      { preset: 'vat_rates' },
      { preset: 'vat_rates', country: 'DE' },
      { preset: 'plausible_prices' },
      { preset: 'plausible_prices', column: 'price' },
    ],
  })
  const countRates = (lawful: number[]) => products.filter(({ vat }) => vat !== null && !lawful.includes(vat)).length
  const odd = products.filter(({ publicPrice: each }) => each !== null && (each < 1 || each > 1_000_000)).length
  const counted = rules?.map(({ rule, result, count }) => [rule, result, count])
  expect(counted).toEqual([
    ['in', 'broken', countRates([0, 6, 12, 21])],
    ['in', 'broken', countRates([0, 7, 19])],
    ['range', 'broken', odd],
    ['range', 'broken', odd],
  ])
})
