import { z } from 'zod'

/* Parts of the shape of a config that several sections have: conditions, fallbacks, limits, names of clients. */

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const condition = z.union([
  scalar,
  z.array(scalar).min(1),
  z.strictObject({
    not: z.union([scalar, z.array(scalar).min(1)]).describe('The value, or values, that it must not be'),
  }),
  z.strictObject({
    from: z.union([z.string(), z.number()]).optional().describe('The least value, included'),
    until: z.union([z.string(), z.number()]).optional().describe('The greatest value, included'),
  }),
])

export const where = z
  .record(z.string(), condition)
  .describe('Conditions by field path, all of which must hold: a value, a list of values, {not}, or {from, until}')

export const fallback = z
  .union([z.literal('spec'), z.array(z.string()).min(1)])
  .describe("Locales to try next, the first filled one wins; `spec` is the specification's own order")

const limitText = /^(?:\d{1,15}|(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%)$/

/** A count, or a share. One check of both, so that its message names both. */
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

/** The value of a User-Agent header. */
export const userAgent = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'a name such as nightly-load/2.1, plain characters without accents')
