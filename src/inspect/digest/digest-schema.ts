import { z } from 'zod'

/* A digest of what changed for people; the JSON Schema in docs/ is made from it. */

export const entryKinds = ['up', 'down', 'priced', 'unpriced', 'new', 'back', 'gone', 'withdrawn', 'replaced'] as const

const text = z.string().nullable()
const count = z.int().nonnegative()

const successor = z.object({
  kind: z
    .enum(['successor', 'cycle', 'deadEnd'])
    .describe(
      'successor: a product that is not replaced itself; cycle: products that replace one another; deadEnd: the chain ends',
    ),
  text: z.string().describe('in words: replaced by M0002'),
  id: text.describe('the last successor; null for a circle or a dead end'),
  code: text,
  name: text,
  status: text,
})

const entry = z.object({
  kind: z
    .enum(entryKinds)
    .describe(
      'up, down: a price changed; priced, unpriced: a price came or went (zero and negative amounts are no price); new, back: a product came, or is active again; gone, withdrawn: it is no longer there, or no longer active; replaced: by another one',
    ),
  brand: text,
  id: z.string(),
  code: text.describe(
    'the CNK, else the first code that the table has; the last known one, as replaced products lose theirs',
  ),
  name: text,
  status: text.describe('after the span; before it if the product is gone'),
  price: z
    .object({
      column: z.string(),
      old: text,
      new: text,
      amount: text.describe('new less old; null if one of them is no price'),
      percent: text.describe('of the old price, two digits after the point'),
    })
    .nullable()
    .describe('for changes of a price'),
  successor: successor.nullable().describe('for replaced products'),
})

export const digestSchema = z
  .object({
    version: z.literal(1),
    pipeline: z.string(),
    since: z.iso.datetime().nullable().describe('the run that the span begins behind, or the time'),
    until: z.iso.datetime().nullable().describe('the last run'),
    basis: z
      .enum(['changes', 'history', 'runs'])
      .describe('what was compared: kept files of changes, a history, or two published runs'),
    notes: z.array(z.string()).describe('what this digest does not show, and why'),
    units: z
      .enum(['delivered', 'currency'])
      .describe('delivered: prices are whole numbers as delivered; currency: amounts such as 8.20'),
    counts: z.record(z.enum(entryKinds), count),
    entries: z.array(entry).describe('by brand, kind, name and id; products without a brand last'),
  })
  .meta({
    id: 'digest',
    description: 'What changed in the products of a pipeline, each product folded to its first and last state.',
  })

export type Digest = z.output<typeof digestSchema>
export type DigestEntry = z.output<typeof entry>
export type EntryKind = (typeof entryKinds)[number]

export function toDigestJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(digestSchema), title: 'catalogue-etl: a digest of changes' }
}
