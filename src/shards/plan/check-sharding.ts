import type { Problem } from '../../config/problem.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import { hasOwnCode } from '../../records/own-code.ts'
import type { ShardedPipeline } from '../shard-plan.ts'
import { storageOf } from '../../storage/paths.ts'

/** The reasons why a plan can't be run in shards, each with what to do instead; none if it can. */
export function checkSharding(plan: PipelinePlan): Problem[] {
  return [
    ...checkSource(plan.source),
    ...checkList(plan.source),
    ...checkTables(plan.records),
    ...checkOwnCode(plan.records),
    ...checkOwnOutputs(plan.outputs),
    ...checkState(plan.outputs),
    ...checkFormats(plan.outputs, plan.report),
  ]
}

export function isSharded(plan: PipelinePlan): plan is ShardedPipeline {
  return checkSharding(plan).length === 0
}

function checkSource(source: SourcePlan): Problem[] {
  if (source.kind === 'service') {
    const message =
      'expected files, as the answers of the service are read once and by one machine, got an endpoint: land them with `catalogue-etl fetch`, and plan over the landed files (`--from`)'
    return [{ path: ['source', 'endpoint'], message }]
  }
  if (!source.files.includes('-')) return []
  const message = 'expected files that every machine sees, got standard input: save it to a file'
  return [{ path: ['source', 'files'], message }]
}

function checkTables({ tables }: RecordsPlan): Problem[] {
  const builtin = tables.find((table) => table.builtin)
  const message =
    'expected tables of records, as no shard sees all records, got a built-in table: compute it in a pipeline of its own, in one process'
  return builtin === undefined ? [] : [{ path: ['tables', builtin.name, 'builtin'], message }]
}

function checkOwnCode({ tables, check }: RecordsPlan): Problem[] {
  if (check !== undefined) {
    const message =
      'expected records that any machine can check, got check, whose schema is on this one: run it in one process'
    return [{ path: ['check'], message }]
  }
  const own = tables.find((table) => hasOwnCode({ tables: [table] }))
  const message =
    'expected columns that any machine can make of the plan, got compute, whose function is on this one: run it in one process'
  return own === undefined ? [] : [{ path: ['tables', own.name, 'columns'], message }]
}

function checkOwnOutputs({ own = [] }: OutputsPlan): Problem[] {
  const message =
    'expected files, which any machine can write, got an output of your own, whose function is on this one: run it in one process'
  return own.length === 0 ? [] : [{ path: ['outputs'], message }]
}

function checkList({ sourceIds }: SourcePlan): Problem[] {
  if (sourceIds?.matched === undefined) return []
  const message =
    'expected a list of one code a line without keep and order, as no shard knows what others find, got one whose lines are matched one by one: run it in one process'
  return [{ path: ['sourceIds'], atKey: true, message }]
}

function checkState({ stateful }: OutputsPlan): Problem[] {
  if (stateful === null) return []
  if (stateful.incremental !== null) {
    const message =
      'expected a pipeline that reads everything, as a shard knows nothing of earlier runs, got incremental: run it in one process, or shard a snapshot of the landed files'
    return [{ path: ['incremental'], message }]
  }
  if (stateful.databases.length > 0) {
    const message =
      'expected files, as a database is loaded in one transaction, got a database: shard into Parquet files, and load those'
    return [{ path: ['outputs'], message }]
  }
  const message =
    'expected snapshots, as merge, history and append compare with what earlier runs published, which no shard sees: run it in one process, or make one snapshot in shards and load that'
  return [{ path: ['outputs'], message }]
}

function checkFormats({ files }: OutputsPlan, { manifest }: ReportPlan): Problem[] {
  const sheets = files.some(({ format }) => format.format === 'xlsx')
  const workbook: Problem = {
    path: ['outputs'],
    message: 'expected csv, ndjson or parquet, as a workbook is one file that no two machines write, got xlsx',
  }
  const isApart = files.some(({ path }) => storageOf(path) !== storageOf(manifest.path))
  const apart: Problem = {
    path: ['outputs'],
    message: 'expected all outputs on disks or all in buckets, as they are published together',
  }
  return [...(sheets ? [workbook] : []), ...(isApart ? [apart] : [])]
}
