import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import type { KeyedTable, PricedHistory } from '../../plan/loads/stateful-plan.ts'
import { createLocalStorage } from '../../storage/local-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { createChanges, readChanges } from './changes-table.ts'
import { type Duckdb, openDuckdb } from './open-duckdb.ts'
import type { ColumnBatch } from './column-batch.ts'
import type { SliceOf } from './merge-batches.ts'
import { OutputWriter, type WriterOptions, type WriterTarget } from './output-writer.ts'
import { formatPartitionFolder } from './part-paths.ts'
import { planOutputs, type PlannedSet, stateFormat, type StateOutput } from './plan-outputs.ts'
import { selectPricePeriods } from './price-periods.ts'
import { readBatches } from './read-batches.ts'
import { readRowSet } from './read-row-set.ts'
import { listColumns, openRecordSet, openRowSet, type RootBaseline, type RowSet } from './row-queries.ts'
import { formatParquetFiles } from './sql-text.ts'
import type { Baseline, Load, MergedFile, MergeResult, MergeOptions, StateFile, Unchanged } from '../merge-result.ts'

/**
 * Merges a load into what earlier runs published, and writes the resulting files, finished, under staging names. Rows
 * are ordered by id, by bytes of UTF-8; a snapshot in one file keeps the order of the load. The same load and baseline
 * give the same bytes. Memory does not grow with the rows.
 *
 * Throws, and leaves no staging file: PEER_MISSING without DuckDB, STATE_INVALID if the baseline can't be read,
 * REMOVED_TOO_MANY, OUTPUT_FAILED, or the reason of the signal.
 */
export async function mergeLoad(
  load: Load,
  baseline: Baseline,
  tables: readonly KeyedTable[],
  outputs: readonly FilePlan[],
  options: MergeOptions & { readonly keepsUnchanged?: false },
): Promise<MergeResult>
export async function mergeLoad(...load: MergeArguments): Promise<MergeResult | Unchanged>
export async function mergeLoad(
  ...[load, baseline, tables, outputs, options]: MergeArguments
): Promise<MergeResult | Unchanged> {
  const { storage = createLocalStorage(), token } = options
  const staged = new StagedSet({ storage, token })
  const duckdb = await openDuckdb({
    memoryLimitMb: options.memoryLimitMb ?? 256,
    tempFolder: options.tempFolder,
    signal: options.signal,
    baselineFiles: listFiles(baseline),
  })
  try {
    const records = baseline.records && formatParquetFiles([baseline.records])
    await createChanges(duckdb, load, records)
    const found = await readChanges(duckdb, records, options.maxRemoved)
    const { unchanged: _, ...differences } = found.changes
    if (options.keepsUnchanged === true && Object.values(differences).every((count) => count === 0))
      return { isUnchanged: true, changes: found.changes }
    const writing = { duckdb, load, tables, options, staged }
    const plan = planOutputs(tables, outputs, options)
    const written = new Map<FilePlan | StateOutput, readonly StateFile[]>()
    const root = findRoot(plan.sets, tables, baseline)
    const ofPeriods = plan.sets.filter(({ table }) => tables[table]?.periodsOf)
    const opened = new Map<PlannedSet, RowSet>()
    for (const set of plan.sets)
      if (!ofPeriods.includes(set)) opened.set(set, await writeSet(writing, baseline, set, root, written))
    for (const set of ofPeriods) await writePeriods(writing, set, opened, written)
    const recordFile = await writeRecords(writing, records, baseline.records ?? '')
    return {
      ...found,
      files: outputs.flatMap((output, index) => toMergedFiles(output, index, written.get(output))),
      stateFiles: {
        records: recordFile,
        tables: plan.states.flatMap((state) => toStateFiles(state, written.get(state))),
      },
      baseline: {
        records: recordFile.path,
        current: plan.current.map((holder) => listPaths(holder, written)),
        history: plan.history.map((holder) => listPaths(holder, written)),
      },
      columns: outputs.map((output) => listColumns(tables[output.table] as KeyedTable, output)),
      discard: () => staged.discard(),
    }
  } catch (thrown) {
    await staged.discard()
    throw thrown
  } finally {
    duckdb.close()
  }
}

type MergeArguments = [
  load: Load,
  baseline: Baseline,
  tables: readonly KeyedTable[],
  outputs: readonly FilePlan[],
  options: MergeOptions,
]

interface Writing {
  readonly duckdb: Duckdb
  readonly load: Load
  readonly tables: readonly KeyedTable[]
  readonly options: MergeOptions
  readonly staged: StagedSet
}

async function writeSet(
  writing: Writing,
  baseline: Baseline,
  { table, outputs, ...wanted }: PlannedSet,
  root: RootBaseline | null,
  written: Map<FilePlan | StateOutput, readonly StateFile[]>,
): Promise<RowSet> {
  const { duckdb, load, tables } = writing
  const baselineFiles = (wanted.mode === 'history' ? baseline.history : baseline.current)?.[table] ?? null
  const isBehind = baseline.behind?.some((each) => each.table === table && each.mode === wanted.mode) ?? false
  const loaded = load.tables[table] as string
  const request = { table: tables[table] as KeyedTable, loaded, baselineFiles, isBehind, root, ...wanted }
  const set = await openRowSet(duckdb, load, { ...request, recordsFile: baseline.records })
  const files = await writeRows(writing, set, toTargets(writing, outputs, set))
  for (const [index, output] of outputs.entries()) written.set(output, files[index] as readonly StateFile[])
  return set
}

function toTargets({ load, options }: Writing, outputs: PlannedSet['outputs'], set: RowSet): WriterTarget[] {
  return outputs.map((output) => ({
    ...toTarget(output, set, load),
    ...('isState' in output ? {} : { fields: options.fieldsOf?.(output) }),
  }))
}

/** Writes the periods of prices, which the rows of the history make that this load has left. */
async function writePeriods(
  writing: Writing,
  { table, outputs, ...wanted }: PlannedSet,
  opened: ReadonlyMap<PlannedSet, RowSet>,
  written: Map<FilePlan | StateOutput, readonly StateFile[]>,
): Promise<void> {
  const { duckdb, load, tables } = writing
  const keyed = tables[table] as KeyedTable
  const priced = keyed.periodsOf as PricedHistory
  const [, history] = [...opened].find(([set]) => set.table === priced.table && set.mode === 'history') ?? []
  if (history === undefined) throw new TypeError(`${keyed.name}: expected a history of prices`)
  const loaded = load.tables[table] as string
  const set: RowSet = { ...wanted, table: keyed, columns: keyed.columns, loaded, baseline: null, rewritesAll: true }
  const batches = readBatches(duckdb, selectPricePeriods(history, priced), set.columns)
  const files = await writeRows(writing, set, toTargets(writing, outputs, set), toSlices(batches))
  for (const [index, output] of outputs.entries()) written.set(output, files[index] as readonly StateFile[])
}

async function* toSlices(batches: AsyncIterable<ColumnBatch>): AsyncGenerator<SliceOf<ColumnBatch>> {
  for await (const batch of batches) yield { batch, from: 0, to: batch.length }
}

/** Finds the table that lists the records of `mode: changes`; null if there is none. */
function findRoot(sets: readonly PlannedSet[], tables: readonly KeyedTable[], { current }: Baseline) {
  const root = sets.find(({ mode, table }) => mode === 'changes' && tables[table]?.positionColumns.length === 0)
  if (root === undefined) return null
  const { idColumn } = tables[root.table] as KeyedTable
  return { idColumn, files: current?.[root.table] ?? null }
}

async function writeRecords(writing: Writing, records: string | null, shown: string): Promise<StateFile> {
  const set = await openRecordSet(writing.duckdb, writing.load, records, shown)
  const path = `${writing.options.stateFolder}/records.parquet`
  const target = toTarget(
    { path, format: stateFormat, gzip: false, rowsPerFile: null, bytesPerFile: null },
    set,
    writing.load,
  )
  const [[file] = []] = await writeRows(writing, set, [target])
  return file as StateFile
}

async function writeRows(
  { duckdb, load, options, staged }: Writing,
  set: RowSet,
  targets: readonly WriterTarget[],
  slices: AsyncIterable<SliceOf<ColumnBatch>> = readRowSet(duckdb, set),
): Promise<(readonly StateFile[])[]> {
  const { metadata, signal } = options
  const writerOptions: WriterOptions = { set: staged, runId: load.runId, metadata }
  const writers = targets.map((target) => new OutputWriter(target, writerOptions))
  for await (const slice of slices) {
    for (const part of splitByPartition(slice, set)) {
      const folders = toFolders(part, set)
      for (const writer of writers) await writer.write(part, folders)
    }
    signal?.throwIfAborted()
  }
  const files: (readonly StateFile[])[] = []
  for (const writer of writers) files.push(await writer.finish())
  return files
}

/** Splits a slice by partition. Rows of one partition have to be adjacent. */
function* splitByPartition(
  { batch, from, to }: SliceOf<ColumnBatch>,
  { columns, partitionBy }: RowSet,
): Generator<SliceOf<ColumnBatch>> {
  const isSame = (row: number) =>
    partitionBy.every(
      (_, at) => batch.readText(columns.length + at, row) === batch.readText(columns.length + at, row - 1),
    )
  let start = from
  for (let row = from + 1; row < to; row++) {
    if (isSame(row)) continue
    yield { batch, from: start, to: row }
    start = row
  }
  yield { batch, from: start, to }
}

function toFolders({ batch, from }: SliceOf<ColumnBatch>, { columns, partitionBy }: RowSet): string[] {
  return partitionBy.map((name, at) => formatPartitionFolder(name, batch.readText(columns.length + at, from)))
}

type Place = Pick<FilePlan, 'path' | 'format' | 'gzip' | 'rowsPerFile' | 'bytesPerFile'>

function toTarget(
  { path, format, gzip, rowsPerFile, bytesPerFile }: Place,
  { mode, columns, partitionBy, link }: RowSet,
  { startedAt, runId, addedAs = runId }: Load,
): WriterTarget {
  const name = (link?.run ?? addedAs).slice(0, 8)
  return {
    path,
    format,
    gzip,
    columns,
    rowsPerFile,
    bytesPerFile,
    place: addsFiles(mode)
      ? { folders: [`run_date=${startedAt.toISOString().slice(0, 10)}`], suffix: `-${name}` }
      : { folders: [], suffix: '' },
    empty: mode === 'append' || partitionBy.length > 0 ? 'nothing' : 'a file',
  }
}

function toMergedFiles({ table }: FilePlan, output: number, files: readonly StateFile[] | undefined): MergedFile[] {
  return (files ?? []).map((file) => ({ table, output, ...file }))
}

function toStateFiles({ table, mode }: StateOutput, files: readonly StateFile[] | undefined) {
  return (files ?? []).map((file) => ({ table, mode, ...file }))
}

function listPaths(
  holder: FilePlan | StateOutput | null,
  written: ReadonlyMap<FilePlan | StateOutput, readonly StateFile[]>,
): readonly string[] | null {
  return holder === null ? null : (written.get(holder) ?? []).map(({ path }) => path)
}

function listFiles({ records, current, history }: Baseline): string[] {
  return [
    ...(records === null ? [] : [records]),
    ...[...(current ?? []), ...(history ?? [])].flatMap((files) => files ?? []),
  ]
}
