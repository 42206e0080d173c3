import { z } from 'zod'
import { compared, counts, deciding, moment, toLenient } from './former-schema.ts'
import {
  editLoss,
  fileReport,
  brokenRows,
  missingIds,
  previousRun,
  profileFile,
  publishedState,
  selection,
  volume,
} from './state-schema.ts'

/*
 * A manifest, which is the report of its run. The JSON Schema in docs/ is made from it; objects may get more members, so
 * readers skip what they don't know. A test holds it to what runs really report.
 */

const count = z.int().nonnegative()
const hash = z.string().regex(/^[0-9a-f]{64}$/)

export const completeness = z
  .object({
    status: z.enum(['proven', 'unprovable', 'incomplete']),
    reasons: z.array(z.string()).describe('the reasons, one sentence each; empty when proven'),
    total: count.nullable().describe('the total that the stream states, if any'),
    limit: count
      .optional()
      .describe('the most lines that a sample was to read, on purpose (--limit): it is incomplete by that alone'),
  })
  .meta({ id: 'completeness' })

export const notes = z.object({
  firstAnswerAt: moment.nullish().describe('for the service, by its clock'),
  requests: count.optional().describe('requests that were sent, repeated ones included'),
  waitedMs: count.optional().describe('how long requests waited before they were sent, all together'),
  repeats: z.array(z.string()).describe('requests that were repeated, with the reason'),
  changes: z.array(z.string()).describe('changes in the result while it was read'),
  skippedRecords: count,
  refused: z
    .string()
    .optional()
    .describe('the reason why the service refused a request for records by their ids; the run continued without'),
  missing: z.array(
    z.object({
      key: z.string(),
      asked: count,
      missing: z.array(z.string()),
      inFile: z.array(z.object({ line: count, written: z.string() })).optional(),
    }),
  ),
})

const source = z.object({
  name: z.string(),
  lines: count,
  bytes: count.describe('decompressed'),
  completeness,
  landed: z
    .object({ endpoint: z.string(), baseUrl: z.string(), fetchedAt: moment, sha256: hash })
    .optional()
    .describe('for a file that fetch landed'),
  notes: notes.optional(),
})

const sourceIds = z.object({
  file: z.string(),
  column: z.union([z.string(), count]).nullable().describe('its name, or its number from 1'),
  field: z.string().describe('its filter key, or several of a list with columns'),
  columns: z
    .record(z.string(), z.union([z.string(), count]))
    .optional()
    .describe('the column of each key, in the order in which they are tried'),
  rows: count,
  identifiers: count,
  repaired: count,
  repeated: count,
  empty: count,
  bad: count.optional().describe('entries that are no identifiers'),
  requests: count.describe('0 if files are read'),
})

const corrected = z.object({
  path: z.string().describe('the table'),
  rows: count.describe('its corrections'),
  used: count.describe('corrections that lines needed'),
  lines: count.describe('values that were corrected'),
  unused: z
    .array(z.object({ id: z.string(), path: z.string(), reason: z.string().optional() }))
    .describe(
      'the first hundred others; with a reason if their line is rejected in spite of them, else the source is right or has no such line',
    ),
})

const rule = z.object({
  table: z.string(),
  column: z.string().optional().describe('absent for a rule on rows or records'),
  rule: z.enum(['range', 'in', 'not', 'matches', 'filled', 'unique', 'rows', 'volume', 'ratio']),
  severity: z.enum(['warn', 'error']).describe('error: with this rule broken nothing is published'),
  result: z
    .enum(['kept', 'broken', 'unjudged'])
    .describe(
      'unjudged: a rule on the number of rows, in a run that read a part of them; or one on earlier runs, if they are too few',
    ),
  expected: z.string().describe('in words'),
  count: count.describe('how many values break it, or rows without one; 0 for a rule on rows'),
  found: z.string().describe('in words, without values'),
  records: volume.optional(),
  examples: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('values that break it, as in the profile: the most frequent, or the least and the greatest'),
  ids: z.array(z.string()).optional().describe('the first records that break it'),
  listed: count.optional().describe('how many of them brokenRows lists, the first thousand at most'),
})

const filteredBy = z.object({
  table: z.string().nullable().describe('the table whose elements it is on; null for records'),
  by: z.enum(['where', 'sourceIds', 'source.filter']).describe('the key of the config'),
  path: z.string(),
  condition: z.string().describe('as the config says it'),
  filtered: count.describe('rows that fail it and none before it'),
})

const doubt = z.object({
  kind: z.enum(['condition', 'keys', 'locale', 'values', 'speed']),
  severity: z
    .enum(['wrong', 'look', 'note'])
    .describe('wrong: the outputs are empty; look: they may not hold what was meant'),
  count: count.describe('how many records, rows or values it is about'),
  text: z.string().describe('in words'),
  near: z.array(z.string()).optional().describe('values of the source that were probably meant'),
  values: z.array(z.string()).optional().describe('some that occur, if none is near'),
})

const database = z.object({
  target: z.string().describe('where it is, without credentials'),
  format: z.enum(['delta', 'iceberg']).optional().describe('for tables in a lake'),
  catalog: z.string().optional().describe('the address of the catalog that these tables are in'),
  mode: z.enum(['snapshot', 'append', 'merge', 'history']),
  changes: z.object({ new: count, changed: count, touched: count, unchanged: count, removed: count }),
  tables: z.array(
    z.object({
      name: z.string(),
      rowsWritten: count,
      version: count.optional().describe('of the table in a lake, after the run'),
      snapshot: z.string().optional().describe('the id of the snapshot, of an Iceberg table'),
      foreignRows: count.optional().describe('rows that the pipeline has never loaded: they stay'),
    }),
  ),
  differences: z
    .array(z.object({ table: z.string(), expected: count, got: count }))
    .optional()
    .describe('tables that had another number of rows than the load before had left'),
})

const rejectReason = z.object({
  code: z.string(),
  path: z.string().describe('without the positions of lists; empty for the whole line'),
  count: count.describe('lines; one with several reasons counts for each'),
  expected: z.string().describe('the first half of the message'),
})

export const manifestSchema = z
  .object({
    pipeline: z.string(),
    runId: compared.runId,
    tool: z.object({
      name: z.string(),
      version: z.string(),
      /** What the hot path ran on. Earlier versions don't say. */
      kernel: z.enum(['native', 'wasm', 'reference']).optional(),
    }),
    format: z.int().describe('the version of the shape of this report'),
    contract: z.object({ name: z.string(), version: z.int() }),
    configHash: z.string(),
    selection,
    inputDigest: z.string(),
    sources: z.array(source),
    sourceIds: sourceIds.optional(),
    startedAt: moment,
    finishedAt: compared.finishedAt,
    durationMs: count,
    stages: z
      .array(z.object({ name: z.enum(['prepare', 'find duplicates', 'read and encode', 'finish outputs']), ms: count }))
      .describe('the stretches of the run in their order, up to the publication'),
    ledger: compared.ledger,
    completeness,
    drift: compared.drift,
    tables: compared.tables,
    filteredBy: z
      .array(filteredBy)
      .optional()
      .describe(
        'conditions in the order written: those with table null add up to ledger.filtered, those of a table to its filtered',
      ),
    doubts: z
      .array(doubt)
      .optional()
      .describe(
        'what the config did probably not mean: conditions that nothing met, for instance; absent if there are none',
      ),
    rules: z
      .array(rule)
      .optional()
      .describe('the rules of the config, in its order, with what was found; absent if there is none'),
    files: z.array(fileReport).describe('what was published'),
    state: publishedState.optional().describe('for a stateful pipeline: what the next run starts from'),
    editLosses: z
      .array(editLoss)
      .optional()
      .describe('removals beyond maxRemoved after an edit of the config; absent if there is none'),
    removedRecords: z
      .array(z.object({ id: z.string(), status: z.string().nullable(), replacement: z.string().nullable() }))
      .optional()
      .describe('the first hundred removed records, as they were last seen'),
    databases: z.array(database).optional(),
    ownOutputs: z
      .array(z.object({ output: z.string(), table: z.string(), rows: count }))
      .optional()
      .describe("the tables of outputs of the config's own, which are committed; absent if there are none"),
    rejects: z.object({
      path: z.string(),
      count,
      reasons: z
        .array(rejectReason)
        .optional()
        .describe('the most frequent first, at most a thousand and one more of code "other" for the rest'),
      wrongValues: z
        .object({ records: count, paths: counts })
        .optional()
        .describe(
          'records rejected for values of a wrong type only, which contract.invalidValues: null would have kept',
        ),
    }),
    replayed: z
      .object({ path: z.string(), lines: count })
      .optional()
      .describe('the corrected lines that took the place of rejected ones, and the file that they are from'),
    corrected: corrected.optional().describe('what the table of `rejects.corrections` did; absent without one'),
    asOf: z
      .object({ at: moment, runId: z.string().nullable().describe('the run that published the history') })
      .optional()
      .describe('present for `run --as-of`: the moment whose rows the files hold, which come from a history'),
    previous: previousRun.optional().describe('the run whose outputs this one replaced'),
    report: compared.report,
    missingIds: missingIds.optional().describe('the CSV file of identifiers of a list that were not found'),
    brokenRows: brokenRows.optional().describe('the CSV file of the rows that break rules; absent if none does'),
    profile: profileFile.optional().describe('the file of filled shares, bounds and frequent values of every column'),
    dataPackage: profileFile
      .optional()
      .describe('the data package that describes the files; present for `dataPackage: true`'),
    leftFiles: deciding.leftFiles,
    prunedFiles: deciding.prunedFiles,
    manifest: z.string(),
    plan: z
      .object({ planId: z.string(), shards: count })
      .optional()
      .describe('the plan whose shards were added up; files are listed by shard'),
    notes: z.array(z.string()).optional(),
  })
  .meta({ id: 'report', description: 'The report of a published run; the manifest holds exactly this.' })

/** A manifest as other runs read it. */
export const publishedManifest = z.object({ ...toLenient(manifestSchema.shape), ...deciding })
