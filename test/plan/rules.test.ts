import { describe, expect, test } from 'vitest'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { checkText } from './check-text.ts'

const head = `name: products
source: { files: products.ndjson, contract: v4/product }
tables:
  products: { columns: [id, cnk, name, publicPrice, ean, meta.updatedAt, { column: raw, from: $, as: json }] }
  product_photos: { each: 'photos[]' }
expect:
`

/** The problems of rules, without their lines. */
function check(...rules: string[]): string[] {
  const found = checkText(head + rules.map((rule) => `  - ${rule}\n`).join(''))
  return found.map((line) => line.replace(/^\d+:\d+ /, ''))
}

describe('the check of rules', () => {
  test.each([
    [
      '{ column: publicPrize, from: 1 }',
      'rule: expected a column of products, got "publicPrize"; did you mean "public_price"?',
    ],
    ['{ column: name, filled: 95% }', 'rule: expected a column of products, got "name"; did you mean "name_nl"?'],
    [
      '{ column: photoType, in: [x] }',
      'rule: expected a column of products, got "photoType"; product_photos has it: add table: product_photos',
    ],
    ['{ column: name_nl, from: 1 }', 'rule: expected a column of numbers, dates or times for from, got name_nl, text'],
    ['{ column: raw, unique: true }', 'rule: expected a column of single values for unique, got raw, json'],
    ['{ column: ean, unique: true }', 'rule: expected a column of single values for unique, got ean, text list'],
    ['{ column: publicPrice, matches: x }', 'rule: expected a column of text for matches, got public_price, integer'],
    ["{ column: cnk, matches: '(' }", 'rule: expected a regular expression, got text "("'],
    ['{ column: cnk, in: [123] }', 'rule: expected text in quotes, got number 123'],
    ['{ column: publicPrice, from: 1.5 }', 'rule: expected a whole number, got number 1.5'],
    ['{ column: publicPrice, from: 2, to: 1 }', 'rule: expected from before to, got from 2 to 1'],
    [
      '{ column: meta_updated_at, from: 2026-13-01 }',
      'rule: expected a date such as 2026-01-01 or a date and time such as 2026-01-01T08:00:00Z, got text "2026-13-01"',
    ],
    [
      '{ column: cnk }',
      'expected from, until, to, in, not, matches, unique, filled of a column, or rows of a table, got an object',
    ],
    ['{ from: 3 }', 'missing key "column", expected the column that from is about, got nothing'],
    [
      '{ column: cnk, rows: { from: 1 } }',
      'expected from, until, to, in, not, matches, unique, filled of a column, or rows of a table, got an object',
    ],
    [
      '{ column: cnk, fromm: 1 }',
      'unknown key "fromm", expected one of table, column, from, until, to, in, not, matches, unique, filled, rows, severity; did you mean "from"?',
    ],
    ['{ rows: {} }', 'rule: expected from, until or both, got neither'],
    ['{ rows: { from: 3, until: 2 } }', 'rule: expected from before until, got from 3 until 2'],
    ['{ rows: { until: 3, to: 2 } }', 'rule: expected until alone, got it beside to, which means the same'],
    ['{ column: publicPrice, from: 2, until: 1 }', 'rule: expected from before until, got from 2 until 1'],
    ['{ column: publicPrice, until: 2, to: 2 }', 'rule: expected until alone, got it beside to, which means the same'],
    ['{ rows: { from: 3, to: 2 } }', 'rule: expected from before to, got from 3 to 2'],
    [
      '{ table: product_photo, rows: { from: 1 } }',
      'unknown table "product_photo", expected one of products, product_photos; did you mean "product_photos"?',
    ],
    [
      '{ column: cnk, filled: 120% }',
      'expected a share such as 95% or 0.95, or a count such as "95 rows", got text "120%"',
    ],
    ['{ column: cnk, filled: 95 }', 'expected 95% for a share, or "95 rows" for a count, got number 95'],
    ['{ column: cnk, filled: 1 }', 'expected 1% for a share, or "1 row" for a count, got number 1'],
    [
      '{ column: cnk, filled: 99.5 }',
      'expected a share such as 95% or 0.95, or a count such as "95 rows", got number 99.5',
    ],
    [
      '{ colum: cnk, unique: true }',
      'unknown key "colum", expected one of table, column, from, until, to, in, not, matches, unique, filled, rows, severity; did you mean "column"?',
    ],
  ])('%s is refused', (rule, problem) => {
    expect(check(rule)).toEqual([problem])
  })

  test('all mistakes are listed at once, each at its place', () => {
    expect(checkText(`${head}  - { column: nope, from: 1 }\n  - { column: cnk, in: [1, 2] }\n`)).toEqual([
      '7:15 rule: expected a column of products, got "nope"',
      '8:25 rule: expected text in quotes, got number 1',
      '8:28 rule: expected text in quotes, got number 2',
    ])
  })

  test.each([
    ['95%', { kind: 'share', percent: 95 }],
    [0.95, { kind: 'share', percent: 95 }],
    [0.07, { kind: 'share', percent: 7 }],
    ['95 rows', { kind: 'count', count: 95 }],
    ['1 row', { kind: 'count', count: 1 }],
    [101, { kind: 'count', count: 101 }],
    ['20000', { kind: 'count', count: 20_000 }],
  ] as const)('filled takes a share with % or below 1, and a count with rows or above 100: %s', (filled, least) => {
    const source = { files: 'a.ndjson', contract: 'v4/product' } as const
    const {
      limits: { rules },
    } = planPipeline({ name: 'products', source, expect: [{ column: 'cnk', filled }] })
    expect(rules.map((rule) => rule.test)).toEqual([{ kind: 'filled', least }])
  })

  test('rules shape no output: the hash of the config is the same without', () => {
    const config = { name: 'products', source: { files: 'a.ndjson', contract: 'v4/product' } } as const
    const ruled = planPipeline({ ...config, expect: [{ column: 'publicPrice', from: 1, filled: '95%' }] })
    expect(ruled.limits.rules.map(({ test: { kind }, expected }) => [kind, expected])).toEqual([
      ['range', 'at least 1'],
      ['filled', 'at least 95% filled'],
    ])
    expect(ruled.outputs.configHash).toBe(planPipeline(config).outputs.configHash)
  })
})
