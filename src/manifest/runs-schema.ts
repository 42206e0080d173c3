import { z } from 'zod'
import { compared, counts, moment } from './former-schema.ts'
import { volume } from './state-schema.ts'

/* A line of `_runs.ndjson`, the history of a pipeline beside its manifest. Lines may get more members, so readers skip what they don't know. */

const count = z.int().nonnegative()
const value = z.union([z.string(), z.number(), z.boolean()])

const load = z.object({
  target: z.string().nullable().describe('the database or lake, without credentials; null for the files'),
  new: count,
  changed: count,
  touched: count,
  removed: count,
})

const brokenRule = z.object({
  table: z.string(),
  column: z.string().optional(),
  rule: z.string(),
  severity: z.enum(['warn', 'error']),
  count: count.describe('how many values break it; 0 for a rule on rows or records'),
  records: volume.optional(),
})

const columnDigest = z.object({
  filled: z.number().describe('the share of rows with a value, 0 to 1'),
  distinct: count.optional().describe('distinct values, if they were counted'),
  min: value.optional().describe('without distinct; texts cut after 24 characters'),
  max: value.optional(),
})

export const pastRunSchema = z
  .object({
    run: z.string().describe('the name of the run in logs; unique'),
    runId: compared.runId.optional().describe('as in the manifest; absent if the run failed before its end'),
    version: z.string().describe('the version of the tool'),
    kind: z
      .enum(['full', 'delta', 'backfill', 'sample'])
      .optional()
      .describe(
        'what a published run has read: everything, what changed, a span of time, or a sample by --limit; absent if the run failed',
      ),
    startedAt: moment,
    finishedAt: moment,
    durationMs: count,
    outcome: z.string().describe('published, or the code of the error'),
    exitCode: z.int(),
    completeness: z.enum(['proven', 'unprovable', 'incomplete']).optional(),
    ledger: compared.ledger.optional().describe('absent, as all that follows, if the run failed before its end'),
    records: count
      .optional()
      .describe('the records that the outputs hold after a published run; absent if the run failed or that is unknown'),
    tables: z
      .record(z.string(), z.object({ rows: count, bytes: count.describe('of its files') }))
      .optional()
      .describe('the rows that a published run wrote, by table'),
    loads: z.array(load).optional().describe('the changes of an incremental pipeline, or of databases'),
    drift: z
      .object({ unknownFields: counts, unknownValues: z.record(z.string(), counts) })
      .optional()
      .describe('what was found beyond the contract'),
    rules: z
      .object({ kept: count, unjudged: count, broken: z.array(brokenRule) })
      .optional()
      .describe('the results of the rules of the config'),
    changesRun: z
      .string()
      .optional()
      .describe('the run in files of outputs with mode changes, their column _run; absent if this run wrote none'),
    profile: z
      .record(z.string(), z.record(z.string(), columnDigest))
      .optional()
      .describe('a digest of the profile, by table and column'),
    isCut: z.literal(true).optional().describe('true if entries were left out, as the line would be too long'),
  })
  .meta({ id: 'run', description: 'A line of _runs.ndjson: one run of the pipeline, published or failed.' })

/** The members that are read. Lines keep the others. */
export const readableRun = pastRunSchema.omit({ profile: true })

export function toRunJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(pastRunSchema, { io: 'input' }), title: 'catalogue-etl: a line of _runs.ndjson' }
}
