import type { Commit, LakeSession } from '../../lake-format.ts'
import { fromLocation } from '../locations.ts'
import { compare, type IcebergLog, lacksManifests, readTable, toCommit, toWholeLog } from '../read-log.ts'
import { currentSnapshot, parseMetadata, type Snapshot, type TableMetadata } from '../table-metadata.ts'
import type { IcebergTable } from '../iceberg-table.ts'
import type { LoadedTable } from './catalog-tables.ts'

/**
 * Tells what was done to a table since a version. The version of a table in a catalog is the sequence number of its snapshot, 0 before
 * the first.
 */
export async function readCatalogLog(
  session: LakeSession,
  { folder, metadata }: LoadedTable,
  asked: number | null,
): Promise<IcebergLog> {
  const newest = await readTable(session, folder, versionOf(metadata), metadata)
  if (newest === null) throw lacksManifests(folder, versionOf(metadata))
  if (asked === null) return toWholeLog(newest)
  const then = toVersion(metadata, asked)
  const commits = listSince(newest, asked) ?? (await readSince(session, folder, newest, asked))
  const askedTable = then && (await readTable(session, folder, asked, then))
  // Without a way from one to the other, it was rolled back or replaced.
  if (commits === null && askedTable !== null)
    return { newest, asked: askedTable, commits: [replaced(newest)], isFromStart: false }
  if (commits === null) return toWholeLog(newest)
  // An engine may have forgotten snapshots whose rows are those of the newest.
  const isMoved = commits.every(({ isRearranging }) => isRearranging)
  return { newest, asked: askedTable ?? (isMoved ? newest : null), commits, isFromStart: false }
}

function versionOf(metadata: TableMetadata): number {
  return Number(currentSnapshot(metadata)?.['sequence-number'] ?? 0)
}

/** The metadata as it was with the snapshot of a version; null if that is gone. */
function toVersion(metadata: TableMetadata, version: number): TableMetadata | null {
  if (version === 0) return { ...metadata, 'current-snapshot-id': null }
  const snapshot = metadata.snapshots.find((each) => Number(each['sequence-number']) === version)
  if (snapshot === undefined) return null
  const schema = snapshot['schema-id'] ?? metadata['current-schema-id']
  return { ...metadata, 'current-snapshot-id': snapshot['snapshot-id'], 'current-schema-id': schema }
}

/** The commits from a version to the newest; null if the snapshots don't lead from one to the other. */
function listSince(newest: IcebergTable, version: number): Commit[] | null {
  const { metadata } = newest
  const since: Snapshot[] = []
  let at = currentSnapshot(metadata)
  while (at !== null && Number(at['sequence-number']) !== version) {
    since.unshift(at)
    const parent: bigint | null = at['parent-snapshot-id'] ?? null
    if (parent === null && version !== 0) return null
    const before = metadata.snapshots.find((each) => each['snapshot-id'] === parent) ?? null
    if (before === null && parent !== null) return null
    at = before
  }
  if (at === null && version !== 0) return null
  let schema = at?.['schema-id'] ?? null
  const commits = since.map((snapshot) => {
    const changesColumns = (snapshot['schema-id'] ?? schema) !== schema
    schema = snapshot['schema-id'] ?? schema
    return { ...toCommit(newest, Number(snapshot['sequence-number']), snapshot), changesColumns }
  })
  if (schema === null || schema === metadata['current-schema-id']) return commits
  const altered = { version: newest.version, load: null, isRearranging: true, changesColumns: true, added: [] }
  return [...commits, altered]
}

/** The commits since a version whose snapshot is gone, by the metadata files before; null if these are gone, too. */
async function readSince(
  session: LakeSession,
  folder: string,
  newest: IcebergTable,
  version: number,
): Promise<Commit[] | null> {
  const commits: Commit[] = []
  let after = newest.metadata
  for (const { 'metadata-file': file } of after['metadata-log'].toReversed()) {
    const bytes = file.includes('.gz') ? null : await session.storage.read(fromLocation(folder, file))
    if (bytes === null) return null
    const before = parseMetadata(Buffer.from(bytes).toString('utf8'))
    commits.unshift(compare(newest, versionOf(after), before, after))
    if (versionOf(before) === version) return commits
    after = before
  }
  return null
}

/** Those of now, and of the earlier metadata files that the catalog has kept. */
export async function* readCatalogProperties(
  session: LakeSession,
  { folder, metadata }: LoadedTable,
): AsyncGenerator<TableMetadata['properties']> {
  yield metadata.properties
  for (const { 'metadata-file': file } of metadata['metadata-log'].toReversed()) {
    const bytes = file.includes('.gz') ? null : await session.storage.read(fromLocation(folder, file))
    if (bytes === null) return
    yield parseMetadata(Buffer.from(bytes).toString('utf8')).properties
  }
}

/** Its rows are others, whatever was done. */
function replaced({ version }: IcebergTable): Commit {
  return { version, load: null, isRearranging: false, changesColumns: false, added: [] }
}
