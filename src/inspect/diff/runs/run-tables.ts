import { CatalogueError } from '../../../errors.ts'
import type { FileReport, Manifest, PublishedManifest } from '../../../manifest/manifest.ts'
import { parseManifest, readManifestText } from '../../../manifest/read-manifest.ts'
import { tryJson } from '../../../manifest/try-json.ts'
import type { FileStorage } from '../../../storage/file-storage.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import type { RequiredContext } from '../../../run-context.ts'
import { openListedTables } from '../../profile/published-tables.ts'
import type { ReadableTable } from '../../profile/readable-table.ts'
import type { Workbench } from '../../profile/with-duckdb.ts'
import { openLakeTables } from './lake-tables.ts'
import { listFilesOfRun } from '../../check-target.ts'
import { chooseKey, type RowKey } from './row-key.ts'
import type { RunSide } from '../recognize-side.ts'
import { parentOf, siblingOf, toRelativePath } from '../../../storage/paths.ts'

export interface ComparedRun {
  readonly path: string
  readonly kind: 'run' | 'table' | 'history'
  readonly files: readonly string[]
  /** What else the run has read or left, such as its manifest. */
  readonly beside?: readonly string[]
  /** Null for a table alone. */
  readonly finishedAt: string | null
  readonly contract: string | null
  readonly tables: readonly RunTable[]
}

export interface RunTable extends ReadableTable {
  /** Paths in the record that columns come from, by column name. */
  readonly places: ReadonlyMap<string, string>
  readonly key: RowKey
}

/**
 * Opens the tables of a published run. Looks for files beside the manifest first, as in a copied run, then at their
 * published paths. Throws SOURCE_NOT_FOUND or SOURCE_CHANGED if they are not as published.
 */
export async function openRun(
  { path, files: [manifestPath] }: RunSide,
  { duckdb, folder }: Workbench,
  env: RequiredContext<'env'>['env'],
): Promise<ComparedRun> {
  const storage = await openStorage(manifestPath, env)
  try {
    const manifest = await readCompared(manifestPath, storage)
    const files: FileReport[] = []
    for (const file of manifest.files)
      files.push({ ...file, path: await findFile(file, manifestPath, manifest.manifest, storage) })
    const tables = await openListedTables({ files }, { duckdb, storage, folder })
    const listed = tables.map((table) => toRunTable(table, files))
    const inLakes = await openLakeTables(manifest, new Set(listed.map(({ name }) => name)), { duckdb, folder, env })
    if (listed.length + inLakes.length === 0) checkNotInDatabases(path, manifest)
    const { finishedAt, contract } = manifest
    return {
      path,
      kind: 'run',
      files: [...files.map((file) => file.path), ...inLakes.flatMap((table) => table.files)],
      beside: listFilesOfRun(manifestPath, manifest),
      finishedAt,
      contract: contract.name,
      tables: [...listed, ...inLakes],
    }
  } finally {
    await storage.close()
  }
}

/** Throws USAGE if a run left its tables in databases, whose addresses only its config has. */
function checkNotInDatabases(path: string, { databases = [] }: PublishedManifest): void {
  const [first] = databases
  if (first === undefined) return
  throw new CatalogueError('USAGE', `${path}: expected tables in files or in a lake, got those in ${first.target}`, {
    fix: 'Name the config of the pipeline in place of its folder: the tables are compared as they are now.',
  })
}

type ComparedManifest = PublishedManifest & Pick<Manifest, 'finishedAt' | 'contract' | 'manifest'>

/** Throws SOURCE_NOT_FOUND if it is missing, and USAGE if it is another file. */
async function readCompared(path: string, storage: Pick<FileStorage, 'read'>): Promise<ComparedManifest> {
  const text = await readManifestText(path, storage)
  if (text === null)
    throw new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected the manifest of a run, got nothing there`)
  const { manifest, problem } = await parseManifest(tryJson(text) ?? undefined, path)
  if (manifest !== null && isCompared(manifest)) return manifest
  const got = problem === undefined ? '' : ` (${problem})`
  throw new CatalogueError('USAGE', `${path}: expected the manifest of a run, got another file${got}`)
}

function isCompared(manifest: PublishedManifest): manifest is ComparedManifest {
  const members = [manifest.finishedAt, manifest.contract, manifest.manifest]
  return members.every((member) => member !== undefined)
}

/**
 * Finds a file beside its manifest, as in a copied run, or at its published path. Throws SOURCE_CHANGED if a later run
 * has replaced it there.
 */
async function findFile(
  { path, sha256 }: FileReport,
  manifestPath: string,
  publishedManifest: string,
  storage: Pick<FileStorage, 'sizeOf' | 'hash'>,
): Promise<string> {
  const below = toRelativePath(parentOf(publishedManifest), path)
  const beside = below === null ? null : siblingOf(manifestPath, below)
  if (beside !== null && (await storage.sizeOf(beside)) !== null) return beside
  const found = await storage.hash(path)
  if (found === sha256) return path
  // Opening a missing file throws SOURCE_NOT_FOUND.
  if (beside !== null || found === null) return beside ?? path
  const message = `${path}: expected the file that ${manifestPath} lists, got another (sha256 ${found})`
  throw new CatalogueError('SOURCE_CHANGED', message, { fix: 'Copy the files of a run together with its manifest.' })
}

function toRunTable(table: ReadableTable, files: readonly FileReport[]): RunTable {
  const listed = files.find((file) => file.table === table.name)?.columns ?? []
  const places = new Map(listed.map(({ name, from }) => [name, from]))
  return { ...table, places, key: chooseKey(table.columns, places) }
}
