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
import { writeForCommit } from '../put-version.ts'
import { applicationId, feedProperty, pipelineProperty, stateProperty } from '../lake-plan.ts'
import {
  type Action,
  type AddFile,
  applyActions,
  isWhole,
  type MetaData,
  noTable,
  type ReplayedLog,
  toFileKey,
} from './actions.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { changeFeedProperty } from './check-table.ts'
import { tryCommit } from './commit-table.ts'
import { formatVectors, type VectorFile } from './deletion-vectors.ts'
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
  // Of this attempt alone: an earlier one may still come.
  const txnId = randomUUID()
  const before = change.log?.newest.replayed ?? null
  const version = (before?.version ?? -1) + 1
  const committed = await writeForCommit(session, async (write) => {
    const { vectorFile, adds } = addDeletions(change)
    const { id, actions } = toActions(change, adds, txnId)
    if (actions.length === 0) return { id, actions }
    if (vectorFile !== null) await write(vectorFile.path, vectorFile.bytes)
    return (await tryCommit(session, { folder, txnId, version, actions })) ? { id, actions } : null
  })
  if (committed === null) return null
  const { id, actions } = committed
  if (actions.length === 0) return { version: before?.version ?? 0, id }
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

/** The kept files with their deletions, and the file that these are in. */
function addDeletions({ folder, kept, deletions }: DeltaChange): {
  readonly vectorFile: VectorFile | null
  readonly adds: readonly AddFile[]
} {
  if (deletions.size === 0) return { vectorFile: null, adds: kept.map(({ add }) => add) }
  const files = [...deletions.keys()]
  const vectorFile = formatVectors(folder, [...deletions.values()])
  const adds = kept.map((file): AddFile => {
    const vector = vectorFile.vectors[files.indexOf(file)]
    return vector === undefined ? file.add : { ...file.add, deletionVector: vector, stats: widen(file.add.stats) }
  })
  return { vectorFile, adds }
}

/** Says that bounds may be those of deleted rows. */
function widen(stats: string | null | undefined): string | null | undefined {
  // Not a column of that name, which has a bound or a count.
  const said = /"tightBounds":\s*(?:true|false)/
  return stats && said.test(stats)
    ? stats.replace(said, '"tightBounds":false')
    : stats?.replace('{', '{"tightBounds":false,')
}

/** The actions of a commit, none if there is nothing to commit. */
function toActions(
  change: DeltaChange,
  kept: readonly AddFile[],
  txnId: string,
): { readonly id: string; readonly actions: readonly Action[] } {
  const { folder, log, added, feed, load } = change
  const before = log?.newest.replayed ?? null
  const now = Date.now()
  const stays = new Set(kept.map(toFileKey))
  const there = [...(before?.files.values() ?? [])]
  const isThere = new Set(there.map(toFileKey))
  const removes = there.filter((file) => !stays.has(toFileKey(file)))
  const returns = kept.filter((file) => !isThere.has(toFileKey(file)))
  const adds = [...returns, ...added.map((file) => toAdd(folder, file, now))]
  const metaData = toMetaData(change, before, now)
  const isNew = metaData !== before?.metaData
  const { id } = metaData
  if (removes.length === 0 && adds.length === 0 && !isNew) return { id, actions: [] }
  // Readers of a feed find nothing in such files.
  const dataChange = feed?.length !== 0
  const actions: Action[] = [
    { commitInfo: toCommitInfo(change, txnId, { isNew: before === null, now, isAppend: removes.length === 0 }) },
    ...toProtocol(before, listUsed(metaData)),
    ...(isNew ? [{ metaData: { ...metaData } }] : []),
    { txn: { appId: applicationId(change.pipeline), version: load, lastUpdated: now } },
    ...removes.map(({ path, size, partitionValues, deletionVector }): Action => ({
      remove: {
        path,
        deletionTimestamp: now,
        dataChange,
        extendedFileMetadata: true,
        partitionValues: partitionValues ?? {},
        size,
        ...(deletionVector && { deletionVector }),
      },
    })),
    ...adds.map((add): Action => ({ add: { ...add, dataChange } })),
    ...(feed ?? []).map(({ path, bytes }): Action => ({
      cdc: { path: toLoggedPath(folder, path), partitionValues: {}, size: bytes, dataChange: false },
    })),
  ]
  return { id, actions }
}

const vectorsProperty = 'delta.enableDeletionVectors'

/** The features that properties of a table ask for. */
function listUsed({ configuration }: MetaData): readonly Feature[] {
  const isOn = (name: string) => configuration?.[name]?.toLowerCase() === 'true'
  return [
    ...(isOn(vectorsProperty) ? (['deletionVectors'] as const) : []),
    ...(isOn(changeFeedProperty) ? (['changeDataFeed'] as const) : []),
  ]
}

type Feature = 'deletionVectors' | 'changeDataFeed'

/** The protocol of a new table, or of one that gets features; nothing if it stays as it is. */
function toProtocol(before: ReplayedLog | null, used: readonly Feature[]): Action[] {
  const protocol = before?.protocol ?? { minReaderVersion: 1, minWriterVersion: 2 }
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = protocol
  const writer: readonly string[] = writerFeatures ?? legacyFeatures.slice(0, minWriterVersion + 1).flat()
  const missing = used.filter((name) => !writer.includes(name))
  if (missing.length === 0) return before === null ? [{ protocol }] : []
  if (!writerFeatures && !missing.includes('deletionVectors'))
    return [{ protocol: { minReaderVersion, minWriterVersion: feedWriterVersion } }]
  const reader = readerFeatures ?? (minReaderVersion > 1 ? ['columnMapping'] : [])
  const isReader = missing.includes('deletionVectors') || readerFeatures
  return [
    {
      protocol: {
        minReaderVersion: isReader ? 3 : minReaderVersion,
        minWriterVersion: 7,
        ...(isReader && {
          readerFeatures: [...reader, ...missing.filter((name) => name === 'deletionVectors')],
        }),
        writerFeatures: [...writer, ...missing],
      },
    },
  ]
}

/** What each writer version has brought. */
const legacyFeatures = [
  [],
  [],
  ['appendOnly', 'invariants'],
  ['checkConstraints'],
  ['changeDataFeed', 'generatedColumns'],
  ['columnMapping'],
  ['identityColumns'],
] as const
const feedWriterVersion = 4

function toLoggedPath(folder: string, path: string): string {
  return encodeURI(toRelativePath(folder, path) ?? path)
}

function toAdd(folder: string, { path, size, statistics }: WrittenFile, now: number): AddFile {
  return {
    path: toLoggedPath(folder, path),
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
  const { pipeline, columns, keepsOthers, descriptions, isRefreshed, deletes, hasFeed } = change
  const state = change.state?.([])
  const others = keepsOthers && before !== null ? listOtherFields(before.metaData.schemaString, columns) : []
  const schemaString = formatSchema(columns, descriptions.columns, others)
  const properties = {
    ...(state !== undefined && { [stateProperty]: state }),
    ...(deletes === 'vectors' && { [vectorsProperty]: 'true' }),
    ...(hasFeed || before?.metaData.configuration?.[feedProperty] === 'true'
      ? { [changeFeedProperty]: String(hasFeed), [feedProperty]: String(hasFeed) }
      : {}),
  }
  if (before === null)
    return {
      id: randomUUID(),
      ...(descriptions.table !== '' && { description: descriptions.table }),
      format: { provider: 'parquet', options: {} },
      schemaString,
      partitionColumns: [],
      configuration: { [pipelineProperty]: pipeline, ...properties },
      createdTime: now,
    }
  const { metaData } = before
  const isSet = Object.entries(properties).every(([name, value]) => metaData.configuration?.[name] === value)
  const isSame =
    !isRefreshed && formatFields(parseSchema(schemaString)) === formatFields(parseSchema(metaData.schemaString))
  const kept = isSame || schemaString === metaData.schemaString
  if (isSet && kept) return metaData
  return {
    ...metaData,
    ...(!kept && { schemaString }),
    configuration: { ...metaData.configuration, ...properties },
  }
}

function toCommitInfo(
  { mode, load }: DeltaChange,
  txnId: string,
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
    txnId,
  }
}
