import { describe, expect, test } from 'vitest'
import { checkText, checkValue } from './check-text.ts'

const head = 'name: x\nsource: { files: data.ndjson, contract: v4/product }\n'
const columns = (column: string) => checkText(`${head}tables: { p: { columns: [{ ${column} }] } }`)

describe('money as a decimal or a float', () => {
  test.each([
    [
      "from: publicPrice, as: 'decimal(12,2)'",
      '3:26 "publicPrice" is money, and nothing says what the delivered number counts: expected unit: cents (2536 becomes 25.36) or unit: units (2536 becomes 2536.00), got no unit',
    ],
    [
      'from: pharmacistPrice, as: float',
      '3:26 "pharmacistPrice" is money, and nothing says what the delivered number counts: expected unit: cents (2536 becomes 25.36) or unit: units (2536 becomes 2536), got no unit',
    ],
    [
      "from: publicPrice, as: 'decimal(5,0)'",
      '3:26 "publicPrice" is money, and nothing says what the delivered number counts: expected unit: cents (2536 is rejected, as decimal(5,0) has no room for it) or unit: units (2536 becomes 2536), got no unit',
    ],
    ["from: publicPrice, as: 'decimal(12,2)', unit: euros", '3:74 expected one of units, cents, got text "euros"'],
    [
      "from: publicPrice, as: 'decimal(12,2)', unti: cents",
      '3:68 unknown key "unti", expected one of column, from, count, has, compute, type, version, locale, fallback, as, unit, timezone, where, label; did you mean "unit"?',
    ],
  ])('money as a decimal or a float needs a unit: %s', (column, problem) => {
    expect(columns(column)).toEqual([problem])
  })

  test.each([
    "from: publicPrice, as: 'decimal(12,2)', unit: cents",
    'from: publicPrice, as: float, unit: units',
    'from: publicPrice',
    'from: publicPrice, as: text',
    "from: vat, as: 'decimal(5,2)'",
  ])('a column with a correct where has no problem: %s', (column) => {
    expect(columns(column)).toEqual([])
  })
})

test('the plan has a unit exactly for money columns', () => {
  const config = {
    name: 'x',
    source: { files: 'a', contract: 'v4/product' },
    tables: {
      p: {
        columns: [
          'publicPrice',
          { column: 'text', from: 'publicPrice', as: 'text' },
          { column: 'cents', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
          { column: 'units', from: 'publicPrice', as: 'float', unit: 'units' },
          { column: 'flag', from: 'publicPrice', as: 'boolean' },
          { column: 'vat', from: 'vat', as: 'decimal(5,2)', unit: 'cents' },
        ],
      },
    },
  }
  const [table] = checkValue(config).plan?.records.tables ?? []
  expect(table?.columns.map(({ name, unit }) => [name, unit])).toEqual([
    ['public_price', 'delivered'],
    ['text', 'delivered'],
    ['cents', 'cents'],
    ['units', 'units'],
    ['flag', undefined],
    ['vat', undefined],
  ])
})
