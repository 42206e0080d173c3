import type { IncrementalPlan, StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { addCondition, type RequestFilter } from '../../service/endpoints/to-request-filter.ts'
import type { LoadChoice } from './choose-load.ts'

/**
 * The plan of a run that reads only what was chosen: its request, and the conditions that the request leaves to this
 * side.
 */
export function toLoadPlan(plan: PipelinePlan, stateful: StatefulPlan, choice: LoadChoice): PipelinePlan {
  const { incremental } = stateful
  if (choice.kind === 'full' || incremental === null || plan.source.kind === 'files') return plan
  const where = [...plan.records.where, ...incremental.where]
  return { ...plan, source: toDelta(plan.source, incremental, choice), records: { ...plan.records, where } }
}

/** The records of a load: the tables of the config, then the one with a row for each record. */
export function toLoadRecords(
  records: RecordsPlan,
  { recordTable }: StatefulPlan,
  kind: LoadChoice['kind'],
): RecordPlan {
  const table = records.tables.length
  const tombstones = { table, kinds: [kind === 'full' ? ('rejected' as const) : ('filtered' as const)] }
  return { ...records, tables: [...records.tables, recordTable], tombstones }
}

/**
 * Asks in one request: changes are few, and windows of creation don't divide them. Stale records are asked for besides.
 */
function toDelta(
  source: ServiceSourcePlan,
  { filter }: IncrementalPlan,
  { since, until, again }: Extract<LoadChoice, { kind: 'delta' }>,
): ServiceSourcePlan {
  const from = toSeconds(since)
  const updatedSince = until === null ? from : { from, until: Math.ceil(until.getTime() / 1000) }
  const all = (filter ?? {}) as RequestFilter
  const besides = again.length === 0 ? {} : { again: { filter: addCondition(all, { id: again }), ids: again.length } }
  return { ...source, filter: addCondition(all, { updatedSince }), partition: null, ...besides }
}

/** Rounds down to a whole second, which is asked for, too. */
function toSeconds(dateTime: Date): number {
  return Math.floor(dateTime.getTime() / 1000)
}
