import { CatalogueError } from '../../errors.ts'
import { nameOf } from '../../storage/s3/object-path.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { AskedLog, Commit, LakeSession, TableLog } from '../lake-format.ts'
import { type IcebergTable, readIcebergTable } from './iceberg-table.ts'
import { metadataFolder, metadataPath } from './locations.ts'
import { currentSnapshot, parseMetadata, type Snapshot, type TableMetadata } from './table-metadata.ts'

export interface IcebergLog extends TableLog {
  readonly newest: IcebergTable
}

/** The members of a snapshot's summary that our loads write. */
export const loadKey = 'catalogue-etl.load'
export const commitKey = 'catalogue-etl.commit'

/** Throws TARGET_MISMATCH for versions with a gap, for a table that a catalog manages, and for files that can't be read. */
export async function readTableLog(
  session: LakeSession,
  { folder, version: asked }: AskedLog,
): Promise<IcebergLog | null> {
  const versions = await listVersions(session.storage, folder)
  const newestVersion = versions.at(-1)
  if (newestVersion === undefined) return null
  const metadata = await readMetadata(session, folder, newestVersion)
  const newest = await readTable(session, folder, newestVersion, metadata)
  if (newest === null) throw lacksManifests(folder, newestVersion)
  if (asked === null || asked > newestVersion || !versions.includes(asked)) return toWholeLog(newest)
  let before = await readMetadata(session, folder, asked)
  const askedTable = asked === newestVersion ? newest : await readTable(session, folder, asked, before)
  const commits: Commit[] = []
  for (let version = asked + 1; version <= newestVersion; version++) {
    if (!versions.includes(version)) throw hasGap(folder, version, newestVersion)
    const after = version === newestVersion ? metadata : await readMetadata(session, folder, version)
    commits.push(compare(newest, version, before, after))
    before = after
  }
  // An engine may have forgotten snapshots whose rows are those of the newest.
  const isMoved = commits.every(({ isRearranging }) => isRearranging)
  return { newest, asked: askedTable ?? (isMoved ? newest : null), commits, isFromStart: false }
}

/** The log of a table of which no version was asked for, or one that is gone. */
export function toWholeLog(newest: IcebergTable): IcebergLog {
  const { snapshots, 'last-sequence-number': last } = newest.metadata
  const commits = snapshots.map((snapshot) => toCommit(newest, Number(snapshot['sequence-number']), snapshot))
  return { newest, asked: null, commits, isFromStart: BigInt(snapshots.length) === last && isChain(snapshots) }
}

/** As far as there are versions, reads what the ones after a version did. */
export async function readCommits(
  session: LakeSession,
  { folder, version: after }: AskedLog,
  until: number,
): Promise<Commit[]> {
  const commits: Commit[] = []
  let before = after === null ? null : await readMetadata(session, folder, after)
  for (let version = (after ?? 0) + 1; version <= until; version++) {
    const metadata = await readMetadata(session, folder, version)
    commits.push(compare(null, version, before, metadata))
    before = metadata
  }
  return commits
}

export async function* readProperties(
  session: LakeSession,
  folder: string,
): AsyncGenerator<IcebergTable['properties']> {
  const versions = await listVersions(session.storage, folder)
  for (const version of versions.toReversed()) yield (await readMetadata(session, folder, version)).properties
}

export async function readMetadata(session: LakeSession, folder: string, version: number): Promise<TableMetadata> {
  const bytes = await session.storage.read(metadataPath(folder, version))
  if (bytes === null) throw hasGap(folder, version, version)
  try {
    return parseMetadata(Buffer.from(bytes).toString('utf8'))
  } catch (thrown) {
    throw damaged(folder, `version ${version} with metadata that can't be read`, thrown)
  }
}

/** The versions in order. Throws TARGET_MISMATCH if others than those of tables by path are there. */
export async function listVersions(storage: Pick<FileStorage, 'list'>, folder: string): Promise<number[]> {
  const versions: number[] = []
  for await (const { path } of storage.list(metadataFolder(folder), () => false)) {
    const name = nameOf(path.replaceAll('\\', '/'))
    const version = /^v(?<version>\d+)\.metadata\.json$/.exec(name)?.groups?.['version']
    if (version !== undefined) versions.push(Number(version))
    else if (/\.gz(?:\.|$)|\.metadata\.json$/.test(name)) throw notByPath(folder, name)
  }
  return versions.toSorted((one, other) => one - other)
}

/** Null if a manifest is not there any more. Throws TARGET_MISMATCH for one that can't be read. */
export async function readTable(
  session: LakeSession,
  folder: string,
  version: number,
  metadata: TableMetadata,
): Promise<IcebergTable | null> {
  try {
    return await readIcebergTable(session, folder, version, metadata)
  } catch (thrown) {
    if (thrown instanceof CatalogueError) throw thrown
    throw damaged(folder, `version ${version} with manifests that can't be read`, thrown)
  }
}

/** What a version did. `newest` is for the files that it added and that are still there. */
export function compare(
  newest: IcebergTable | null,
  version: number,
  before: TableMetadata | null,
  after: TableMetadata,
): Commit {
  const former = before && currentSnapshot(before)
  const snapshot = currentSnapshot(after)
  const changesColumns = before?.['current-schema-id'] !== after['current-schema-id']
  const isSame = snapshot?.['snapshot-id'] === former?.['snapshot-id']
  const follows = (snapshot?.['parent-snapshot-id'] ?? null) === (former?.['snapshot-id'] ?? null)
  // A table that was rolled back has an older snapshot.
  if (isSame || snapshot === null || !follows)
    return { version, load: null, isRearranging: isSame, changesColumns, added: [] }
  return { ...toCommit(newest, version, snapshot), changesColumns }
}

export function toCommit(newest: IcebergTable | null, version: number, snapshot: Snapshot): Commit {
  const { summary } = snapshot
  const load = summary[loadKey]
  const added = [...(newest?.files.values() ?? [])].filter(({ entry }) => entry.snapshot_id === snapshot['snapshot-id'])
  return {
    version,
    load: typeof load === 'string' ? Number(load) : null,
    isRearranging: summary.operation === 'replace',
    changesColumns: false,
    added: added.map(({ path }) => path),
  }
}

/** Whether each snapshot follows the one before, and the first none. */
function isChain(snapshots: readonly Snapshot[]): boolean {
  return snapshots.every(
    (each, at) => (each['parent-snapshot-id'] ?? null) === (snapshots[at - 1]?.['snapshot-id'] ?? null),
  )
}

function hasGap(folder: string, missing: number, newest: number): CatalogueError {
  const message = `${folder}: expected the metadata of every version up to ${newest}, got none of version ${missing}`
  return new CatalogueError('TARGET_MISMATCH', message, { fix: putBack })
}

export function lacksManifests(folder: string, version: number): CatalogueError {
  return damaged(folder, `version ${version} without its manifests or delete files`)
}

function damaged(folder: string, got: string, cause?: unknown): CatalogueError {
  const message = `${folder}: expected the metadata of an Iceberg table, got ${got}`
  return new CatalogueError('TARGET_MISMATCH', message, { cause, fix: putBack })
}

function notByPath(folder: string, name: string): CatalogueError {
  const message = `${folder}: expected a table whose versions are named v1.metadata.json and so on, got ${name}, as a catalog or compressed metadata has it`
  return new CatalogueError('TARGET_MISMATCH', message, {
    fix: 'Load the table over its catalog (`catalog`), or name another path: the next run fills a new table there.',
  })
}

const putBack =
  'Put the files of the folder `metadata` back, from a backup for instance. Or move the folder of the table away: the next run then makes a new one, without the earlier rows of a history or of mode append.'
