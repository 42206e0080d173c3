import { randomUUID } from 'node:crypto'
import { toCatalogueError } from '../../errors.ts'
import { readToolVersion } from '../../package-file.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import { recordColumns } from '../../records/record-table.ts'
import type { Column } from '../../records/flatten/column.ts'
import { type Action, applyActions, isWhole, type MetaData, noTable, type TableSnapshot } from './actions.ts'
import type { CheckedTable } from '../check-lake.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { tryCommit } from './commit-table.ts'
import { applicationId, type LakeOutputPlan, listLakeColumns, pipelineProperty, stateProperty } from '../lake-plan.ts'
import type { LakeSession } from '../lake-session.ts'
import type { PlannedTable } from '../plan-table.ts'
import { formatFields, formatSchema, listOtherFields } from './table-schema.ts'

/** What a load does to a table: one commit, or none if the table stays as it is. */
export interface TableChange {
  readonly folder: string
  /** The id of the table. */
  readonly id: string
  readonly token: string
  /** The table before; null if there is none. */
  readonly before: TableSnapshot | null
  /** Empty if there is nothing to commit. */
  readonly actions: readonly Action[]
}

export interface ChangeFacts {
  readonly token: string
  /** The number of the load. */
  readonly load: number
  readonly isRefreshed: boolean
  readonly descriptions: { readonly table: string; readonly columns: Readonly<Record<string, string>> }
  /** For the table of the state: the state. */
  readonly state?: string
}

/** `table` is null for the table of the state. */
export function toTableChange(
  plan: LakeOutputPlan,
  table: KeyedTable | null,
  { folder, log }: CheckedTable,
  { kept, added }: PlannedTable,
  facts: ChangeFacts,
): TableChange {
  const before = log?.newest ?? null
  const now = Date.now()
  const stays = new Set(kept.map(({ path }) => path))
  const there = before?.files ?? new Map()
  const removes = [...there.values()].filter(({ path }) => !stays.has(path))
  const adds = [...kept.filter(({ path }) => !there.has(path)), ...added]
  const metaData = toMetaData(plan, table, before, facts, now)
  const isNew = metaData !== before?.metaData
  const id = metaData.id
  const base = { folder, id, token: facts.token, before }
  if (removes.length === 0 && adds.length === 0 && !isNew) return { ...base, actions: [] }
  const actions: Action[] = [
    { commitInfo: toCommitInfo(plan, facts, { isNew: before === null, now, isAppend: removes.length === 0 }) },
    ...(before === null ? [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }] : []),
    ...(isNew ? [{ metaData: { ...metaData } }] : []),
    { txn: { appId: applicationId(plan), version: facts.load, lastUpdated: now } },
    ...removes.map(({ path, size, partitionValues }): Action => ({
      remove: {
        path,
        deletionTimestamp: now,
        dataChange: true,
        extendedFileMetadata: true,
        partitionValues: partitionValues ?? {},
        size,
      },
    })),
    ...adds.map((add): Action => ({ add: { ...add, dataChange: true } })),
  ]
  return { ...base, actions }
}

/** The version of the table then. Null if another commit came first. */
export async function commitChange(
  session: LakeSession,
  { folder, token, before, actions }: TableChange,
  { now, onWarning }: { readonly now: number; readonly onWarning?: ((message: string) => void) | undefined },
): Promise<number | null> {
  if (actions.length === 0) return before?.version ?? 0
  const version = (before?.version ?? -1) + 1
  if (!(await tryCommit(session, { folder, token, version, actions }))) return null
  const after = applyActions(before ?? noTable, actions, version)
  const interval = Number(after.metaData?.configuration?.['delta.checkpointInterval'] ?? usualInterval)
  if (version > 0 && version % interval === 0 && isWhole(after)) {
    try {
      await writeCheckpoint(session, folder, after, { token, now })
    } catch (thrown) {
      // Readers do without one.
      onWarning?.(`${folder}: version ${version} has no checkpoint: ${toCatalogueError(thrown).message}`)
    }
  }
  return version
}

const usualInterval = 10

/** The metadata before, if it says all that it has to. */
function toMetaData(
  plan: LakeOutputPlan,
  table: KeyedTable | null,
  before: TableSnapshot | null,
  { descriptions, isRefreshed, state }: ChangeFacts,
  now: number,
): MetaData {
  const columns = table === null ? stateColumns : listLakeColumns(plan, table)
  const others =
    plan.mode === 'append' && table !== null && before !== null
      ? listOtherFields(before.metaData.schemaString, columns)
      : []
  const schemaString = formatSchema(columns, descriptions.columns, others)
  if (before === null)
    return {
      id: randomUUID(),
      ...(descriptions.table !== '' && { description: descriptions.table }),
      format: { provider: 'parquet', options: {} },
      schemaString,
      partitionColumns: [],
      configuration: { [pipelineProperty]: plan.pipeline, ...(state !== undefined && { [stateProperty]: state }) },
      createdTime: now,
    }
  const { metaData } = before
  if (state !== undefined) return { ...metaData, configuration: { ...metaData.configuration, [stateProperty]: state } }
  const isSame = !isRefreshed && formatFields(schemaString) === formatFields(metaData.schemaString)
  return isSame || schemaString === metaData.schemaString ? metaData : { ...metaData, schemaString }
}

const stateColumns: readonly Column[] = [
  ...recordColumns,
  { name: 'valid_from', type: { kind: 'timestamp' }, list: false },
  { name: 'removed_at', type: { kind: 'timestamp' }, list: false },
]

function toCommitInfo(
  { mode }: LakeOutputPlan,
  { token, load, state }: ChangeFacts,
  { isNew, isAppend, now }: { readonly isNew: boolean; readonly isAppend: boolean; readonly now: number },
) {
  const { name, version } = readToolVersion()
  const operation = isNew ? 'CREATE TABLE AS SELECT' : mode === 'merge' || mode === 'history' ? 'MERGE' : 'WRITE'
  return {
    timestamp: now,
    operation: state === undefined ? operation : 'WRITE',
    operationParameters: { mode, load: String(load) },
    isBlindAppend: isAppend && mode === 'append',
    engineInfo: `${name}/${version}`,
    txnId: token,
  }
}
