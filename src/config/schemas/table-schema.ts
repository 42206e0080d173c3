import { z } from 'zod'
import { builtinNames } from '../../records/flatten/table-plan.ts'
import { plainKinds } from '../../types/column-types.ts'
import { ownFunction } from './own-function.ts'
import { columnType, fallback, label, locale, where } from './selection-schema.ts'

const origins = ['from', 'count', 'has', 'compute'] as const

const namedColumn = z
  .strictObject({
    column: z.string().optional().describe('The name; by default the path in snake case'),
    from: z
      .string()
      .optional()
      .describe('A field path such as brands[0].name or activeIngredients[].id; $ is the whole record'),
    count: z
      .string()
      .optional()
      .describe('In place of from, the path of a list such as photos[]: how many elements there are'),
    has: z
      .string()
      .optional()
      .describe('In place of from, a field path such as publicPrice or photos[]: whether there is a value'),
    compute: ownFunction
      .optional()
      .describe(
        'In place of from, a function of your own that makes the value of the record, and in a table with each of the element: (record, element) => value; from YAML { use: ./steps.ts#margin }',
      ),
    type: columnType
      .optional()
      .describe(`With compute, the type of the column: ${plainKinds.join(', ')} or decimal(12,2)`),
    version: z
      .string()
      .min(1)
      .optional()
      .describe('With compute, the version of the function: another one makes another config, whose runs start anew'),
    locale: locale
      .optional()
      .describe('One locale of a localized field; or of a list, such as photos, the element that suits it'),
    fallback: fallback.optional(),
    as: columnType.optional().describe(`${plainKinds.join(', ')} or decimal(12,2)`),
    unit: z
      .enum(['units', 'cents'])
      .optional()
      .describe('The unit of a whole-number amount; money as decimal or float needs it'),
    timezone: z
      .string()
      .optional()
      .describe('With as: date, the time zone of the day; by default that of the pipeline'),
    where: where
      .optional()
      .describe(
        'Conditions that an element of the list in the path must meet; with locale the column is one of those elements',
      ),
    label,
  })
  .refine((entry) => origins.filter((key) => entry[key] !== undefined).length === 1, {
    error: 'exactly one of from, count, has and compute',
    // A misspelt key may be the one that is missing.
    when: ({ issues }) => issues.length === 0,
  })

const column = z.union([z.string().describe('A field path; or `all`'), namedColumn])

export const table = z.strictObject({
  builtin: z
    .enum(builtinNames)
    .optional()
    .describe(
      'A table that is computed over all records, with columns of its own: codes has a row for each code of a product, duplicates one for each product of a group that is likely one, price_periods one for each period of a price in a history; it stands alone',
    ),
  each: z
    .string()
    .optional()
    .describe('One row for each element of this list: photos[], photos[].organizations[], ean[]'),
  columns: z
    .union([z.literal('all'), z.array(column).min(1)])
    .default('all')
    .describe(
      'The columns in their order: field paths, or objects that name and convert; the word all, alone or in the list, is every field',
    ),
  exclude: z
    .array(z.string())
    .default([])
    .describe(
      'Field paths to leave out, or the words deprecated and volatile; a column that names an excluded path stays',
    ),
  where: where.default({}).describe('Conditions that an element of the list in each must meet; others are counted'),
})

export type ColumnConfig = z.output<typeof column>
