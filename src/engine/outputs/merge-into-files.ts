import { createHash } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyedTable, PipelinePlan, StatefulPlan } from '../../plan/pipeline-plan.ts'
import type { Baseline, Load, MergeResult } from '../../loads/merge-result.ts'
import { createFolders } from '../../publish/file-system.ts'
import { stagingPath } from '../../publish/staging-names.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { isObjectPath } from '../../publish/objects/object-path.ts'
import {
  listBaselineFiles,
  type FileReport,
  type PublishedManifest,
  type StateTable,
} from '../../loads/state/published-state.ts'
import { listFormerColumns } from '../../loads/state/check-columns.ts'
import { checkStateFile } from '../../loads/state/read-manifest.ts'
import { sortEarlierFiles } from '../../loads/state/to-next-state.ts'
import { findWholeFiles, keepFiles, type WholeFiles } from './keep-files.ts'
import { toParquetMetadata } from './output-file.ts'
import { toColumnReport } from './output-reports.ts'
import type { MergedFiles } from './merged-files.ts'
import { mergeFolderPath, stateFolder } from '../side-files.ts'

export interface MergeFilesOptions {
  readonly storage: FileStorage
  readonly token: string
  readonly signal?: AbortSignal | undefined
}

/** Compares a load with what earlier runs published, and writes what the outputs hold now; nothing where that is the same. */
export async function mergeIntoFiles(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  load: Load,
  published: PublishedManifest | null,
  { storage, token, signal }: MergeFilesOptions,
): Promise<MergedFiles> {
  // Loading it takes time that other runs don't pay.
  const { mergeLoad } = await import('../../loads/files/merge-load.ts')
  const tempFolder = stagingPath(mergeFolderPath(plan), { pid: process.pid, token })
  await createFolders(tempFolder, fs)
  try {
    const whole = load.refresh === true ? null : await findWholeFiles(plan, published, storage)
    const baseline = await bringBaseline(toBaseline(plan, load, published), plan, published, tempFolder, storage)
    const tables = stateful.tables.map((table) => ({
      ...table,
      formerColumns: listFormerColumns(plan.manifest.path, published?.state ?? null, table),
    }))
    const merged = await mergeLoad({ ...load, addedAs: toAddedName(load, published) }, baseline, tables, plan.files, {
      token,
      openFile: (path, options) => storage.openFile(path, { ...options, perRun: true }),
      tempFolder,
      stateFolder: stateFolder(plan),
      maxRemoved: stateful.maxRemoved,
      metadata: toParquetMetadata(plan),
      signal,
      keepsUnchanged: whole !== null,
    })
    if ('isUnchanged' in merged) return keepFiles(plan, whole as WholeFiles, merged.changes)
    return toMergedFiles(plan, tables, merged, published)
  } finally {
    await fs.rm(tempFolder, { recursive: true, force: true })
  }
}

/** What was read before may be read again after something else: its files then stand beside the earlier ones. */
function toAddedName({ runId }: Load, published: PublishedManifest | null): string {
  const records = published?.state?.records ?? null
  if (records === null) return runId.slice(0, 8)
  return createHash('sha256').update(`${runId} ${records.sha256}`).digest('hex').slice(0, 8)
}

/** DuckDB reads files of this machine: objects are copied here first. All are checked to be what was published. */
async function bringBaseline(
  { records, current, history }: Baseline,
  { manifest }: PipelinePlan,
  published: PublishedManifest | null,
  folder: string,
  storage: FileStorage,
): Promise<Baseline> {
  const state = published?.state ?? null
  const known = new Map((state === null ? [] : listBaselineFiles(state)).map((file) => [file.path, file]))
  let brought = 0
  const bring = async (path: string): Promise<string> => {
    const local = isObjectPath(path) ? join(folder, `baseline-${++brought}.parquet`) : path
    if (local !== path) await storage.copyToLocal(path, local)
    const file = known.get(path)
    if (file !== undefined) await checkStateFile(manifest.path, file, local)
    return local
  }
  const bringAll = async (tables: Baseline['current']): Promise<Baseline['current']> => {
    if (tables === null) return null
    const all: (readonly string[] | null)[] = []
    for (const files of tables) {
      const paths: string[] = []
      for (const path of files ?? []) paths.push(await bring(path))
      all.push(files === null ? null : paths)
    }
    return all
  }
  return {
    records: records === null ? null : await bring(records),
    current: await bringAll(current),
    history: await bringAll(history),
  }
}

/** What earlier runs published, by the tables that the plan has now. */
function toBaseline({ records }: PipelinePlan, { kind }: Load, published: PublishedManifest | null): Baseline {
  const state = published?.state ?? null
  // A span that is filled in may be the first thing there is.
  const nothing = kind === 'delta' && state === null ? [] : null
  const filesOf = (mode: StateTable['mode']) =>
    records.tables.map(({ name }) => {
      const found = state?.tables.find((each) => each.table === name && each.mode === mode)
      return found?.files.map(({ path }) => path) ?? nothing
    })
  return { records: state?.records?.path ?? null, current: filesOf('merge'), history: filesOf('history') }
}

function toMergedFiles(
  plan: PipelinePlan,
  keyedTables: readonly KeyedTable[],
  merged: MergeResult,
  published: PublishedManifest | null,
): MergedFiles {
  const { changes, removedRecords, files, stateFiles } = merged
  const { records: recordsFile } = stateFiles
  const reports = files.map((file) => toFileReport(plan, merged, file))
  const all = [...files, recordsFile, ...stateFiles.tables]
  const paths = all.map(({ path }) => path)
  // Objects that went before are the storage's to remove.
  const isObjects = isObjectPath(plan.manifest.path)
  const before =
    isObjects && published?.state ? { ...published, state: { ...published.state, obsoleteFiles: [] } } : published
  const earlier = sortEarlierFiles(before, plan.files, stateFolder(plan), paths)
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

function toFileReport(plan: PipelinePlan, { columns }: MergeResult, file: MergeResult['files'][number]): FileReport {
  const output = plan.files[file.output]
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
    mode: output.mode,
    base: output.path,
  }
}

/** What the next run begins with, by table and mode. */
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
