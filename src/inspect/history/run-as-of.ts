import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { clearStale, inFrame, ofPipeline } from '../../engine/frame.ts'
import { listFieldsOf, toParquetMetadata } from '../../engine/outputs/open-files.ts'
import { toColumnReport, toDialectReport } from '../../engine/outputs/output-reports.ts'
import { CatalogueError } from '../../errors.ts'
import { stateFormat } from '../../loads/files/plan-outputs.ts'
import { OutputWriter } from '../../loads/files/output-writer.ts'
import type { FileReport, Manifest } from '../../manifest/manifest.ts'
import { manifestFormat } from '../../manifest/upgrade-manifest.ts'
import { readToolVersion } from '../../package-file.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { emptyDrift } from '../../records/drift.ts'
import type { RunContext } from '../../run-context.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { siblingOf } from '../../storage/paths.ts'
import { type AsOf, formatMoment, readAsOf } from './as-of.ts'
import { type AsOfAccess, type AsOfTable, openAsOf } from './open-as-of.ts'
import { readRows } from './read-as-of.ts'
import { type HistoryContext, withHistory } from './with-history.ts'

export interface RunAsOfOptions extends HistoryContext, Pick<RunContext, 'onWarning'> {
  readonly wait?: boolean | number | undefined
}

const unchanged = 'Nothing was saved.'

/**
 * Writes files of the tables of a pipeline as they were at a moment, from its history, beside a manifest of their own. `target`
 * is the plan with other paths; what is at those of `plan` is only read. Throws as `openAsOf`, and USAGE if the paths are the same.
 */
export async function runAsOf(
  plan: PipelinePlan,
  target: PipelinePlan,
  date: string,
  { env, signal, onWarning, wait }: RunAsOfOptions,
): Promise<Manifest> {
  const asOf = readAsOf(date, plan.records.timezone)
  checkApart(plan, target)
  const startedAt = new Date()
  const frame = { ...ofPipeline(plan.name, target.report, target.outputs, { env }), noun: 'run', wait, unchanged }
  return inFrame({ ...frame, signal, onWarning }, ({ storage, token, confirmLock }) =>
    withHistory(plan, { env, signal }, async (access) => {
      const opened = await openAsOf(plan, asOf, access)
      for (const note of opened.notes) onWarning?.(note)
      const runId = toRunId(plan, asOf, opened.runId)
      const outputs = opened.tables.flatMap((table) => listOutputs(target, table).map((file) => ({ file, table })))
      const { path } = target.report.manifest
      await clearStale([path, ...outputs.map(({ file }) => file.path)], storage)
      return StagedSet.begin({ storage, token }, async (set) => {
        const files: FileReport[] = []
        for (const { file, table } of outputs) files.push(await write(target, file, table, { set, runId, ...access }))
        const report = toReport(target, { asOf, runId, ofRun: opened.runId, startedAt, files, notes: opened.notes })
        const manifest = await set.write(path, `${JSON.stringify(report, null, 2)}\n`)
        await confirmLock()
        await set.publish({ manifest })
        return report
      })
    }),
  )
}

/** Throws USAGE if a run as of a date would write to what the pipeline has published. */
function checkApart(plan: PipelinePlan, target: PipelinePlan): void {
  const own = new Set(listPaths(plan).map((path) => resolve(path)))
  const shared = listPaths(target).find((path) => own.has(resolve(path)))
  if (shared === undefined) return
  const message = `${plan.name}: expected --out with another folder beside --as-of, as the pipeline itself writes ${shared}`
  throw new CatalogueError('USAGE', message, {
    fix: 'Name a folder for the tables as they were: `--out as-it-was`. It does not move absolute paths and those of buckets: give these others with `--set`.',
  })
}

function listPaths({ outputs, report }: PipelinePlan): string[] {
  return [report.manifest, ...outputs.files].map(({ path }) => path)
}

/** The files of merges and snapshots, else those of histories, else Parquet: each with all rows of a moment. */
function listOutputs({ outputs: { files }, report }: PipelinePlan, { at, name }: AsOfTable): FilePlan[] {
  const own = files.filter(({ table, format }) => table === at && format.format !== 'xlsx')
  const current = own.filter(({ mode }) => mode === 'merge' || mode === 'snapshot')
  const found = current.length > 0 ? current : own.filter(({ mode }) => mode === 'history')
  const whole = { mode: 'snapshot', removed: 'drop', partitionBy: [], rowsPerFile: null, bytesPerFile: null } as const
  if (found.length > 0) return found.map((file) => ({ ...file, ...whole }))
  const path = siblingOf(report.manifest.path, `${name}.parquet`)
  return [{ table: at, path, format: stateFormat, gzip: false, ...whole }]
}

async function write(
  plan: PipelinePlan,
  file: FilePlan,
  table: AsOfTable,
  { set, runId, duckdb }: Pick<AsOfAccess, 'duckdb'> & { readonly set: StagedSet; readonly runId: string },
): Promise<FileReport> {
  const { path, format, gzip } = file
  const parts = { rowsPerFile: null, bytesPerFile: null, place: { folders: [], suffix: '' }, empty: 'a file' } as const
  const fields = listFieldsOf(plan.records, [file])?.(file)
  const options = { set, runId, metadata: toParquetMetadata(plan) }
  const writer = new OutputWriter({ path, format, gzip, columns: table.stored, fields, ...parts }, options)
  const keyed = plan.outputs.stateful!.tables[table.at]!
  for await (const batch of readRows(duckdb, table, keyed)) await writer.write({ batch, from: 0, to: batch.length }, [])
  const [written] = await writer.finish()
  const { staged: _, ...facts } = written!
  const columns = table.stored.map((column) => toColumnReport({ ...column, from: table.places.get(column.name) ?? '' }))
  return { table: table.name, format: format.format, ...facts, columns, ...toDialectReport(format) }
}

/** The same for the same history, date, config and version. */
function toRunId({ outputs: { configHash } }: PipelinePlan, { at }: AsOf, ofRun: string | null): string {
  const identity = [readToolVersion().version, configHash, at, ofRun]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}

interface AsOfFacts {
  readonly asOf: AsOf
  readonly runId: string
  readonly ofRun: string | null
  readonly startedAt: Date
  readonly files: readonly FileReport[]
  readonly notes: readonly string[]
}

function toReport(plan: PipelinePlan, { asOf, runId, ofRun, startedAt, files, notes }: AsOfFacts): Manifest {
  const { records, outputs, limits, report } = plan
  const finishedAt = new Date()
  const tables = [...new Map(files.map(({ table, rows }) => [table, { name: table, rows, filtered: 0 }])).values()]
  const root = records.tables.find(({ each }) => each.length === 0)?.name
  const accepted = tables.find(({ name }) => name === root)?.rows ?? 0
  const reason = `the tables as they were at ${formatMoment(asOf.at)}, from the history: nothing was read from a source`
  return {
    pipeline: plan.name,
    runId,
    tool: readToolVersion(),
    format: manifestFormat,
    contract: { name: records.contract, version: records.contractVersion },
    configHash: outputs.configHash,
    selection: limits.selection,
    inputDigest: '',
    sources: [],
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    stages: [],
    ledger: { lines: accepted, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted, repeatedIds: 0 },
    completeness: { status: 'unprovable', reasons: [reason], total: null },
    drift: emptyDrift(),
    tables,
    files,
    rejects: { path: report.rejects.path, count: 0 },
    asOf: { at: formatMoment(asOf.at), runId: ofRun },
    manifest: report.manifest.path,
    ...(notes.length > 0 && { notes }),
  }
}
