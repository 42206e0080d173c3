import { CatalogueError } from '../../errors.ts'
import { formatNull, quoteName } from '../../loads/files/sql-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import { listDamaged } from '../check-lake.ts'
import { selectFiles } from '../data-files.ts'
import type { LakeSession, TableLog, TableSnapshot } from '../lake-format.ts'
import { type LakePlace, pipelineProperty } from '../lake-plan.ts'
import { type ReadOptions, withReading } from './with-reading.ts'

export interface BringOptions extends ReadOptions {
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
export function bringTable(place: TablePlace, table: string, options: BringOptions): Promise<BroughtTable | null> {
  return withSnapshot(place, table, options, async (session, at, snapshot) => {
    const files = [...snapshot.files.values()].map((file) => session.format.locate(at, file))
    const columns = snapshot.fields.flatMap(({ column }) => column ?? [])
    return { from: await formatRows(session, at, snapshot), version: snapshot.version, columns, files }
  })
}

/** Whether a version of a table could be brought. */
export async function isThere(place: TablePlace, table: string, options: BringOptions): Promise<boolean> {
  try {
    return (await withSnapshot(place, table, options, () => Promise.resolve(true))) ?? false
  } catch (thrown) {
    if (thrown instanceof CatalogueError && thrown.code === 'SOURCE_NOT_FOUND') return false
    throw thrown
  }
}

interface TablePlace {
  readonly target: LakePlace
  readonly pipeline?: string
}

/** Null if there is no table. */
async function withSnapshot<Result>(
  { target, pipeline }: TablePlace,
  table: string,
  { version, ...options }: BringOptions,
  work: (session: LakeSession, at: string, snapshot: TableSnapshot) => Promise<Result>,
): Promise<Result | null> {
  return withReading(target, table, options, async (session) => {
    const { format } = session
    const at = await format.findFolder({ target }, table)
    const log = await format.readLog(session, { folder: at, pipeline: pipeline ?? '', version: version ?? null })
    if (log === null) return null
    const snapshot = choose(at, log, version)
    format.checkTable(at, snapshot, { pipeline: pipeline ?? snapshot.properties[pipelineProperty] ?? '' })
    for await (const { path } of listDamaged(session, at, snapshot.files.values()))
      throw isGone(at, snapshot.version, `${path} is not as it was written`)
    return work(session, at, snapshot)
  })
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
