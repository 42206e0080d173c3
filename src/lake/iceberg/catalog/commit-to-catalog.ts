import { CatalogueError } from '../../../errors.ts'
import type { CommitOptions, CommittedTable, LakeSession } from '../../lake-format.ts'
import { putCommit, writeForCommit } from '../../put-version.ts'
import type { IcebergTable } from '../iceberg-table.ts'
import { type IcebergChange, showSnapshot, stageVersion, type StagedVersion, toProperties } from '../table-change.ts'
import { currentSnapshot, type Snapshot } from '../table-metadata.ts'
import type { CatalogTables, TableCommit } from './catalog-tables.ts'

interface StagedCommit extends TableCommit {
  readonly before: IcebergTable
  readonly snapshot: Snapshot
}

/** Makes the next versions of tables of a catalog, in one request. Null if another commit came first. */
export async function commitToCatalog(
  session: LakeSession,
  tables: CatalogTables,
  changes: readonly IcebergChange[],
  { now }: CommitOptions,
): Promise<readonly CommittedTable[] | null> {
  return writeForCommit(session, async (write) => {
    const made: CommittedTable[] = []
    const commits: StagedCommit[] = []
    for (const change of changes) {
      if (change.log === null) throw wasDropped(change.folder)
      const { snapshot, columns } = await stageVersion(session, change, { now, write })
      const before = change.log.newest
      const current = snapshot ?? currentSnapshot(before.metadata)
      const version = Number(current?.['sequence-number'] ?? 0)
      made.push({ id: before.id, version, snapshot: showSnapshot(current) })
      if (snapshot === null) continue
      const facts = toProperties(change, made)
      commits.push({ folder: change.folder, before, snapshot, ...toCommit(before, snapshot, columns, facts) })
    }
    return commits.length === 0 || (await put(tables, commits)) ? made : null
  })
}

function toCommit(
  { metadata }: IcebergTable,
  snapshot: Snapshot,
  { schema, isSame, lastId }: StagedVersion['columns'],
  properties: Readonly<Record<string, string>>,
): Omit<TableCommit, 'folder'> {
  const main = { ref: 'main', 'snapshot-id': currentSnapshot(metadata)?.['snapshot-id'] ?? null }
  const isNew = !metadata.schemas.includes(schema)
  // -1 is the schema that was added last: the catalog chooses its id.
  const current = { action: 'set-current-schema', 'schema-id': isNew ? -1 : schema['schema-id'] }
  return {
    requirements: [
      { type: 'assert-table-uuid', uuid: metadata['table-uuid'] },
      { type: 'assert-ref-snapshot-id', ...main },
      { type: 'assert-current-schema-id', 'current-schema-id': metadata['current-schema-id'] },
      { type: 'assert-last-assigned-field-id', 'last-assigned-field-id': metadata['last-column-id'] },
    ],
    updates: [
      ...(isNew ? [{ action: 'add-schema', schema, 'last-column-id': lastId }] : []),
      ...(isSame ? [] : [current]),
      { action: 'set-properties', updates: properties },
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshot['snapshot-id'] },
    ],
  }
}

function put(tables: CatalogTables, commits: readonly StagedCommit[]): Promise<boolean> {
  return putCommit({
    shown: `${commits.map(({ folder }) => folder).join(', ')}: the commit`,
    put: () => tables.commit(commits),
    async find() {
      const found: ('own' | 'other' | 'none')[] = []
      for (const commit of commits) found.push(await find(tables, commit))
      if (found.every((each) => each === 'own')) return 'own'
      if (found.includes('own')) throw new Error('the catalog has made a part of it')
      return found.includes('other') ? 'other' : 'none'
    },
    mayComeLater: true,
    isRefusalFinal: true,
  })
}

/** Whose commit a table has since the version before. */
async function find(
  tables: CatalogTables,
  { folder, before, snapshot }: StagedCommit,
): Promise<'own' | 'other' | 'none'> {
  const loaded = await tables.load(folder)
  const { metadata } = loaded ?? {}
  if (metadata?.snapshots.some((each) => each['snapshot-id'] === snapshot['snapshot-id']) === true) return 'own'
  const isSame =
    metadata !== undefined &&
    metadata['table-uuid'] === before.id &&
    metadata['current-schema-id'] === before.metadata['current-schema-id'] &&
    currentSnapshot(metadata)?.['snapshot-id'] === currentSnapshot(before.metadata)?.['snapshot-id']
  return isSame ? 'none' : 'other'
}

function wasDropped(folder: string): CatalogueError {
  return new CatalogueError(
    'TARGET_FAILED',
    `${folder}: expected a table in the catalog, which was dropped meanwhile`,
    {
      title: 'A table of a lake could not be loaded',
      fix: 'Run again: the next run makes the table anew.',
    },
  )
}
