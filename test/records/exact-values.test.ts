import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Column, Row } from '../../src/records/flatten/column.ts'
import type { RecordPlan } from '../../src/records/process-block.ts'
import { createCsvEncoder, defaultCsvDialect } from '../../src/formats/csv.ts'
import { cases } from '../depth.ts'
import { planRecords, processAll } from './plan-records.ts'

const lowest = -(2n ** 63n)
const highest = 2n ** 63n - 1n
/** Whole numbers with as many near every power of two as elsewhere, far beyond 64 bits too. */
const wholeNumber = fc.oneof(
  fc.bigInt({ min: lowest, max: highest }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.tuple(fc.nat({ max: 70 }), fc.bigInt({ min: -3n, max: 3n })).map(([power, by]) => 2n ** BigInt(power) + by),
  fc.tuple(fc.nat({ max: 70 }), fc.bigInt({ min: -3n, max: 3n })).map(([power, by]) => -(2n ** BigInt(power)) + by),
)

function planColumn(column: object): RecordPlan {
  return planRecords({ tables: { products: { columns: [column] } } })
}

/** The one cell that `"field": json` gives, as CSV writes it; null where the line is rejected. */
function readCell(plan: RecordPlan, field: string, json: string): string | null {
  const [outcome] = processAll(plan, `{"id":"M1","${field}":${json}}\n`)
  const rows = outcome?.rows[0] as Row[]
  if (rows.length === 0) return null
  const text = Buffer.from(createCsvEncoder(plan.tables[0]?.columns as readonly Column[], defaultCsvDialect)(rows))
  return text.toString().slice(0, -1)
}

test.each(['text', 'decimal(38,0)', 'json'])(
  'a number in a float field as %s has the digits that were delivered, or is rejected',
  (as) => {
    const plan = planColumn({ column: 'vat', from: 'vat', as })
    const kept = ['9007199254740994', '21', '0.5', '20000000000000000000']
    const numbers = as === 'decimal(38,0)' ? kept.filter((number) => !number.includes('.')) : kept
    for (const number of numbers) expect(readCell(plan, 'vat', number)).toBe(number)
    for (const number of ['9223372036854775808', '-18446744073709551616', '147573952589676412928']) {
      expect(readCell(plan, 'vat', number)).toBe(null)
    }
  },
)

test('the reject of a whole number beyond 2^53 says that its digits are not written out', () => {
  const plan = planColumn({ from: 'publicPrice' })
  const [outcome] = processAll(plan, '{"id":"M1","publicPrice":1e16}\n')
  expect(outcome?.rejects[0]?.issues[0]?.message).toBe(
    'expected an amount as a whole number of at most 64 bits, got number 10000000000000000 (beyond 2^53 every digit has to be written out)',
  )
})

describe('a whole number', () => {
  test('a whole number of 64 bits comes out digit for digit, and any other is rejected', () => {
    const plan = planColumn({ from: 'publicPrice' })
    fc.assert(
      fc.property(wholeNumber, (number) => {
        const isFitting = number >= lowest && number <= highest
        expect(readCell(plan, 'publicPrice', String(number))).toBe(isFitting ? String(number) : null)
      }),
      { numRuns: cases(1000) },
    )
  })

  test('a whole number comes out digit for digit from a list, from a code, from JSON, and beside others', () => {
    const plans = {
      ids: planColumn({ from: 'brands[].id' }),
      code: planColumn({ from: 'supplierReference' }),
      looseText: planColumn({ from: 'packageQuantity' }),
      json: planColumn({ from: '$', as: 'json' }),
    }
    fc.assert(
      fc.property(fc.bigInt({ min: lowest, max: highest }), (number) => {
        expect(readCell(plans.ids, 'brands', `[{"id":1},{"id":${number}}]`)).toBe(`1|${number}`)
        expect(readCell(plans.code, 'supplierReference', String(number))).toBe(String(number))
        expect(readCell(plans.looseText, 'packageQuantity', String(number))).toBe(String(number))
        expect(readCell(plans.json, 'unknown', `{"deep":[${number}]}`)).toBe(
          `"{""id"":""M1"",""unknown"":{""deep"":[${number}]}}"`,
        )
      }),
      { numRuns: cases(300) },
    )
  })

  test('a whole number as a decimal of cents has its two digits after the point', () => {
    const plan = planColumn({ from: 'publicPrice', as: 'decimal(19,2)', unit: 'cents' })
    fc.assert(
      fc.property(fc.bigInt({ min: lowest, max: highest }), (cents) => {
        const sign = cents < 0n ? '-' : ''
        const digits = String(cents).replace('-', '').padStart(3, '0')
        expect(readCell(plan, 'publicPrice', String(cents))).toBe(
          `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/^-0\.00$/, '0.00'),
        )
      }),
      { numRuns: cases(500) },
    )
  })

  test('a whole number as a float is exact or rejected', () => {
    const plan = planColumn({ from: 'publicPrice', as: 'float', unit: 'units' })
    fc.assert(
      fc.property(wholeNumber, (number) => {
        const cell = readCell(plan, 'publicPrice', String(number))
        const isExact = number >= lowest && number <= highest && BigInt(Number(number)) === number
        expect(cell === null ? null : BigInt(Number(cell))).toBe(isExact ? number : null)
      }),
      { numRuns: cases(500) },
    )
  })
})

test('a float of cents is the float that is nearest to the amount, and rejected where the cents are not exact', () => {
  const plan = planColumn({ from: 'publicPrice', as: 'float', unit: 'cents' })
  fc.assert(
    fc.property(wholeNumber, (cents) => {
      const cell = readCell(plan, 'publicPrice', String(cents))
      const isExact = cents >= lowest && cents <= highest && BigInt(Number(cents)) === cents
      const digits = String(cents).replace('-', '').padStart(3, '0')
      const amount = `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
      expect(cell === null ? null : Number(cell)).toBe(isExact ? Number(amount) : null)
    }),
    { numRuns: 500 },
  )
})

describe('a decimal in text', () => {
  const plan = planColumn({ from: 'packageContent', as: 'decimal(12,3)' })

  test('a decimal in text is exact, or rejected where digits would be lost', () => {
    const decimal = fc.tuple(
      fc.constantFrom('', '-', '+'),
      fc.bigInt({ min: 0n, max: 10n ** 11n }),
      fc.string({ unit: fc.constantFrom('0', '5'), maxLength: 6 }),
    )
    fc.assert(
      fc.property(decimal, ([sign, whole, fraction]) => {
        const text = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
        const kept = fraction.slice(0, 3).padEnd(3, '0')
        const isLost = /[^0]/.test(fraction.slice(3)) || whole >= 10n ** 9n
        const isZero = whole === 0n && kept === '000'
        const expected = isLost ? null : `${sign === '-' && !isZero ? '-' : ''}${whole}.${kept}`
        expect(readCell(plan, 'packageContent', JSON.stringify(text))).toBe(expected)
      }),
      { numRuns: cases(1000) },
    )
  })
})

describe('a date-time', () => {
  const firstSecond = new Date('0001-01-01T00:00:00Z').getTime() / 1000
  const lastSecond = new Date('9999-12-31T23:59:59Z').getTime() / 1000
  const second = fc.oneof(
    fc.integer({ min: firstSecond, max: lastSecond }),
    fc.integer({ min: firstSecond - 1000, max: firstSecond + 1000 }),
    fc.integer({ min: lastSecond - 1000, max: lastSecond + 1000 }),
    fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
  )

  test('a date-time in Unix seconds is the same in ISO 8601, and rejected outside the years 1 to 9999', () => {
    const plan = planColumn({ from: 'officialDeletionAt' })
    fc.assert(
      fc.property(second, (seconds) => {
        const isKnown = seconds >= firstSecond && seconds <= lastSecond
        const expected = isKnown ? new Date(seconds * 1000).toISOString().replace('.000', '') : null
        expect(readCell(plan, 'officialDeletionAt', String(seconds))).toBe(expected)
      }),
      { numRuns: cases(1000) },
    )
  })

  test('a date-time as a date is its day in UTC', () => {
    const plan = planColumn({ from: 'officialDeletionAt', as: 'date' })
    fc.assert(
      fc.property(fc.integer({ min: firstSecond, max: lastSecond }), (seconds) => {
        const expected = new Date(seconds * 1000).toISOString().slice(0, 10)
        expect(readCell(plan, 'officialDeletionAt', String(seconds))).toBe(expected)
      }),
      { numRuns: cases(500) },
    )
  })

  test.each(['1767225600.5', '1e20', '"1767225600.0"', '"2026-01-01T00:00:00Z"', 'true', '[]'])(
    'a date-time is in whole seconds: %s is rejected',
    (json) => {
      expect(readCell(planColumn({ from: 'officialDeletionAt' }), 'officialDeletionAt', json)).toBeNull()
    },
  )

  test('a date-time in ISO 8601 text stays the same, to the millisecond', () => {
    const plan = planColumn({ from: 'packageContent', as: 'timestamp' })
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        minutes,
        (moment, offset) => {
          const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1)
          const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((number) =>
            String(number).padStart(2, '0'),
          )
          const text = `${local}${offset < 0 ? '-' : '+'}${hours}:${rest}`
          const expected = moment.toISOString().replace('.000', '')
          expect(readCell(plan, 'packageContent', JSON.stringify(text))).toBe(expected)
        },
      ),
      { numRuns: cases(500) },
    )
  })

  test('a date-time in ISO 8601 text must be a day of the calendar', () => {
    const plan = planColumn({ from: 'packageContent', as: 'date' })
    fc.assert(
      fc.property(part(1, 9999, 4), part(0, 13, 2), part(0, 32, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`
        const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0)
        const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0
        const isDay = Number(day) >= 1 && Number(day) <= days
        expect(readCell(plan, 'packageContent', JSON.stringify(text))).toBe(isDay ? text : null)
      }),
      { numRuns: cases(1000) },
    )
  })
})

describe('a json column', () => {
  test.each(['0.1000000000000000055511151231257827', '1e400', '1e-400', '9'.repeat(500)])(
    'a json column keeps the digits of %s',
    (json) => {
      const plan = planColumn({ from: '$', as: 'json' })
      expect(readCell(plan, 'unknown', `[${json}]`)).toBe(`"{""id"":""M1"",""unknown"":[${json}]}"`)
    },
  )
})

describe('a float', () => {
  test('a float comes out as a number that reads back as the same', () => {
    const plan = planColumn({ from: 'vat' })
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const cell = readCell(plan, 'vat', JSON.stringify(number))
        expect(Number(cell)).toBe(number === 0 ? 0 : number)
      }),
      { numRuns: cases(500) },
    )
  })

  test('a float that lies in the middle between two numbers of 17 digits is delivered as either', () => {
    const plan = planColumn({ from: 'vat' })
    for (const json of ['1081128559118956.2', '1081128559118956.3', '-1081128559118956.2'])
      expect(Number(readCell(plan, 'vat', json))).toBe(Number(json))
    expect(readCell(plan, 'vat', '2000000000000000.4')).toBeNull()
  })

  test.each(['1e400', '-1e400', '9'.repeat(309), '1e-400', '9007199254740993', '"6 "', '"1e3"', 'true'])(
    'a float is finite and a number: %s is rejected',
    (json) => {
      expect(readCell(planColumn({ from: 'vat' }), 'vat', json)).toBeNull()
    },
  )
})

/** A part of a date, in as many digits. */
function part(min: number, max: number, length: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((number) => String(number).padStart(length, '0'))
}
