import { randomBytes, randomUUID } from 'node:crypto'
import { CatalogueError, toCatalogueError } from '../../errors.ts'
import type { FieldIds } from '../../formats/parquet/parquet-type.ts'
import { readToolVersion } from '../../package-file.ts'
import { joinPath } from '../../storage/paths.ts'
import {
  type CommitOptions,
  type CommittedTable,
  formatFields,
  type LakeSession,
  type TableChange,
  type WrittenFile,
} from '../lake-format.ts'
import { pipelineProperty, stateProperty } from '../lake-plan.ts'
import { putVersion } from '../put-version.ts'
import type { IcebergFile, IcebergTable } from './iceberg-table.ts'
import { metadataFolder, metadataPath, toLocation } from './locations.ts'
import {
  content,
  formatManifest,
  formatManifestList,
  type ManifestEntry,
  type ManifestFile,
  status,
} from './manifests.ts'
import { toMetrics } from './metrics.ts'
import { commitKey, type IcebergLog, listVersions, loadKey, readMetadata } from './read-log.ts'
import {
  currentSchema,
  currentSnapshot,
  formatMetadata,
  type SchemaEntry,
  type Snapshot,
  type TableMetadata,
  type TableSchema,
} from './table-metadata.ts'
import {
  columnsProperty,
  formatColumns,
  greatestId,
  numberColumns,
  toEntries,
  toFields,
  toSchema,
} from './table-schema.ts'

/** A change of a table that this format has read. */
export interface IcebergChange extends TableChange {
  readonly log: IcebergLog | null
  readonly kept: readonly IcebergFile[]
}

export function numberFields(log: IcebergLog | null, { columns }: Pick<TableChange, 'columns'>): readonly FieldIds[] {
  const { metadata } = log?.newest ?? {}
  return numberColumns(columns, metadata ? currentSchema(metadata).fields : [], metadata?.['last-column-id'] ?? 0)
}

/** Makes the next version of a table. Null if another commit came first. */
export async function commitChange(
  session: LakeSession,
  change: IcebergChange,
  { now, onWarning }: CommitOptions,
): Promise<CommittedTable | null> {
  const { folder, token, log } = change
  const before = log?.newest ?? null
  const files = planFiles(change, before)
  const columns = planColumns(change, before)
  const isSame = files.added.length === 0 && files.removed.length === 0 && columns.isSame && change.state === undefined
  const hint = async (made: number) => {
    await writeHint(session, folder, made, token).catch((thrown: unknown) => {
      // Readers look further from an older hint on, or at the files that are there; some take the older version.
      onWarning?.(`${folder}: version-hint.text does not say version ${made}: ${toCatalogueError(thrown).message}`)
    })
  }
  if (before !== null && isSame) {
    await hint(before.version)
    return { version: before.version, id: before.id }
  }
  const version = (before?.version ?? 0) + 1
  const written: string[] = []
  const write: WriteFile = async (name, bytes) => {
    const path = joinPath(metadataFolder(folder), name)
    written.push(path)
    // A name that is taken is this file, whose answer was lost: nobody else has the name.
    await session.storage.create(path, bytes)
    return toLocation(path)
  }
  const removeWritten = async () => {
    for (const path of written) await session.storage.remove(path)
  }
  try {
    const snapshot = await writeSnapshot(change, { before, files, schema: columns.schema, now, write })
    const metadata = toMetadata(change, { before, snapshot, columns, now })
    const isOurs = await putVersion(session, {
      folder,
      version,
      path: metadataPath(folder, version),
      bytes: formatMetadata(metadata),
      async find() {
        const versions = await listVersions(session.storage, folder)
        if (!versions.includes(version)) return 'none'
        const there = currentSnapshot(await readMetadata(session, folder, version))
        return there?.summary[commitKey] === token && there['snapshot-id'] === snapshot['snapshot-id'] ? 'own' : 'other'
      },
    })
    if (!isOurs) {
      await removeWritten()
      return null
    }
    await hint(version)
    return { version, id: metadata['table-uuid'] }
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError && thrown.code === 'TARGET_FAILED')) await removeWritten()
    throw thrown
  }
}

type WriteFile = (name: string, bytes: Buffer) => Promise<string>

interface PlannedFiles {
  readonly added: readonly WrittenFile[]
  readonly removed: readonly IcebergFile[]
}

function planFiles({ kept, added }: IcebergChange, before: IcebergTable | null): PlannedFiles {
  const stays = new Set(kept.map(({ path }) => path))
  return { added, removed: [...(before?.files.values() ?? [])].filter(({ path }) => !stays.has(path)) }
}

interface PlannedColumns {
  readonly schema: TableSchema
  readonly isSame: boolean
  readonly lastId: number
}

/** The schema before, if it says all that it has to. */
function planColumns(change: IcebergChange, before: IcebergTable | null): PlannedColumns {
  const { columns, keepsOthers, descriptions, isRefreshed } = change
  const ids = numberFields(change.log, change)
  const lastId = greatestId(ids, before?.metadata['last-column-id'] ?? 0)
  const entries = toEntries(columns, ids, descriptions.columns)
  if (before === null) return { schema: toSchema(0, entries), isSame: false, lastId }
  const former = currentSchema(before.metadata)
  const names = new Set(columns.map(({ name }) => name))
  const fields = [...(keepsOthers ? former.fields.filter(({ name }) => !names.has(name)) : []), ...entries]
  const next = Math.max(...before.metadata.schemas.map((each) => each['schema-id'])) + 1
  const schema = toSchema(next, fields)
  const isSameShape =
    formatFields(toFields({ ...before.metadata, schemas: [schema], 'current-schema-id': next })) ===
    formatFields(before.fields)
  const isSame = isRefreshed ? formatEntries(fields) === formatEntries(former.fields) : isSameShape
  return isSame ? { schema: former, isSame, lastId } : { schema, isSame, lastId }
}

/** Members in one order, whoever wrote them. */
function formatEntries(fields: readonly SchemaEntry[]): string {
  return JSON.stringify(fields.map(({ id, name, type, doc }) => [id, name, type, doc]))
}

interface SnapshotFacts {
  readonly before: IcebergTable | null
  readonly files: PlannedFiles
  readonly schema: TableSchema
  readonly now: number
  readonly write: WriteFile
}

/** Writes one manifest with what changes, and the list of those that stay as they are, and it. */
async function writeSnapshot(
  { log, columns, token, load, mode }: IcebergChange,
  { before, files: { added, removed }, schema, now, write }: SnapshotFacts,
): Promise<Snapshot> {
  const id = newSnapshotId(before)
  const name = randomUUID()
  const parent = before && (currentSnapshot(before.metadata)?.['snapshot-id'] ?? null)
  const sequence = (before?.metadata['last-sequence-number'] ?? 0n) + 1n
  const gone = new Set(removed.map(({ path }) => path))
  const manifests = (before?.manifests ?? []).filter(({ live }) => live.length > 0)
  const isTouched = ({ live }: (typeof manifests)[number]) => live.some((entry) => gone.has(entry.data_file.file_path))
  const isJoined = manifests.length >= mostManifests
  const rewritten = manifests.filter((manifest) => isJoined || isTouched(manifest))
  const ids = numberFields(log, { columns })
  const entries = [
    ...added.map((file) => toEntry(file, ids, id)),
    ...rewritten.flatMap(({ live }) =>
      live.map((entry): ManifestEntry =>
        gone.has(entry.data_file.file_path)
          ? { ...entry, status: status.deleted, snapshot_id: id }
          : { ...entry, status: status.existing },
      ),
    ),
  ]
  const list = manifests.filter((manifest) => !rewritten.includes(manifest)).map(({ file }) => file)
  if (entries.length > 0) {
    const bytes = formatManifest(entries, JSON.stringify(schema), schema['schema-id'])
    const path = await write(`${name}-m0.avro`, bytes)
    list.unshift(toManifestFile(entries, { path, length: bytes.length, id, sequence }))
  }
  const listBytes = formatManifestList(list, { id, parent, sequence })
  const all = [...list].reduce(
    (sum, file) => ({
      rows: sum.rows + file.added_rows_count + file.existing_rows_count,
      files: sum.files + file.added_files_count + file.existing_files_count,
    }),
    { rows: 0n, files: 0 },
  )
  const { name: tool, version } = readToolVersion()
  return {
    'snapshot-id': id,
    ...(parent !== null && { 'parent-snapshot-id': parent }),
    'sequence-number': sequence,
    'timestamp-ms': BigInt(now),
    'manifest-list': await write(`snap-${id}-1-${name}.avro`, listBytes),
    summary: {
      operation: removed.length === 0 ? 'append' : added.length === 0 ? 'delete' : 'overwrite',
      'added-data-files': String(added.length),
      'added-records': String(added.reduce((sum, { statistics }) => sum + statistics.rows, 0)),
      'added-files-size': String(added.reduce((sum, { size }) => sum + size, 0)),
      'deleted-data-files': String(removed.length),
      'deleted-records': String(removed.reduce((sum, { rows }) => sum + (rows ?? 0), 0)),
      'removed-files-size': String(removed.reduce((sum, { size }) => sum + size, 0)),
      'total-records': String(all.rows),
      'total-data-files': String(all.files),
      'total-delete-files': '0',
      'total-position-deletes': '0',
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

/** From so many manifests on, they become one. */
const mostManifests = 16

/** Positive, as all engines take them, and exact in those that have doubles alone. */
function newSnapshotId(before: IcebergTable | null): bigint {
  const id = randomBytes(8).readBigUInt64LE() >> 11n
  const isTaken = before?.metadata.snapshots.some((each) => each['snapshot-id'] === id) ?? false
  return id === 0n || isTaken ? newSnapshotId(before) : id
}

function toEntry({ path, size, statistics }: WrittenFile, ids: readonly FieldIds[], snapshot: bigint): ManifestEntry {
  return {
    status: status.added,
    snapshot_id: snapshot,
    data_file: {
      content: content.data,
      file_path: toLocation(path),
      file_format: 'PARQUET',
      partition: {},
      record_count: BigInt(statistics.rows),
      file_size_in_bytes: BigInt(size),
      ...toMetrics(statistics, ids),
      sort_order_id: 0,
    },
  }
}

function toManifestFile(
  entries: readonly ManifestEntry[],
  {
    path,
    length,
    id,
    sequence,
  }: { readonly path: string; readonly length: number; readonly id: bigint; readonly sequence: bigint },
): ManifestFile {
  const of = (wanted: number) => entries.filter((entry) => entry.status === wanted)
  const [existing, added, deleted] = [of(status.existing), of(status.added), of(status.deleted)]
  const sequences = existing.map((entry) => entry.sequence_number ?? sequence)
  return {
    manifest_path: path,
    manifest_length: BigInt(length),
    partition_spec_id: 0,
    content: content.data,
    sequence_number: sequence,
    min_sequence_number: sequences.reduce((least, each) => (each < least ? each : least), sequence),
    added_snapshot_id: id,
    added_files_count: added.length,
    existing_files_count: existing.length,
    deleted_files_count: deleted.length,
    added_rows_count: sumRows(added),
    existing_rows_count: sumRows(existing),
    deleted_rows_count: sumRows(deleted),
  }
}

function sumRows(entries: readonly ManifestEntry[]): bigint {
  return entries.reduce((sum, entry) => sum + entry.data_file.record_count, 0n)
}

interface MetadataFacts {
  readonly before: IcebergTable | null
  readonly snapshot: Snapshot
  readonly columns: PlannedColumns
  readonly now: number
}

function toMetadata(change: IcebergChange, { before, snapshot, columns, now }: MetadataFacts): TableMetadata {
  const { folder, pipeline, descriptions } = change
  const state = change.state?.([])
  const { schema, lastId } = columns
  const at = BigInt(now)
  const id = snapshot['snapshot-id']
  const changed = {
    'last-sequence-number': snapshot['sequence-number'],
    'last-updated-ms': at,
    'last-column-id': lastId,
    'current-schema-id': schema['schema-id'],
    'current-snapshot-id': id,
  }
  const logged = { 'timestamp-ms': at, 'snapshot-id': id }
  const facts = {
    [columnsProperty]: formatColumns(change.columns),
    ...(state !== undefined && { [stateProperty]: state }),
  }
  if (before === null)
    return {
      'format-version': 2,
      'table-uuid': randomUUID(),
      location: toLocation(folder),
      ...changed,
      schemas: [schema],
      'partition-specs': [{ 'spec-id': 0, fields: [] }],
      'default-spec-id': 0,
      'last-partition-id': 999,
      'sort-orders': [{ 'order-id': 0, fields: [] }],
      'default-sort-order-id': 0,
      properties: {
        [pipelineProperty]: pipeline,
        ...(descriptions.table !== '' && { comment: descriptions.table }),
        ...facts,
      },
      snapshots: [snapshot],
      'snapshot-log': [logged],
      'metadata-log': [],
      refs: { main: { 'snapshot-id': id, type: 'branch' } },
    }
  const { metadata, version } = before
  const earlier = {
    'timestamp-ms': metadata['last-updated-ms'],
    'metadata-file': toLocation(metadataPath(folder, version)),
  }
  return {
    ...metadata,
    ...changed,
    schemas: columns.isSame ? metadata.schemas : [...metadata.schemas, schema],
    properties: { ...metadata.properties, ...facts },
    snapshots: [...metadata.snapshots, snapshot],
    'snapshot-log': [...metadata['snapshot-log'], logged],
    'metadata-log': [...metadata['metadata-log'], earlier].slice(-mostLogged),
    refs: { ...metadata.refs, main: { ...metadata.refs['main'], 'snapshot-id': id, type: 'branch' } },
  }
}

/** As many earlier versions as Iceberg's own writers name. */
const mostLogged = 100

/** Says which version is the newest, if the hint does not say it already. */
async function writeHint({ storage }: LakeSession, folder: string, version: number, token: string): Promise<void> {
  const path = joinPath(metadataFolder(folder), 'version-hint.text')
  const there = await storage.read(path)
  if (there !== null && Buffer.from(there).toString() === String(version)) return
  const staged = await storage.openFile(path, { token })
  try {
    await staged.write(Buffer.from(String(version)))
    const { sha256 } = await staged.finish()
    await storage.place({ path: staged.path, destination: staged.destination, sha256 })
    // Spark keeps one beside a file on a disk, and takes another content for damage.
    await storage.remove(joinPath(metadataFolder(folder), '.version-hint.text.crc'))
  } catch (thrown) {
    await staged.discard()
    throw thrown
  }
}
