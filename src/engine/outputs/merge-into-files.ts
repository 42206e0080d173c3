import { createHash } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { mergeLoad } from '../../loads/files/merge-load.ts'
import type { Load, MergeResult } from '../../loads/merge-result.ts'
import { listFormerColumns } from '../../loads/state/check-columns.ts'
import { linkChanges, type LinkOf, type MergedLoad } from '../../loads/state/link-changes.ts'
import { isOutputOf } from '../../loads/state/published-parts.ts'
import { sortEarlierFiles } from '../../loads/state/to-next-state.ts'
import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import type { KeyedTable, StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { createFolders } from '../../storage/file-system.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import { stagingPath } from '../../storage/staging-names.ts'
import type { RunContext } from '../../run-context.ts'
import { mergeFolderPath, stateFolder } from '../side-files.ts'
import { bringBaseline } from './bring-baseline.ts'
import type { StagingOptions } from './outputs.ts'
import { listFieldsOf, toParquetMetadata } from './open-files.ts'
import { toColumnReport, toDialectReport } from './output-reports.ts'
import {
  type ChangeCounts,
  type FileReport,
  type PublishedManifest,
  type PublishedState,
  type RemovedRecord,
  type StateTable,
  listBaselineFiles,
} from '../../manifest/manifest.ts'

export interface MergedFiles {
  readonly changes: ChangeCounts
  readonly removedRecords: readonly RemovedRecord[]
  readonly files: readonly FileReport[]
  readonly staged: readonly StagedFile[]
  readonly state: Pick<PublishedState, 'records' | 'tables' | 'obsoleteFiles'>
  discard(): Promise<void>
}

/** Compares a load with earlier runs and writes the new content of the outputs, or nothing if nothing changed. */
export async function mergeIntoFiles(
  plan: PipelinePlan,
  stateful: Pick<StatefulPlan, 'tables' | 'maxRemoved'>,
  load: MergedLoad,
  published: PublishedManifest | null,
  { storage, token, signal }: StagingOptions & Pick<RunContext, 'signal'>,
): Promise<MergedFiles> {
  const tempFolder = stagingPath(mergeFolderPath(plan.report), { pid: process.pid, token })
  await outputOperation(tempFolder, 'created', () => createFolders(tempFolder, fs))
  try {
    const isBehind = load.kind === 'full' && published?.state?.tables.some((table) => table.isBehind) === true
    const whole = load.refresh === true || isBehind ? null : await findWholeFiles(plan, published, storage)
    const baseline = await bringBaseline(plan.records, plan.report, load, published, tempFolder, storage)
    const tables = stateful.tables.map((table) => ({
      ...table,
      formerColumns: listFormerColumns(plan.report.manifest.path, published?.state ?? null, table),
    }))
    const linkOf = linkChanges(plan, load, published)
    const merged = await mergeLoad(
      { ...load, addedAs: toAddedName(load, published) },
      baseline,
      tables,
      plan.outputs.files,
      {
        token,
        storage,
        tempFolder,
        stateFolder: stateFolder(plan.report),
        maxRemoved: stateful.maxRemoved,
        metadata: toParquetMetadata(plan),
        fieldsOf: listFieldsOf(plan.records, plan.outputs.files),
        linkOf,
        signal,
        keepsUnchanged: whole !== null,
      },
    )
    if ('isUnchanged' in merged) return keepFiles(plan, whole as WholeFiles, merged.changes, storage)
    const files = toMergedFiles(plan, tables, { ...merged, linkOf }, published, storage)
    const dated = dateHistories(files.state.tables, load, published?.state?.tables ?? [])
    return { ...files, state: { ...files.state, tables: markBehind(dated, load, published?.state) } }
  } finally {
    await fs.rm(tempFolder, { recursive: true, force: true })
  }
}

/** Notes when each history began: before that it does not know what there was. */
function dateHistories(
  tables: readonly StateTable[],
  { startedAt }: Pick<MergedLoad, 'startedAt'>,
  before: readonly StateTable[],
): StateTable[] {
  return tables.map((table) => {
    if (table.mode !== 'history') return table
    const earlier = before.find((each) => each.table === table.table && each.mode === table.mode)
    const since = earlier === undefined ? startedAt.toISOString() : earlier.since
    return { ...table, ...(since !== undefined && { since }) }
  })
}

/** A new table, or one that lacked rows, still lacks those of rejected records. */
function markBehind(
  tables: readonly StateTable[],
  { kind, hasRejects }: Pick<MergedLoad, 'kind' | 'hasRejects'>,
  before: PublishedState | null | undefined,
): StateTable[] {
  if (!before?.records || (kind === 'full' && !hasRejects)) return [...tables]
  return tables.map((table) => {
    const earlier = before.tables.find((each) => each.table === table.table && each.mode === table.mode)
    return earlier === undefined || earlier.isBehind ? { ...table, isBehind: true } : table
  })
}

/** The same input may be read again after another one, and then needs other names for its files. */
function toAddedName({ runId }: Load, published: PublishedManifest | null): string {
  const records = published?.state?.records ?? null
  if (records === null) return runId.slice(0, 8)
  return createHash('sha256').update(`${runId} ${records.sha256}`).digest('hex').slice(0, 8)
}

interface WholeFiles {
  readonly files: readonly FileReport[]
  readonly state: PublishedState
}

/**
 * Finds the files to keep if a load changes nothing. Null if some have to be written anyway: snapshots, and files whose
 * paths changed, that are missing or were changed.
 */
async function findWholeFiles(
  { outputs: { files: plans } }: PipelinePlan,
  published: PublishedManifest | null,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<WholeFiles | null> {
  const state = published?.state ?? null
  if (published === null || state === null || state.records === null) return null
  const own = published.files.filter((file) => plans.some((plan) => isOutputOf(file, plan)))
  const isKept = (plan: FilePlan) =>
    plan.mode === 'append' || (plan.mode !== 'snapshot' && own.some((file) => isOutputOf(file, plan)))
  if (!plans.every(isKept)) return null
  for (const { path, bytes, mode } of own) {
    if (!addsFiles(mode) && (await storage.sizeOf(path)) !== bytes) return null
  }
  return { files: own, state }
}

function keepFiles(
  plan: PipelinePlan,
  { files, state }: WholeFiles,
  changes: ChangeCounts,
  { namesPerRun }: Pick<FileStorage, 'namesPerRun'>,
): MergedFiles {
  const { records, tables } = state
  const kept = [...files, ...listBaselineFiles(state)]
  const paths = kept.map(({ path }) => path)
  // Obsolete objects are listed once; files that could not be removed are tried again.
  const { obsoleteFiles } = sortEarlierFiles({ files: [], state }, plan.outputs.files, stateFolder(plan.report), paths)
  return {
    changes,
    removedRecords: [],
    files,
    staged: [],
    state: { records, tables, obsoleteFiles: namesPerRun ? [] : [...obsoleteFiles] },
    discard: () => Promise.resolve(),
  }
}

function toMergedFiles(
  plan: PipelinePlan,
  keyedTables: readonly KeyedTable[],
  merged: FinishedMerge,
  published: PublishedManifest | null,
  { namesPerRun }: Pick<FileStorage, 'namesPerRun'>,
): MergedFiles {
  const { changes, removedRecords, files, stateFiles } = merged
  const { records: recordsFile } = stateFiles
  const reports = files.map((file) => toFileReport(plan, merged, file))
  const all = [...files, recordsFile, ...stateFiles.tables]
  const paths = all.map(({ path }) => path)
  // The storage removes obsolete objects of earlier publications.
  const before =
    namesPerRun && published?.state ? { ...published, state: { ...published.state, obsoleteFiles: [] } } : published
  const earlier = sortEarlierFiles(before, plan.outputs.files, stateFolder(plan.report), paths)
  return {
    changes,
    removedRecords,
    files: [...earlier.kept, ...reports],
    staged: all.map(({ staged }) => staged),
    state: {
      records: { path: recordsFile.path, bytes: recordsFile.bytes, sha256: recordsFile.sha256 },
      tables: listTables(keyedTables, merged),
      obsoleteFiles: [...earlier.obsoleteFiles],
    },
    discard: () => merged.discard(),
  }
}

type FinishedMerge = MergeResult & { readonly linkOf: LinkOf }

function toFileReport(
  plan: PipelinePlan,
  { columns, linkOf }: FinishedMerge,
  file: MergeResult['files'][number],
): FileReport {
  const output = plan.outputs.files[file.output]
  const table = plan.records.tables[file.table]
  if (output === undefined || table === undefined) throw new TypeError('a merged file has no output')
  const { path, rows, bytes, sha256 } = file
  const from = new Map(table.columns.map((column) => [column.name, column.from]))
  return {
    table: table.name,
    format: output.format.format,
    path,
    rows,
    bytes,
    sha256,
    columns: (columns[file.output] ?? []).map((column) =>
      toColumnReport({ ...column, from: from.get(column.name) ?? '' }),
    ),
    ...toDialectReport(output.format),
    mode: output.mode,
    base: output.path,
    ...(output.mode === 'changes' && toLinkReport(linkOf(output))),
  }
}

function toLinkReport({ run, previousRun, shape }: ReturnType<LinkOf>) {
  return { run, previousRun, ...(shape !== undefined && { shape }) }
}

function listTables(keyedTables: readonly KeyedTable[], { baseline, files, stateFiles }: MergeResult): StateTable[] {
  const byPath = new Map([...files, ...stateFiles.tables].map((file) => [file.path, file]))
  const modes = [
    ['merge', baseline.current],
    ['history', baseline.history],
  ] as const
  return modes.flatMap(([mode, tables]) =>
    keyedTables.flatMap(({ name, columns, formerColumns = [] }, table): StateTable[] => {
      const paths = tables?.[table] ?? null
      if (paths === null) return []
      const own = paths.flatMap((path) => byPath.get(path) ?? [])
      return [
        {
          table: name,
          mode,
          columns: [...columns, ...(mode === 'history' ? formerColumns : [])]
            .map(toColumnReport)
            .map(({ from: _from, ...column }) => column),
          files: own.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
        },
      ]
    }),
  )
}
