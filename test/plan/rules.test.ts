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
      'expected from, to, in, not, matches, unique, filled of a column, or rows of a table, got an object',
    ],
    ['{ from: 3 }', 'missing key "column", expected the column that from is about, got nothing'],
    [
      '{ column: cnk, rows: { from: 1 } }',
      'expected from, to, in, not, matches, unique, filled of a column, or rows of a table, got an object',
    ],
    [
      '{ column: cnk, fromm: 1 }',
      'unknown key "fromm", expected one of table, column, from, to, in, not, matches, unique, filled, rows, severity; did you mean "from"?',
    ],
    ['{ rows: {} }', 'rule: expected from, to or both, got neither'],
    ['{ rows: { from: 3, to: 2 } }', 'rule: expected from before to, got from 3 to 2'],
    [
      '{ table: product_photo, rows: { from: 1 } }',
      'unknown table "product_photo", expected one of products, product_photos; did you mean "product_photos"?',
    ],
    ['{ column: cnk, filled: 120% }', 'expected a count such as 10 or a share such as 1%, got text "120%"'],
    [
      '{ colum: cnk, unique: true }',
      'unknown key "colum", expected one of table, column, from, to, in, not, matches, unique, filled, rows, severity; did you mean "column"?',
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

  test('rules shape no output: the hash of the config is the same without', () => {
    const config = { name: 'products', source: { files: 'a.ndjson', contract: 'v4/product' } } as const
    const ruled = planPipeline({ ...config, expect: [{ column: 'publicPrice', from: 1, filled: '95%' }] })
    expect(ruled.rules.map(({ test: { kind }, expected }) => [kind, expected])).toEqual([
      ['range', 'at least 1'],
      ['filled', 'at least 95% filled'],
    ])
    expect(ruled.configHash).toBe(planPipeline(config).configHash)
  })
})
