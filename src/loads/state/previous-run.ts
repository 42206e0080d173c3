import { z } from 'zod'
import { fileReport, type FileReport, type PreviousRun } from './published-state.ts'

const counts = z.record(z.string(), z.unknown()).default({})

/** The members of a manifest that say how its run differs from the next. */
const comparedManifest = z.object({
  pipeline: z.string(),
  runId: z.string(),
  finishedAt: z.string(),
  state: z.unknown().optional(),
  ledger: z.object({ rejected: z.number() }),
  tables: z.array(z.object({ name: z.string(), rows: z.number() })),
  files: z.array(fileReport.pick({ table: true, rows: true, mode: true, base: true })),
  drift: z.object({
    unknownFields: counts,
    unknownValues: z.record(z.string(), counts).default({}),
    otherLocales: counts,
    oddCodes: counts,
    nullElements: counts,
    invalidValues: counts,
    duplicateKeys: counts,
  }),
})

/** The summary of the run that a manifest is of, for the manifest of the next one. Null for another pipeline's, or no manifest. */
export function toPreviousRun(manifest: unknown, pipeline: string): PreviousRun | null {
  const { data } = comparedManifest.safeParse(manifest)
  if (data === undefined || data.pipeline !== pipeline) return null
  const { runId, finishedAt, ledger, drift } = data
  const values = Object.entries(drift.unknownValues).map(([path, found]) => [path, Object.keys(found)])
  return {
    runId,
    finishedAt,
    rejected: ledger.rejected,
    tables: [...countPublishedRows(data)].map(([name, rows]) => ({ name, rows })),
    drift: {
      unknownFields: Object.keys(drift.unknownFields),
      unknownValues: Object.fromEntries(values) as Record<string, string[]>,
      otherLocales: Object.keys(drift.otherLocales),
      oddCodes: Object.keys(drift.oddCodes),
      nullElements: Object.keys(drift.nullElements),
      invalidValues: Object.keys(drift.invalidValues),
      duplicateKeys: Object.keys(drift.duplicateKeys),
    },
  }
}

/** The members of a manifest that say how many rows are published. */
export interface RowsOfManifest {
  readonly state?: unknown
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  readonly files: readonly Pick<FileReport, 'table' | 'rows' | 'mode' | 'base'>[]
}

/** Published rows by table. A run with a state counts those of outputs that hold every record as it is now. */
export function countPublishedRows({ state, tables, files }: RowsOfManifest): Map<string, number> {
  if (state === undefined) return new Map(tables.map(({ name, rows }) => [name, rows]))
  return countFileRows(files)
}

/** An output may be in several files. */
function countFileRows(files: RowsOfManifest['files']): Map<string, number> {
  const outputs = new Map<string, number>()
  const tables = new Map<string, number>()
  for (const { table, base, rows, mode } of files) {
    if (mode !== 'merge' && mode !== 'snapshot') continue
    const output = JSON.stringify([table, base])
    const sum = (outputs.get(output) ?? 0) + rows
    outputs.set(output, sum)
    tables.set(table, Math.max(tables.get(table) ?? 0, sum))
  }
  return tables
}
