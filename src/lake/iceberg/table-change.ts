import { randomUUID } from 'node:crypto'
import { toCatalogueError } from '../../errors.ts'
import type { FieldIds } from '../../formats/parquet/parquet-type.ts'
import { joinPath } from '../../storage/paths.ts'
import {
  type CommitOptions,
  type CommittedTable,
  formatFields,
  type LakeSession,
  type TableChange,
} from '../lake-format.ts'
import { pipelineProperty, stateProperty } from '../lake-plan.ts'
import { putVersion, writeForCommit } from '../put-version.ts'
import type { IcebergFile, IcebergTable } from './iceberg-table.ts'
import { metadataFolder, metadataPath, toLocation } from './locations.ts'
import { commitKey, type IcebergLog, listVersions, readMetadata } from './read-log.ts'
import { type FileChanges, toFileChanges, writeSnapshot } from './snapshot.ts'
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
  const version = (before?.version ?? 0) + 1
  const committed = await writeForCommit(session, async (write): Promise<CommittedTable | null> => {
    const staged = await stageVersion(session, change, { now, write })
    const { snapshot } = staged
    if (before !== null && snapshot === null)
      return { version: before.version, snapshot: showSnapshot(currentSnapshot(before.metadata)), id: before.id }
    const metadata = toMetadata(change, { ...staged, now })
    const isOurs = await putVersion(session, {
      folder,
      version,
      path: metadataPath(folder, version),
      bytes: formatMetadata(metadata),
      async find() {
        const versions = await listVersions(session.storage, folder)
        if (!versions.includes(version)) return 'none'
        const there = currentSnapshot(await readMetadata(session, folder, version))
        const isSame = there?.['snapshot-id'] === snapshot?.['snapshot-id']
        return isSame && there?.summary[commitKey] === token ? 'own' : 'other'
      },
    })
    return isOurs ? { version, snapshot: showSnapshot(snapshot), id: metadata['table-uuid'] } : null
  })
  if (committed === null) return null
  await writeHint(session, folder, committed.version, token).catch((thrown: unknown) => {
    // Readers look further from an older hint on, or at the files that are there; some take the older version.
    const { message } = toCatalogueError(thrown)
    onWarning?.(`${folder}: version-hint.text does not say version ${committed.version}: ${message}`)
  })
  return committed
}

export interface StagedVersion {
  readonly before: IcebergTable | null
  readonly columns: PlannedColumns
  /** Null if the table stays as it is. */
  readonly snapshot: Snapshot | null
}

interface StageOptions {
  readonly now: number
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>
}

/** Writes the manifests of the next version of a table. */
export async function stageVersion(
  session: LakeSession,
  change: IcebergChange,
  options: StageOptions,
): Promise<StagedVersion> {
  const before = change.log?.newest ?? null
  const files = toFileChanges(change, before)
  const columns = planColumns(change, before)
  const isSame = !changesFiles(files) && columns.isSame && change.state === undefined
  if (before !== null && isSame) return { before, columns, snapshot: null }
  const ids = numberFields(change.log, change)
  const { schema } = columns
  return { before, columns, snapshot: await writeSnapshot(session, change, { before, files, schema, ids, ...options }) }
}

/** The properties that a load sets each time. */
export function toProperties(
  { columns, state }: IcebergChange,
  made: readonly CommittedTable[],
): Record<string, string> {
  return { [columnsProperty]: formatColumns(columns), ...(state !== undefined && { [stateProperty]: state(made) }) }
}

/** The id as text, as a number may not hold it. */
export function showSnapshot(snapshot: Snapshot | null): string | undefined {
  return snapshot?.['snapshot-id'].toString()
}

function changesFiles({ added, removed, positions }: FileChanges): boolean {
  return added.length > 0 || removed.length > 0 || positions !== null
}

export interface PlannedColumns {
  /** One of the table, or a new one. */
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
  if (isSame) return { schema: former, isSame, lastId }
  const again = before.metadata.schemas.find((each) => formatEntries(each.fields) === formatEntries(fields))
  return { schema: again ?? schema, isSame, lastId }
}

/** Members in one order, whoever wrote them. */
function formatEntries(fields: readonly SchemaEntry[]): string {
  return JSON.stringify(fields.map(({ id, name, type, doc }) => [id, name, type, doc]))
}

function toMetadata(
  change: IcebergChange,
  { before, snapshot, columns, now }: StagedVersion & { readonly now: number },
): TableMetadata {
  const { folder, pipeline, descriptions } = change
  const { schema, lastId } = columns
  const at = BigInt(now)
  if (snapshot === null) throw new TypeError(`${folder}: expected a version with a snapshot`)
  const id = snapshot['snapshot-id']
  const changed = {
    'last-sequence-number': snapshot['sequence-number'],
    'last-updated-ms': at,
    'last-column-id': lastId,
    'current-schema-id': schema['schema-id'],
    'current-snapshot-id': id,
  }
  const logged = { 'timestamp-ms': at, 'snapshot-id': id }
  const facts = toProperties(change, [])
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
    schemas: metadata.schemas.includes(schema) ? metadata.schemas : [...metadata.schemas, schema],
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
export async function writeHint(
  { storage }: LakeSession,
  folder: string,
  version: number,
  token: string,
): Promise<void> {
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
