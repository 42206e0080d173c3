import { CatalogueError } from '../errors.ts'
import {
  type EarlierCompanions,
  type LeftFile,
  listBaselineFiles,
  type PreviousRun,
  type PublishedManifest,
  toEarlierCompanions,
} from './manifest.ts'
import { ofAnother, parsedOnce, parseJson, readManifestText, type ManifestStorage } from './read-manifest.ts'
import { upgradeManifest } from './upgrade-manifest.ts'

export interface PublishedRows {
  /** Null if the run kept a state: its ledger is that of a load, which may be a delta. */
  readonly records: number | null
  readonly tables: ReadonlyMap<string, number>
  /** Hashes of the config keys that selected the rows; undefined if an older version wrote the manifest. */
  readonly selection: PublishedManifest['selection']
  readonly companions: EarlierCompanions
}

export interface FormerRun {
  readonly rows: PublishedRows | null
  readonly paths: readonly string[]
  /** The same files as they were published; none of another pipeline's. */
  readonly listed: FormerFiles
  readonly previous: PreviousRun | null
}

export interface FormerFiles {
  readonly files: readonly LeftFile[]
  readonly left: readonly LeftFile[]
  readonly pruned: readonly LeftFile[]
  /** True if the state was reset: files in place may be replaced. */
  readonly isReset: boolean
}

const noFiles: FormerFiles = { files: [], left: [], pruned: [], isReset: false }

/**
 * Reads the last run, for a run without a state. Throws STATE_INVALID if its manifest would replace another pipeline's
 * that has a state, which would be lost, or a file that isn't JSON, as it may hold a state.
 */
export async function readFormerRun(path: string, pipeline: string, storage: ManifestStorage): Promise<FormerRun> {
  const text = await readManifestText(path, storage)
  if (text === null) return { rows: null, paths: [], listed: noFiles, previous: null }
  const members = (parseUnowned(text, path) ?? {}) as { readonly pipeline?: unknown; readonly state?: unknown }
  const { pipeline: owner, state } = members
  const manifest = await parseFormer(members, path)
  if (typeof owner === 'string' && owner !== pipeline && typeof state === 'object' && state !== null)
    throw ofAnother(path, pipeline, owner)
  // The outputs of a run are known even if its state is damaged.
  const former = manifest ?? (await parseFormer({ ...members, state: null }, path))
  if (former === null) return { rows: null, paths: [], listed: noFiles, previous: null }
  const paths = former.files.map((file) => file.path)
  if (former.pipeline !== pipeline) return { rows: null, paths, listed: noFiles, previous: null }
  const listed = { ...listFormerFiles(former), isReset: state === null }
  return { rows: countPublished(former), paths, listed, previous: toPreviousRun(former) }
}

/** Null for any other file. Throws STATE_INVALID for the format of a later version. */
async function parseFormer(members: object, path: string): Promise<PublishedManifest | null> {
  // Loaded late: first runs read no manifest.
  const { formerManifest } = await import('./former-schema.ts')
  return formerManifest.safeParse(upgradeManifest(members, path), parsedOnce).data ?? null
}

function parseUnowned(text: string, path: string): unknown {
  try {
    return parseJson(text, path)
  } catch (error) {
    throw new CatalogueError('STATE_INVALID', (error as Error).message, {
      cause: error,
      fix: 'Put the file back as it was, as it may hold the state of a pipeline. If nothing needs it, move it away and run again.',
    })
  }
}

export function listFormerFiles({
  files,
  state,
  leftFiles: left = [],
  prunedFiles: pruned = [],
}: PublishedManifest): FormerFiles {
  const ofLeft = (state?.leftTables ?? []).flatMap((table) => table.files)
  const listed = [...files, ...(state ? listBaselineFiles(state) : []), ...ofLeft]
  return { files: listed, left, pruned, isReset: state === null }
}

/** Counts the rows that a run published; null if its manifest has no counts. */
export function countPublished(manifest: PublishedManifest): PublishedRows | null {
  const { ledger, tables, state, selection } = manifest
  if (ledger === undefined || tables === undefined) return null
  const records = state === undefined ? ledger.accepted : null
  return { records, tables: countPublishedRows(manifest), selection, companions: toEarlierCompanions(manifest) }
}

/** The summary of a run for the manifest of the next one; null if its manifest lacks a part that is compared. */
export function toPreviousRun(manifest: PublishedManifest): PreviousRun | null {
  const { runId, finishedAt, ledger, tables, drift } = manifest
  if (runId === undefined || finishedAt === undefined || !ledger || !tables || !drift) return null
  const values = Object.entries(drift.unknownValues).map(([path, found]) => [path, Object.keys(found)] as const)
  return {
    runId,
    finishedAt,
    rejected: ledger.rejected,
    tables: [...countPublishedRows(manifest)].map(([name, rows]) => ({ name, rows })),
    drift: {
      unknownFields: Object.keys(drift.unknownFields),
      unknownValues: Object.fromEntries(values),
      otherLocales: Object.keys(drift.otherLocales),
      oddCodes: Object.keys(drift.oddCodes),
      nullElements: Object.keys(drift.nullElements),
      invalidValues: Object.keys(drift.invalidValues),
      duplicateKeys: Object.keys(drift.duplicateKeys),
    },
  }
}

/** Published rows by table. Of a run with a state only outputs that hold every current record are counted. */
export function countPublishedRows({
  state,
  tables = [],
  files,
}: Pick<PublishedManifest, 'state' | 'tables' | 'files'>): Map<string, number> {
  if (state === undefined) return new Map(tables.map(({ name, rows }) => [name, rows]))
  return countFileRows(files)
}

/** Sums the files of an output; a table with several outputs has as many rows as the longest. */
function countFileRows(files: PublishedManifest['files']): Map<string, number> {
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
