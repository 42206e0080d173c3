import { z } from 'zod'

/*
 * The profile of a run, `_profile.json` beside the manifest. The JSON Schema in docs/ is made from it; objects may get more
 * members, so readers skip what they don't know.
 */

const count = z.int().nonnegative()
const value = z.union([z.string(), z.number(), z.boolean()])

const measured = z.union([z.string(), z.number()])
const quantile = (share: string) =>
  measured.describe(`the least value that at least ${share} of the values don't exceed`)

const quantiles = z.object({
  p05: quantile('5 %'),
  p25: quantile('25 %'),
  p50: quantile('50 %'),
  p75: quantile('75 %'),
  p95: quantile('95 %'),
})

const histogram = z.object({
  bounds: z.array(measured).min(2).max(25).describe('ascending, as NDJSON writes values of the column'),
  counts: z
    .array(count)
    .min(1)
    .max(24)
    .describe('values from each bound to below the next, the last up to its bound included; one less than bounds'),
})

const columnProfile = z.object({
  name: z.string(),
  type: z.string().describe('as in the manifest'),
  unit: z.enum(['delivered', 'cents', 'units']).optional().describe('for money, as in the manifest'),
  filled: count.describe('rows with a value; the share is filled / rows'),
  min: value
    .nullish()
    .describe(
      'as NDJSON writes it, of a list the least of its elements; whole numbers beyond 2^53 as text, texts cut after 256 bytes; null without a value, absent for json columns',
    ),
  max: value.nullish().describe('as NDJSON writes it, of a list the greatest of its elements; else as min'),
  longest: count
    .optional()
    .describe('characters (Unicode code points) of the longest text; text columns with a value only'),
  distinct: count
    .optional()
    .describe(
      'number of distinct values; in the profile of a run absent where there are more than 100, or one is longer than 64 bytes',
    ),
  frequent: z
    .array(z.object({ value, count: count }))
    .max(10)
    .optional()
    .describe('the most frequent values, by count, then by value, texts cut as min; absent without distinct'),
  mean: z
    .number()
    .optional()
    .describe(
      'of columns of numbers: the exact sum of the values by their number, to four decimals more than the column has (floats are added as whole millionths); absent without a value, or if one has more than 18 digits',
    ),
  quantiles: quantiles
    .optional()
    .describe(
      'of columns of numbers, timestamps and dates with a value, as NDJSON writes them; exact in a deep profile, and if the column has at most 100 distinct values. In the profile of a run with more, numbers are cut (of their first three digits to an even one, from 200 on to a multiple of 5, from 500 on of 10), less than 2.5 % below the value, floats as whole millionths, and times at the beginning of their UTC day; numbers of more than 18 digits and times before 1970 or from 2100 on count as min or max',
    ),
  histogram: histogram
    .optional()
    .describe(
      'of the same columns as quantiles, with exact counts, but for the same numbers and times: in steps of 1, 2 or 5 times a power of ten, of times of a day, a month, a quarter, or 1, 2 or 5 times a power of ten years, in UTC. What is far from the middle 90 % is in one first or last part, which begins at min or ends at max',
    ),
})

const tableProfile = z.object({ name: z.string(), rows: count, columns: z.array(columnProfile) })

const localizedProfile = z.object({
  table: z.string(),
  field: z.string().describe('the path of the field: name'),
  locales: z
    .array(z.object({ locale: z.string(), filled: count, column: z.string().optional() }))
    .describe('the configured locales, by their columns'),
  fallbacks: z
    .array(z.object({ column: z.string(), locale: z.string(), taken: count }))
    .describe(
      'for columns with fallback, but for lists: how often each locale gave the value; other is any that is not named',
    ),
})

const partOfRecords = { rows: count, filled: z.array(count).describe('rows with a value, in the order of columns') }

const coverageProfile = z.object({
  by: z.string().describe('the path of the field that groups the records: status'),
  columns: z
    .array(
      z.object({
        label: z.string(),
        from: z.string().describe('the path of the field; of several any of which counts, all, joined by commas'),
      }),
    )
    .describe('what records should have: names, a price, a packshot, codes'),
  groups: z
    .array(z.object({ value: z.string().nullable().describe('null: records without one'), ...partOfRecords }))
    .max(8)
    .describe('the largest groups, by rows'),
  others: z
    .object({ groups: count, ...partOfRecords })
    .optional()
    .describe('all smaller groups together'),
})

const listLengths = z.object({
  table: z.string(),
  path: z.string().describe('the path of the list: photos[]'),
  counts: z
    .array(count)
    .max(11)
    .describe('rows with no element, one, two and so on; the last number is of that many or more, at most of ten'),
})

export const runProfileSchema = z
  .object({
    version: z.literal(1),
    pipeline: z.string(),
    runId: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('the run that published it, as in the manifest'),
    tables: z.array(tableProfile),
    localized: z.array(localizedProfile),
    coverage: z
      .array(coverageProfile)
      .optional()
      .describe(
        'how many records of each status, and with report.examples of each brand, have what they should; absent with more than 100 statuses, and more than 10,000 brands, whose names are cut after 1,024 bytes',
      ),
    listLengths: z
      .array(listLengths)
      .optional()
      .describe('how long the lists of records are; absent with more than 100 lengths'),
  })
  .meta({ description: 'The profile of the rows that a run encoded; the same for any number of workers.' })

/** @public a part of the file that is published */
export type RunProfile = z.output<typeof runProfileSchema>
/** @public a part of the file that is published */
export type TableProfile = z.output<typeof tableProfile>
/** @public a part of the file that is published */
export type ColumnProfile = z.output<typeof columnProfile>
/** @public a part of the file that is published */
export type HistogramProfile = z.output<typeof histogram>
/** @public a part of the file that is published */
export type QuantileProfile = z.output<typeof quantiles>
/** @public a part of the file that is published */
export type LocalizedProfile = z.output<typeof localizedProfile>
/** @public a part of the file that is published */
export type CoverageProfile = z.output<typeof coverageProfile>
/** @public a part of the file that is published */
export type ListLengths = z.output<typeof listLengths>
/** @public a part of the file that is published */
export type ProfileValue = z.output<typeof value>

export function toProfileJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(runProfileSchema, { io: 'input' }), title: 'catalogue-etl: _profile.json' }
}
