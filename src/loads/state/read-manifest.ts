import { z } from 'zod'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Selection } from '../../plan/selection.ts'
import { CatalogueError, toOutputCode } from '../../errors.ts'
import { readSha256 } from '../../storage/file-system.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { checkUnlisted } from './check-unlisted.ts'
import { countPublishedRows, toPreviousRun } from './previous-run.ts'
import {
  type EarlierCompanions,
  fileReport,
  leftFile,
  type LeftFile,
  listBaselineFiles,
  publishedManifest,
  publishedState,
  selection,
  type PreviousRun,
  type PublishedManifest,
  type PublishedState,
  type StateFileReport,
  toEarlierCompanions,
} from './published-state.ts'
import { upgradeManifest } from './upgrade-state.ts'

/**
 * The manifest of the last published run; null where there is none. Throws STATE_INVALID where it can't be understood, or
 * is another pipeline's: what it says decides what is removed, so it is never guessed.
 */
export async function readPublishedManifest(
  path: string,
  pipeline: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<PublishedManifest | null> {
  const text = await readText(path, storage)
  if (text === null) return null
  const manifest = upgradeManifest(parseJson(text, path), path)
  const { data, error } = publishedManifest.safeParse(manifest)
  if (data === undefined) {
    const [issue] = error.issues
    const where = issue?.path.join('.')
    throw invalid(path, `expected the manifest of a run, got another file (${where}: ${issue?.message})`)
  }
  if (data.pipeline !== pipeline) throw ofAnother(path, pipeline, data.pipeline)
  return { ...data, previous: toPreviousRun(manifest, pipeline) }
}

/** Counts of published rows, from a manifest. */
export interface PublishedRows {
  /** Null where the run kept a state, and its ledger is that of a load, which may be a delta. */
  readonly records: number | null
  readonly tables: ReadonlyMap<string, number>
  /** What selected them; undefined where an older version wrote the manifest. */
  readonly selection: Selection | undefined
  readonly companions: EarlierCompanions
}

/** The run that a manifest is of, as far as a run without a state has to know it. */
export interface FormerRun {
  /** Null where there is no manifest, or one that is not this pipeline's, which is overwritten. */
  readonly rows: PublishedRows | null
  /** Every file that the manifest lists. */
  readonly paths: readonly string[]
  /** The same as they were published; none of another pipeline's. */
  readonly listed: FormerFiles
  /** Its summary for the manifest of the next run. */
  readonly previous: PreviousRun | null
}

/** What a manifest says of files that a run may find in place. */
export interface FormerFiles {
  /** Outputs, and files of the state. */
  readonly files: readonly LeftFile[]
  /** Those of configs before its own. */
  readonly left: readonly LeftFile[]
  /** Those that its run was about to remove. */
  readonly pruned: readonly LeftFile[]
  /** Its state was reset: what is there may be replaced. */
  readonly isReset: boolean
}

const noFiles: FormerFiles = { files: [], left: [], pruned: [], isReset: false }

/**
 * The last run, for one without a state. Throws STATE_INVALID where its manifest would take the place of another pipeline's
 * that has a state, which would be lost, or of a file that can't be read as JSON, which may be one.
 */
export async function readFormerRun(
  path: string,
  pipeline: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<FormerRun> {
  const text = await readText(path, storage)
  if (text === null) return { rows: null, paths: [], listed: noFiles, previous: null }
  const manifest = upgradeManifest(parseUnowned(text, path), path)
  const { data: others } = othersManifest.safeParse(manifest)
  if (others !== undefined && others.pipeline !== pipeline) throw ofAnother(path, pipeline, others.pipeline)
  const { files } = listingManifest.safeParse(manifest).data ?? { files: [] }
  const listed = toListedFiles(manifest)
  return {
    rows: toPublishedRows(manifest, pipeline),
    paths: files.map((file) => file.path),
    listed: listed?.pipeline === pipeline ? listed : noFiles,
    previous: toPreviousRun(manifest, pipeline),
  }
}

/** The files that a manifest lists, and its pipeline; null for any other file, and where there is none. */
export async function readListedFiles(
  path: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<(FormerFiles & { readonly pipeline: string }) | null> {
  const text = await readText(path, storage)
  try {
    return text === null ? null : toListedFiles(upgradeManifest(JSON.parse(text), path))
  } catch {
    return null
  }
}

/** Null for a file that is no manifest of a run. */
export function toListedFiles(manifest: unknown): (FormerFiles & { readonly pipeline: string }) | null {
  const { data } = listedFiles.safeParse(manifest)
  if (data === undefined) return null
  const { pipeline, files, state, leftFiles: left = [], prunedFiles: pruned = [] } = data
  const ofLeft = (state?.leftTables ?? []).flatMap((table) => table.files)
  const listed = [...files, ...(state ? listBaselineFiles(state) : []), ...ofLeft]
  return { pipeline, files: listed, left, pruned, isReset: (manifest as { state?: unknown }).state === null }
}

/** Counts of what the last run published; null as in `FormerRun`. Throws STATE_INVALID for a manifest that can't be read. */
export async function readPublishedRows(
  path: string,
  pipeline: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<PublishedRows | null> {
  const text = await readText(path, storage)
  return text === null ? null : toPublishedRows(upgradeManifest(parseUnowned(text, path), path), pipeline)
}

function toPublishedRows(manifest: unknown, pipeline: string): PublishedRows | null {
  const { data } = measuredManifest.safeParse(manifest)
  if (data === undefined || data.pipeline !== pipeline) return null
  const records = data.state === undefined ? data.ledger.accepted : null
  return { records, tables: countPublishedRows(data), selection: data.selection, companions: toEarlierCompanions(data) }
}

/** The part that says how much is published. */
const measuredManifest = z.object({
  pipeline: z.string(),
  selection,
  state: z.unknown().optional(),
  missingIds: z.object({ path: z.string() }).optional(),
  profile: z.object({ path: z.string() }).optional(),
  report: z.object({ path: z.string() }).optional(),
  dataPackage: z.object({ path: z.string() }).optional(),
  ledger: z.object({ accepted: z.number() }),
  tables: z.array(z.object({ name: z.string(), rows: z.number() })),
  files: z.array(fileReport.pick({ table: true, rows: true, mode: true, base: true })),
})

/** As far as it lists files. A file that is no manifest of a run names none. */
const listingManifest = z.object({ files: z.array(fileReport.pick({ path: true })) })

const listedFiles = z.object({
  pipeline: z.string(),
  files: z.array(leftFile),
  leftFiles: z.array(leftFile).optional(),
  prunedFiles: z.array(leftFile).optional(),
  state: publishedState.pick({ records: true, tables: true, leftTables: true }).nullish().catch(null),
})

/** The part that says which state would be lost. */
const othersManifest = z.object({ pipeline: z.string(), state: z.looseObject({}) })

/** The same for callers that need nothing else of the storage. Throws STATE_INVALID also for files that it does not list. */
export async function readManifestOnce(
  plan: Pick<PipelinePlan, 'name' | 'manifest' | 'files' | 'records'>,
  stateFolder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PublishedManifest | null> {
  const { name, manifest } = plan
  const storage = await openStorage(manifest.path, env)
  try {
    const published = await readPublishedManifest(manifest.path, name, storage)
    if (!(await storage.isPublishing(manifest.path))) await checkUnlisted(plan, published, stateFolder, storage)
    return published
  } finally {
    await storage.close()
  }
}

/** Throws STATE_INVALID where a file that the state needs is not as it was published. */
export async function checkStateFiles(
  path: string,
  state: PublishedState,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<void> {
  for (const file of listBaselineFiles(state)) {
    const bytes = await storage.sizeOf(file.path)
    if (bytes === file.bytes) continue
    const got = bytes === null ? 'no file' : `${bytes} bytes`
    throw invalid(path, `expected "${file.path}" with ${file.bytes} bytes, which the next run begins with, got ${got}`)
  }
}

/** Throws STATE_INVALID where a file of the state, which is at `localPath`, is not the one that was published. */
export async function checkStateFile(path: string, file: StateFileReport, localPath: string): Promise<void> {
  const sha256 = await readSha256(localPath)
  if (sha256 === file.sha256) return
  const got = sha256 === null ? 'no file' : `sha256 ${sha256}: it was changed since`
  throw invalid(path, `expected "${file.path}" with sha256 ${file.sha256}, which this run begins with, got ${got}`)
}

export function invalid(path: string, message: string, cause?: unknown): CatalogueError {
  return new CatalogueError('STATE_INVALID', `${path}: ${message}`, { cause })
}

function ofAnother(path: string, pipeline: string, other: string): CatalogueError {
  const message = `${path}: expected the manifest of "${pipeline}", got that of "${other}"`
  return new CatalogueError('STATE_INVALID', message, {
    fix: 'Give each pipeline a folder of its own, or a `manifest.path`.',
  })
}

async function readText(path: string, storage: Pick<FileStorage, 'read'>): Promise<string | null> {
  try {
    const bytes = await storage.read(path)
    // Editors put a byte order mark there.
    return bytes === null
      ? null
      : Buffer.from(bytes)
          .toString()
          .replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${path}: expected a readable manifest, got: ${(error as Error).message}`
    throw new CatalogueError(toOutputCode(error), message, { cause: error })
  }
}

/** Parses a manifest that may be another pipeline's, whose state can't be reset from here. */
function parseUnowned(text: string, path: string): unknown {
  try {
    return parseJson(text, path)
  } catch (error) {
    throw new CatalogueError('STATE_INVALID', (error as Error).message, {
      cause: error,
      fix: 'Put the file back as it was, as it may hold the state of a pipeline. Where nothing needs it, move it away and run again.',
    })
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(path, `expected JSON, got: ${(error as Error).message}`, error)
  }
}
