import { randomBytes, randomUUID } from 'node:crypto'
import type { FieldIds } from '../../formats/parquet/parquet-type.ts'
import { readToolVersion } from '../../package-file.ts'
import { joinPath } from '../../storage/paths.ts'
import type { LakeSession, TableChange, WrittenFile } from '../lake-format.ts'
import type { IcebergFile, IcebergTable, Manifest } from './iceberg-table.ts'
import { dataFolder, metadataFolder, toLocation } from './locations.ts'
import {
  content,
  formatManifest,
  formatManifestList,
  type ManifestDataFile,
  type ManifestEntry,
  type ManifestFile,
  status,
} from './manifests.ts'
import { toMetrics } from './metrics.ts'
import { formatPositions, isSamePositions, type Positions, toDeleteFile } from './position-deletes.ts'
import { commitKey, loadKey } from './read-log.ts'
import { currentSnapshot, type Snapshot, type TableSchema } from './table-metadata.ts'

/** What a load makes of the files of a table. */
export interface FileChanges {
  readonly added: readonly WrittenFile[]
  readonly removed: readonly IcebergFile[]
  /** The deleted rows of the files that stay; null if the delete files stay as they are. */
  readonly positions: Positions | null
}

export function toFileChanges(
  { kept, added, deletions }: Pick<TableChange, 'added' | 'deletions'> & { readonly kept: readonly IcebergFile[] },
  before: IcebergTable | null,
): FileChanges {
  const stays = new Set(kept.map(({ path }) => path))
  const positions = new Map(
    kept.flatMap((file) => {
      const rows = deletions.get(file) ?? file.deletedRows
      return rows.length === 0 ? [] : [[file.path, rows] as const]
    }),
  )
  return {
    added,
    removed: [...(before?.files.values() ?? [])].filter(({ path }) => !stays.has(path)),
    positions: isSamePositions(positions, before?.positions ?? new Map()) ? null : positions,
  }
}

interface SnapshotFacts {
  readonly before: IcebergTable | null
  readonly files: FileChanges
  readonly schema: TableSchema
  readonly ids: readonly FieldIds[]
  readonly now: number
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
}

/** Writes manifests with what changes, and the list of those that stay as they are, and them. */
export async function writeSnapshot(
  session: LakeSession,
  { folder, token, load, mode }: Pick<TableChange, 'folder' | 'token' | 'load' | 'mode'>,
  { before, files: { added, removed, positions }, schema, ids, now, write }: SnapshotFacts,
): Promise<Snapshot> {
  const id = newSnapshotId(before)
  const name = randomUUID()
  const parent = before && (currentSnapshot(before.metadata)?.['snapshot-id'] ?? null)
  const sequence = (before?.metadata['last-sequence-number'] ?? 0n) + 1n
  const formerDeletes = (before?.deletes ?? []).flatMap(({ live }) => live)
  const writesDeletes = positions !== null && positions.size > 0
  const addedDeletes: ManifestDataFile[] = []
  if (writesDeletes) {
    const bytes = await formatPositions(session, positions)
    const path = joinPath(dataFolder(folder), `deletes-${name}.parquet`)
    await write(path, bytes)
    addedDeletes.push(toDeleteFile(toLocation(path), bytes.length, positions))
  }
  const writeManifests = async (kind: keyof typeof content, change: ManifestChange) => {
    const { entries, kept } = toManifestEntries(change, id)
    if (entries.length === 0) return kept
    const bytes = formatManifest(entries, { kind, schema: JSON.stringify(schema), schemaId: schema['schema-id'] })
    const path = joinPath(metadataFolder(folder), `${name}-m${content[kind]}.avro`)
    await write(path, bytes)
    return [toManifestFile(entries, { path: toLocation(path), length: bytes.length, id, sequence, kind }), ...kept]
  }
  const list = [
    ...(await writeManifests('data', {
      manifests: before?.manifests ?? [],
      added: added.map((file) => toDataFile(file, ids)),
      gone: new Set(removed.map(({ path }) => path)),
    })),
    ...(await writeManifests('deletes', {
      manifests: before?.deletes ?? [],
      added: addedDeletes,
      gone: new Set(positions === null ? [] : formerDeletes.map(({ data_file }) => data_file.file_path)),
    })),
  ]
  const listPath = joinPath(metadataFolder(folder), `snap-${id}-1-${name}.avro`)
  await write(listPath, formatManifestList(list, { id, parent, sequence }))
  const removedDeletes = positions === null ? [] : formerDeletes
  const left = positions === null ? formerDeletes.map(({ data_file }) => data_file) : addedDeletes
  const all = list
    .filter((file) => file.content === content.data)
    .reduce(
      (sum, file) => ({
        rows: sum.rows + file.added_rows_count + file.existing_rows_count,
        files: sum.files + file.added_files_count + file.existing_files_count,
      }),
      { rows: 0n, files: 0 },
    )
  const { name: tool, version } = readToolVersion()
  const isAppend = removed.length === 0 && positions === null
  const isReturning = sumRows(left) < sumRows(formerDeletes.map(({ data_file }) => data_file))
  return {
    'snapshot-id': id,
    ...(parent !== null && { 'parent-snapshot-id': parent }),
    'sequence-number': sequence,
    'timestamp-ms': BigInt(now),
    'manifest-list': toLocation(listPath),
    summary: {
      operation: isAppend ? 'append' : added.length === 0 && !isReturning ? 'delete' : 'overwrite',
      'added-data-files': String(added.length),
      'added-records': String(added.reduce((sum, { statistics }) => sum + statistics.rows, 0)),
      'added-files-size': String(added.reduce((sum, { size }) => sum + size, 0)),
      'deleted-data-files': String(removed.length),
      'deleted-records': String(removed.reduce((sum, { entry }) => sum + entry.data_file.record_count, 0n)),
      'removed-files-size': String(removed.reduce((sum, { size }) => sum + size, 0)),
      ...(addedDeletes.length > 0 && {
        'added-delete-files': String(addedDeletes.length),
        'added-position-delete-files': String(addedDeletes.length),
        'added-position-deletes': String(sumRows(addedDeletes)),
      }),
      ...(removedDeletes.length > 0 && {
        'removed-delete-files': String(removedDeletes.length),
        'removed-position-delete-files': String(removedDeletes.length),
        'removed-position-deletes': String(sumRows(removedDeletes.map(({ data_file }) => data_file))),
      }),
      'total-records': String(all.rows),
      'total-data-files': String(all.files),
      'total-delete-files': String(left.length),
      'total-position-deletes': String(sumRows(left)),
      'total-equality-deletes': '0',
      'engine-name': tool,
      'engine-version': version,
      'catalogue-etl.mode': mode,
      [loadKey]: String(load),
      [commitKey]: token,
    },
    'schema-id': schema['schema-id'],
  }
}

interface ManifestChange {
  readonly manifests: readonly Manifest[]
  readonly added: readonly ManifestDataFile[]
  /** The addresses of the files that go. */
  readonly gone: ReadonlySet<string>
}

/** The entries of a new manifest, and the manifests that stay as they are. */
function toManifestEntries(
  { manifests, added, gone }: ManifestChange,
  snapshot: bigint,
): { readonly entries: readonly ManifestEntry[]; readonly kept: readonly ManifestFile[] } {
  const isGone = ({ data_file }: ManifestEntry) => gone.has(data_file.file_path)
  const alive = manifests.filter(({ live }) => live.length > 0)
  const isJoined = alive.length >= mostManifests
  const isRewritten = ({ live }: Manifest) => isJoined || live.some(isGone)
  const entries = [
    ...added.map((file): ManifestEntry => ({ status: status.added, snapshot_id: snapshot, data_file: file })),
    ...alive
      .filter(isRewritten)
      .flatMap(({ live }) =>
        live.map((entry): ManifestEntry =>
          isGone(entry)
            ? { ...entry, status: status.deleted, snapshot_id: snapshot }
            : { ...entry, status: status.existing },
        ),
      ),
  ]
  return { entries, kept: alive.filter((each) => !isRewritten(each)).map(({ file }) => file) }
}

/** From so many manifests on, they become one. */
const mostManifests = 16

/** Positive, as all engines take them, and exact in those that have doubles alone. */
function newSnapshotId(before: IcebergTable | null): bigint {
  const id = randomBytes(8).readBigUInt64LE() >> 11n
  const isTaken = before?.metadata.snapshots.some((each) => each['snapshot-id'] === id) ?? false
  return id === 0n || isTaken ? newSnapshotId(before) : id
}

function toDataFile({ path, size, statistics }: WrittenFile, ids: readonly FieldIds[]): ManifestDataFile {
  return {
    content: content.data,
    file_path: toLocation(path),
    file_format: 'PARQUET',
    partition: {},
    record_count: BigInt(statistics.rows),
    file_size_in_bytes: BigInt(size),
    ...toMetrics(statistics, ids),
    sort_order_id: 0,
  }
}

interface WrittenManifest {
  readonly path: string
  readonly length: number
  readonly id: bigint
  readonly sequence: bigint
  readonly kind: keyof typeof content
}

function toManifestFile(
  entries: readonly ManifestEntry[],
  { path, length, id, sequence, kind }: WrittenManifest,
): ManifestFile {
  const of = (wanted: number) => entries.filter((entry) => entry.status === wanted)
  const [existing, added, deleted] = [of(status.existing), of(status.added), of(status.deleted)]
  const sequences = existing.map((entry) => entry.sequence_number ?? sequence)
  return {
    manifest_path: path,
    manifest_length: BigInt(length),
    partition_spec_id: 0,
    content: content[kind],
    sequence_number: sequence,
    min_sequence_number: sequences.reduce((least, each) => (each < least ? each : least), sequence),
    added_snapshot_id: id,
    added_files_count: added.length,
    existing_files_count: existing.length,
    deleted_files_count: deleted.length,
    added_rows_count: sumEntryRows(added),
    existing_rows_count: sumEntryRows(existing),
    deleted_rows_count: sumEntryRows(deleted),
  }
}

function sumEntryRows(entries: readonly ManifestEntry[]): bigint {
  return sumRows(entries.map(({ data_file }) => data_file))
}

function sumRows(files: readonly ManifestDataFile[]): bigint {
  return files.reduce((sum, { record_count }) => sum + record_count, 0n)
}
