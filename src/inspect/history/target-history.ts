import { type DatabasePlan, isLakePlan, type LakePlan } from '../../plan/outputs/database-plan.ts'
import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { runsTableName } from '../../loads/databases/state-tables.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { formatColumnType } from '../../types/column-types.ts'
import { describeTable } from '../profile/readable-table.ts'
import type { AsOf } from './as-of.ts'
import type { AsOfAccess, FoundHistory } from './open-as-of.ts'

/** Opens a table that a database or a lake has kept; null if none has. */
export async function openTargetHistory(
  plan: PipelinePlan,
  at: number,
  asOf: AsOf,
  access: AsOfAccess,
): Promise<FoundHistory | null> {
  const targets = plan.outputs.stateful?.databases.filter(({ tables }) => tables.includes(at)) ?? []
  const histories = targets.filter(({ mode }) => mode === 'history')
  const duckdb = histories.find((target) => target.format === 'duckdb')
  if (duckdb !== undefined) return openInDuckdb(plan, at, duckdb, access)
  const lake = histories.find(isLakePlan) ?? chooseLake(targets.filter(isLakePlan))
  if (lake === undefined) return null
  const { openInLake } = await import('./lake-history.ts')
  return openInLake(plan, plan.records.tables[at]?.name ?? '', lake, asOf, access)
}

/** Versions that have each record once come first. */
function chooseLake(lakes: readonly LakePlan[]): LakePlan | undefined {
  return lakes.find(({ mode }) => mode !== 'append') ?? lakes[0]
}

type DuckdbPlan = Extract<DatabasePlan, { readonly format: 'duckdb' }>

async function openInDuckdb(
  { name: pipeline, records }: PipelinePlan,
  at: number,
  { path, schema }: DuckdbPlan,
  { duckdb }: AsOfAccess,
): Promise<FoundHistory> {
  const { name = '', columns = [] } = records.tables[at] ?? {}
  const catalog = quoteName(path)
  await duckdb.run(`ATTACH IF NOT EXISTS ${quoteText(path)} AS ${catalog} (READ_ONLY)`)
  const inSchema = (table: string) => `${catalog}.${quoteName(schema)}.${quoteName(table)}`
  const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
  const [[since] = []] = await duckdb.readAll(
    `SELECT epoch_ms(min(started_at))::DOUBLE FROM ${inSchema(runsTableName)}
      WHERE pipeline = ${quoteText(pipeline)} AND mode = 'history' AND list_contains(tables::JSON::VARCHAR[], ${quoteText(name)})`,
  )
  return {
    table: await describeTable(duckdb, { name, from: inSchema(name) }, listed),
    since: typeof since === 'number' ? since : null,
  }
}
