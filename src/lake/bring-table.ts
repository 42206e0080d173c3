import { join } from 'node:path'
import { CatalogueError } from '../errors.ts'
import type { Duckdb } from '../loads/files/open-duckdb.ts'
import { formatNull, quoteName } from '../loads/files/sql-text.ts'
import type { Column } from '../records/flatten/column.ts'
import { listDamaged } from './check-lake.ts'
import { type ConnectOptions, connectLake } from './connect-lake.ts'
import { selectFiles } from './data-files.ts'
import type { LakeSession, TableLog, TableSnapshot } from './lake-format.ts'
import { type LakePlace, pipelineProperty } from './lake-plan.ts'

export interface BringOptions extends ConnectOptions {
  readonly duckdb: Duckdb
  /** For copies of objects. */
  readonly folder: string
  /** Default: the newest. */
  readonly version?: number | undefined
}

/** The table of a lake at one version. */
export interface BroughtTable {
  /** SQL that may follow FROM. */
  readonly from: string
  readonly version: number
  /** The columns that loads have written. */
  readonly columns: readonly Column[]
  /** The paths of the data files in the storage. */
  readonly files: readonly string[]
}

/** Null if there is no table. Throws SOURCE_NOT_FOUND if the version, or one of its files, is not there any more. */
export async function bringTable(
  { target, pipeline }: { readonly target: LakePlace; readonly pipeline?: string },
  table: string,
  { duckdb, folder, version, ...options }: BringOptions,
): Promise<BroughtTable | null> {
  const { format, storage } = await connectLake({ target }, options)
  try {
    const at = await format.findFolder({ target }, table)
    let copies = 0
    const toLocal = (path: string) => storage.toLocal(path, join(folder, `${table}-${++copies}.parquet`))
    const session = { format, storage, duckdb, folder, toLocal }
    const log = await format.readLog(session, { folder: at, pipeline: pipeline ?? '', version: version ?? null })
    if (log === null) return null
    const snapshot = choose(at, log, version)
    format.checkTable(at, snapshot, { pipeline: pipeline ?? snapshot.properties[pipelineProperty] ?? '' })
    for await (const { path } of listDamaged(session, at, snapshot.files.values()))
      throw isGone(at, snapshot.version, `${path} is not as it was written`)
    const files = [...snapshot.files.values()].map((file) => format.locate(at, file))
    const columns = snapshot.fields.flatMap(({ column }) => column ?? [])
    return { from: await formatRows(session, at, snapshot), version: snapshot.version, columns, files }
  } finally {
    await storage.close()
  }
}

function choose(folder: string, { newest, asked }: TableLog, version: number | undefined): TableSnapshot {
  if (version === undefined || version === newest.version) return newest
  if (asked !== null) return asked
  throw isGone(
    folder,
    version,
    version > newest.version ? `the newest is ${newest.version}` : 'it is not there any more',
  )
}

/** The rows of a table, with all of its columns and no others. */
async function formatRows(session: LakeSession, folder: string, { fields, files }: TableSnapshot): Promise<string> {
  const from = files.size === 0 ? '(SELECT 1 WHERE false)' : await selectFiles(session, folder, [...files.values()])
  const described = files.size === 0 ? [] : await session.duckdb.readAll(`DESCRIBE FROM ${from}`)
  const there = new Set(described.map(([name]) => name))
  const cells = fields.flatMap(({ name, column }) => {
    if (there.has(name)) return quoteName(name)
    return column === null ? [] : `${formatNull(column)} AS ${quoteName(name)}`
  })
  return `(SELECT ${cells.join(', ')} FROM ${from})`
}

function isGone(folder: string, version: number, got: string): CatalogueError {
  return new CatalogueError('SOURCE_NOT_FOUND', `${folder}: expected version ${version} with its files, but ${got}`, {
    title: 'A version of a table is gone',
    fix: 'Compare versions that nobody has vacuumed: `lake vacuum`, and VACUUM and expire_snapshots of other engines, remove what is older than they are told.',
  })
}
