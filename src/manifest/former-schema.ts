import { z } from 'zod'
import { brokenRows, fileReport, leftFile, missingIds, profileFile, publishedState, selection } from './state-schema.ts'

/* What a run reads of the manifest of the last one. The schemas of the other members take three times as long to make. */

const count = z.int().nonnegative()
export const counts = z.record(z.string(), count)
export const moment = z.iso.datetime().describe('ISO 8601, UTC')

/** The members that decide over files. */
export const deciding = {
  pipeline: z.string(),
  configHash: z.string(),
  files: z.array(z.looseObject(fileReport.shape)),
  state: publishedState.optional().nullable(),
  leftFiles: z
    .array(leftFile)
    .optional()
    .describe('files that an earlier config of the pipeline left, as they were published; --prune removes them'),
  prunedFiles: z.array(leftFile).optional().describe('those that are removed once this manifest is in place'),
  missingIds: missingIds.optional(),
  brokenRows: brokenRows.optional(),
  profile: profileFile.optional(),
  dataPackage: profileFile.optional(),
  selection,
}

/** The members that are compared. */
export const compared = {
  runId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('the same for the same input, config and version'),
  finishedAt: moment,
  ledger: z
    .object({
      lines: count.describe('blank + rejected + filtered + duplicate + accepted'),
      blank: count,
      rejected: count,
      filtered: count,
      duplicate: count,
      accepted: count.describe('the rows of the root table'),
      repeatedIds: count,
    })
    .meta({ id: 'ledger' }),
  drift: z.object({
    unknownFields: counts,
    unknownValues: z.record(z.string(), counts),
    otherLocales: counts,
    oddCodes: z.record(z.string(), counts).describe('codes without the digits that their contract asks for, by path'),
    nullElements: counts.describe('nulls among the elements of lists, by path; in a list of objects they give no row'),
    invalidValues: z
      .record(z.string(), counts)
      .describe('values of a wrong type that became null (contract.invalidValues: null), by path'),
    duplicateKeys: counts.describe('keys that come twice in an object of a record, by path; the last one counts'),
  }),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: count,
      filtered: count,
      choices: z.array(z.string()).optional().describe('columns whose values the contract lists'),
      listLines: count
        .optional()
        .describe('rows of its files, if they are the lines of a list (`order: list`); `rows` are those of products'),
    }),
  ),
  report: z.object({ path: z.string() }).optional().describe('the page that shows this report'),
}

export const formerManifest = z.object({ ...toLenient(compared), ...deciding })

/** A member that can't be understood, as an earlier version may have written it in another shape, counts as missing. */
export function toLenient(shape: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, member.optional().catch(undefined)]))
}
