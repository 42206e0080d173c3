import { z } from 'zod'
import { plainKinds } from '../../types/column-types.ts'
import type { Conditions } from '../pipeline-config.ts'

/* Parts of the shape of a config that several sections have: conditions, fallbacks, limits, names of clients. */

/** The form of a locale code; `check` asks as well whether there is such a language. */
export const localeForm = /^[a-z]{2,3}(?:[_-][A-Za-z]{2})?$/

/** A part of a config that comes from the environment. */
export const variable = { type: 'string', pattern: String.raw`\$\{` } as const

/** Editors know the form; `check` says what is wrong with another. */
export const locale = z.string().meta({ anyOf: [{ type: 'string', pattern: localeForm.source }, variable] })

const labelText = z.string().regex(/^\S(?:[^\r\n\t]*\S)?$/, 'a text on one line, without spaces around it')

export const label = z
  .union([labelText, z.record(z.string(), labelText)])
  .optional()
  .describe(
    'What the header of an output with labels shows in place of the name: a text, or texts by locale, { nl: Prijs, fr: Prix }',
  )

const typeForm = String.raw`^(?:${plainKinds.join('|')}|decimal\(\s*\d+\s*,\s*\d+\s*\))$`

export const columnType = z.string().meta({ anyOf: [{ type: 'string', pattern: typeForm }, variable] })

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const bound = z.union([z.string(), z.number()])

const condition = z.union([
  scalar,
  z.array(scalar).min(1),
  z.strictObject({
    not: z.union([scalar, z.array(scalar).min(1)]).describe('The value, or values, that it must not be'),
  }),
  z.strictObject({
    from: bound.optional().describe('The least value, included; a day is the whole day'),
    until: bound.optional().describe('The greatest value, included; a day is the whole day'),
  }),
  z.strictObject({
    get some() {
      return conditions.optional().describe('Conditions that one element of the list must meet, all of them')
    },
    get none() {
      return conditions.optional().describe('Conditions that no element of the list may meet, all of them')
    },
  }),
])

export type ConditionConfig = Exclude<Conditions[string], Conditions[] | undefined>

/** Recursive: zod can't infer its type. */
const conditions: z.ZodType<Conditions, Conditions> = z
  .object({
    get any() {
      return conditionGroups
    },
  })
  .catchall(condition)
  .meta({ id: 'conditions' })

const conditionGroups = z
  .array(conditions)
  .min(1)
  .optional()
  .meta({ id: 'conditionGroups', description: 'Groups of conditions, one of which must hold as a whole' })

export const where = conditions.describe(
  'Conditions by field path, all of which must hold: a value, a list of values, null, {not}, {from, until}, {some}, {none}; and any, of which one group must hold',
)

export const fallback = z
  .union([z.literal('spec'), z.array(locale).min(1)])
  .describe("Locales to try next, the first filled one wins; `spec` is the specification's own order for images")

const limitText = /^(?:\d{1,15}|(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%)$/

/** A count or a share, in one check: its message names both. */
export const limit = z
  .union([z.number(), z.string()])
  .refine(
    (value) => (typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : limitText.test(value)),
    'a count such as 10 or a share such as 1%',
  )
  .meta({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: limitText.source },
    ],
  })

const filledText = /^(?:(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%|0(?:\.\d{1,15})?|\d{1,15} rows?|\d{3,15})$/

/** The least number of rows with a value. A number from 1 to 100 may be meant as either. */
export const leastFilled = z
  .union([z.number(), z.string()])
  .refine((value) => filledText.test(String(value)) && value !== 100 && value !== '100', {
    error: ({ input }) =>
      /^(?:[1-9]\d?|100)$/.test(String(input))
        ? `${String(input)}% for a share, or "${String(input)} ${String(input) === '1' ? 'row' : 'rows'}" for a count`
        : 'a share such as 95% or 0.95, or a count such as "95 rows"',
  })
  .meta({
    anyOf: [
      { type: 'number', minimum: 0, exclusiveMaximum: 1 },
      { type: 'integer', minimum: 101, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: filledText.source },
    ],
  })

export const userAgent = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'a name such as nightly-load/2.1, plain characters without accents')

const volumeText = /^(?:(?:±|\+\/?-) ?)?(?!0+(?:\.0+)?(?: ?%)?$)(?:\d{1,2}(?:\.\d{1,6})? ?%|0\.\d{1,15})$/

export const expectVolume = () => {
  // Not a union, so that one message names the share, also if it is missing.
  const share = z.unknown() as z.ZodType<number | string, number | string>
  const within = share
    .refine(
      (value) => ['number', 'string'].includes(typeof value) && volumeText.test(String(value)),
      'a share between 0% and 100%, such as 20% or ±20%',
    )
    .transform(String)
    .meta({
      anyOf: [
        { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        { type: 'string', pattern: volumeText.source },
      ],
    })
    .describe('How far the number of records may be from the median, below and above: 20% or ±20%')
  const severity = z
    .enum(['warn', 'error'])
    .default('warn')
    .describe('error: a run with another number of records publishes nothing; warn: it is published and reported')
  return z
    .union([within, z.strictObject({ within, severity })])
    .optional()
    .describe('A rule on the number of records, compared with the median of the last seven published runs')
}
