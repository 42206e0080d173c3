import { randomUUID } from 'node:crypto'
import { toCatalogueError } from '../../errors.ts'
import { readToolVersion } from '../../package-file.ts'
import { toRelativePath } from '../../storage/paths.ts'
import {
  type CommitOptions,
  type CommittedTable,
  formatFields,
  type LakeSession,
  type TableChange,
  type WrittenFile,
} from '../lake-format.ts'
import { applicationId, pipelineProperty, stateProperty } from '../lake-plan.ts'
import {
  type Action,
  type AddFile,
  applyActions,
  isWhole,
  type MetaData,
  noTable,
  type ReplayedLog,
} from './actions.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { tryCommit } from './commit-table.ts'
import type { DeltaFile } from './delta-table.ts'
import { formatStatistics } from './format-statistics.ts'
import type { DeltaLog } from './read-log.ts'
import { formatSchema, listOtherFields, parseSchema } from './table-schema.ts'

/** A change of a table that this format has read. */
export interface DeltaChange extends TableChange {
  readonly log: DeltaLog | null
  readonly kept: readonly DeltaFile[]
}

/** Makes the next version of a table. Null if another commit came first. */
export async function commitChange(
  session: LakeSession,
  change: DeltaChange,
  { now, onWarning }: CommitOptions,
): Promise<CommittedTable | null> {
  const { folder, token } = change
  const before = change.log?.newest.replayed ?? null
  const { id, actions } = toActions(change)
  if (actions.length === 0) return { version: before?.version ?? 0, id }
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
  return { version, id }
}

/** The actions of a commit, none if there is nothing to commit. */
function toActions(change: DeltaChange): { readonly id: string; readonly actions: readonly Action[] } {
  const { folder, log, kept, added, load } = change
  const before = log?.newest.replayed ?? null
  const now = Date.now()
  const stays = new Set(kept.map(({ path }) => path))
  const there = before?.files ?? new Map<string, AddFile>()
  const removes = [...there.values()].filter(({ path }) => !stays.has(path))
  const returns = kept.flatMap(({ add }) => (there.has(add.path) ? [] : [add]))
  const adds = [...returns, ...added.map((file) => toAdd(folder, file, now))]
  const metaData = toMetaData(change, before, now)
  const isNew = metaData !== before?.metaData
  const { id } = metaData
  if (removes.length === 0 && adds.length === 0 && !isNew) return { id, actions: [] }
  const actions: Action[] = [
    { commitInfo: toCommitInfo(change, { isNew: before === null, now, isAppend: removes.length === 0 }) },
    ...(before === null ? [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }] : []),
    ...(isNew ? [{ metaData: { ...metaData } }] : []),
    { txn: { appId: applicationId(change.pipeline), version: load, lastUpdated: now } },
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
  return { id, actions }
}

function toAdd(folder: string, { path, size, statistics }: WrittenFile, now: number): AddFile {
  return {
    path: encodeURI(toRelativePath(folder, path) ?? path),
    partitionValues: {},
    size,
    modificationTime: now,
    dataChange: true,
    stats: formatStatistics(statistics),
  }
}

const usualInterval = 10

/** The metadata before, if it says all that it has to. */
function toMetaData(change: DeltaChange, before: ReplayedLog | null, now: number): MetaData {
  const { pipeline, columns, keepsOthers, descriptions, isRefreshed } = change
  const state = change.state?.([])
  const others = keepsOthers && before !== null ? listOtherFields(before.metaData.schemaString, columns) : []
  const schemaString = formatSchema(columns, descriptions.columns, others)
  if (before === null)
    return {
      id: randomUUID(),
      ...(descriptions.table !== '' && { description: descriptions.table }),
      format: { provider: 'parquet', options: {} },
      schemaString,
      partitionColumns: [],
      configuration: { [pipelineProperty]: pipeline, ...(state !== undefined && { [stateProperty]: state }) },
      createdTime: now,
    }
  const { metaData } = before
  if (state !== undefined) return { ...metaData, configuration: { ...metaData.configuration, [stateProperty]: state } }
  const isSame =
    !isRefreshed && formatFields(parseSchema(schemaString)) === formatFields(parseSchema(metaData.schemaString))
  return isSame || schemaString === metaData.schemaString ? metaData : { ...metaData, schemaString }
}

function toCommitInfo(
  { mode, token, load }: DeltaChange,
  { isNew, isAppend, now }: { readonly isNew: boolean; readonly isAppend: boolean; readonly now: number },
) {
  const { name, version } = readToolVersion()
  const isMerge = mode === 'merge' || mode === 'history'
  const operation = isNew && mode !== 'state' ? 'CREATE TABLE AS SELECT' : isMerge ? 'MERGE' : 'WRITE'
  return {
    timestamp: now,
    operation,
    operationParameters: { mode, load: String(load) },
    isBlindAppend: isAppend && mode === 'append',
    engineInfo: `${name}/${version}`,
    txnId: token,
  }
}
