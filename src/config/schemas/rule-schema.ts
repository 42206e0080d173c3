import { z } from 'zod'
import { wholeNumber } from './number-shapes.ts'
import { leastFilled } from './selection-schema.ts'

/** Rules whose values are known beforehand; see `plan-preset.ts`. */
const presets = ['vat_rates', 'plausible_prices', 'price_ratio'] as const

/** The countries whose VAT rates are known. */
export const vatCountries = ['BE', 'DE', 'FR', 'LU', 'NL'] as const

const bound = z.union([z.string(), z.number()])
const allowed = z.union([z.string(), z.number(), z.boolean()])
const listed = z.union([allowed, z.array(allowed).min(1)])

const tests = ['from', 'until', 'in', 'not', 'matches', 'unique', 'filled'] as const

/** The members of a rule that are about a column. */
export const columnTests = [...tests, 'to'] as const

export const rule = z
  .strictObject({
    table: z.string().optional().describe('The table; by default that of the records'),
    column: z.string().optional().describe('A column of the table, or the field path that it is made from'),
    preset: z
      .enum(presets)
      .optional()
      .describe(
        'A rule with values of its own, which other members replace: vat_rates (of vat: the rates of country), plausible_prices (of publicPrice: from one cent until 10,000 euros), price_ratio (the median of publicPrice is at most factor times greater or smaller than in the last run)',
      ),
    country: z.enum(vatCountries).optional().describe('With preset: vat_rates, whose rates; by default BE'),
    factor: z
      .number()
      .refine((value) => value > 1, 'a number above 1')
      .meta({ exclusiveMinimum: 1 })
      .optional()
      .describe('With preset: price_ratio, how many times greater or smaller the median may be; by default 10'),
    from: bound.optional().describe('The least value, included: a number, a time or a day, which is the whole day'),
    until: bound.optional().describe('The greatest value, included; a day is the whole day'),
    to: bound.optional().describe('The former name of until'),
    in: listed.optional().describe('The value, or values, that may come'),
    not: listed.optional().describe('The value, or values, that must not come'),
    matches: z.string().optional().describe('A regular expression that every value must match'),
    unique: z.literal(true).optional().describe('Each value comes once'),
    filled: leastFilled
      .optional()
      .describe('How many rows have a value, at least: a share such as 95% or 0.95, or a count such as "95 rows"'),
    rows: z
      .strictObject({
        from: wholeNumber(0).optional().describe('At least as many'),
        until: wholeNumber(0).optional().describe('At most as many'),
        to: wholeNumber(0).optional().describe('The former name of until'),
      })
      .optional()
      .describe('How many rows the table has, at least and at most'),
    severity: z
      .enum(['warn', 'error'])
      .default('warn')
      .describe('error: a run that breaks the rule publishes nothing; warn: it is published and reported'),
  })
  .refine(
    (entry) =>
      entry.preset !== undefined ||
      (entry.column === undefined && entry.rows !== undefined) ||
      columnTests.some((key) => entry[key] !== undefined),
    {
      error: `${tests.join(', ')} of a column, rows of a table, or a preset`,
      // A misspelt key may be the one that is missing.
      when: ({ issues }) => issues.length === 0,
    },
  )
