import { describe, expect, test } from 'vitest'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { parseConfigText } from '../../src/config/config-document.ts'
import { checkText, checkValue } from './check-text.ts'

const head = `name: products
source: { files: products.ndjson, contract: v4/product }
tables:
  products: { columns: [id, cnk, name, publicPrice, ean, meta.updatedAt, { column: raw, from: $, as: json }] }
  product_photos: { each: 'photos[]' }
expect:
`

const january = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2026, 0, 2) - 1 }

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
    ['{ column: name_nl, from: 1 }', 'rule: expected a number, date or time for a range, got name_nl, text'],
    ['{ column: raw, unique: true }', 'rule: expected a column of single values for unique, got raw, json'],
    ['{ column: ean, unique: true }', 'rule: expected a column of single values for unique, got ean, text list'],
    ['{ column: publicPrice, matches: x }', 'rule: expected a column of text for matches, got public_price, integer'],
    ["{ column: cnk, matches: '(' }", 'rule: expected a regular expression, got text "("'],
    ['{ column: name_nl, in: [true] }', 'rule: expected text in quotes, got true'],
    ['{ column: publicPrice, from: 1.5 }', 'rule: expected a whole number, got number 1.5'],
    ['{ column: publicPrice, from: 2, to: 1 }', 'rule: expected from before until, got from 2 until 1'],
    [
      '{ column: meta_updated_at, from: 2026-13-01 }',
      'rule: expected unix seconds, a date such as 2026-01-01 or a date and time such as 2026-01-01T08:00:00Z, got text "2026-13-01"',
    ],
    [
      '{ column: cnk }',
      'expected from, until, in, not, matches, unique, filled of a column, rows of a table, or a preset, got an object',
    ],
    ['{ from: 3 }', 'missing key "column", expected the column that from is about, got nothing'],
    [
      '{ column: cnk, rows: { from: 1 } }',
      'expected from, until, in, not, matches, unique, filled of a column, rows of a table, or a preset, got an object',
    ],
    [
      '{ column: cnk, fromm: 1 }',
      'unknown key "fromm", expected one of table, column, preset, country, factor, from, until, to, in, not, matches, unique, filled, rows, severity; did you mean "from"?',
    ],
    ['{ rows: {} }', 'rule: expected from, until or both, got neither'],
    ['{ rows: { from: 3, until: 2 } }', 'rule: expected from before until, got from 3 until 2'],
    ['{ rows: { until: 3, to: 2 } }', 'rule: expected until alone, got it beside to, which means the same'],
    ['{ column: publicPrice, from: 2, until: 1 }', 'rule: expected from before until, got from 2 until 1'],
    ['{ column: publicPrice, until: 2, to: 2 }', 'rule: expected until alone, got it beside to, which means the same'],
    ['{ rows: { from: 3, to: 2 } }', 'rule: expected from before until, got from 3 until 2'],
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
      'unknown key "colum", expected one of table, column, preset, country, factor, from, until, to, in, not, matches, unique, filled, rows, severity; did you mean "column"?',
    ],
  ])('%s is refused', (rule, problem) => {
    expect(check(rule)).toEqual([problem])
  })

  test('all mistakes are listed at once, each at its place', () => {
    expect(checkText(`${head}  - { column: nope, from: 1 }\n  - { column: cnk, in: [true, false] }\n`)).toEqual([
      '7:15 rule: expected a column of products, got "nope"',
      '8:25 rule: expected text in quotes, got true',
      '8:31 rule: expected text in quotes, got false',
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

  test('`to` is accepted for `until`, with a note at its place', () => {
    const { value, locate } = parseConfigText(
      'config.yaml',
      `${head}  - { column: publicPrice, from: 1, to: 5, rows: { to: 9 } }\n`,
    )
    const { notes, plan } = checkValue(value)
    expect(notes.map(locate).map(({ line, column, message }) => [line, column, message])).toEqual([
      [7, 37, 'rule: `to` is now `until`'],
      [7, 52, 'rule: `to` is now `until`'],
    ])
    const renamed = checkValue(JSON.parse(JSON.stringify(value).replaceAll('"to":', '"until":')))
    expect(renamed.notes).toEqual([])
    expect(renamed.plan).toEqual(plan)
    expect(plan?.limits.rules.map((rule) => rule.expected)).toEqual(['1 to 5', 'at most 9 rows'])
  })

  test.each([
    [
      { column: 'meta_updated_at', from: 1_767_225_600 },
      { kind: 'range', from: 1_767_225_600_000, until: null },
    ],
    [
      { column: 'meta_updated_at', in: '2026-01-01' },
      { kind: 'in', values: [], ranges: [january] },
    ],
    [
      { column: 'cnk', not: 17 },
      { kind: 'not', values: ['0000017'] },
    ],
    [
      { column: 'cnk', not: ['none', ''] },
      { kind: 'not', values: ['none', ''] },
    ],
    [
      { column: 'publicPrice', in: ['9007199254740993'] },
      { kind: 'in', values: [9_007_199_254_740_993n] },
    ],
  ])(
    'values of rules are written like those of conditions, but may be any text or beyond 2^53: %j',
    (rule, planned) => {
      const source = { files: 'a.ndjson', contract: 'v4/product' } as const
      const { rules } = planPipeline({ name: 'products', source, expect: [rule] }).limits
      expect(rules.map((each) => each.test)).toEqual([planned])
    },
  )

  test('rules do not change the config hash, as they shape no output', () => {
    const config = { name: 'products', source: { files: 'a.ndjson', contract: 'v4/product' } } as const
    const ruled = planPipeline({ ...config, expect: [{ column: 'publicPrice', from: 1, filled: '95%' }] })
    expect(ruled.limits.rules.map(({ test: { kind }, expected }) => [kind, expected])).toEqual([
      ['range', 'at least 1'],
      ['filled', 'at least 95% filled'],
    ])
    expect(ruled.outputs.configHash).toBe(planPipeline(config).outputs.configHash)
  })
})
