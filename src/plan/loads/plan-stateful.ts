import type { Contract } from '../../contracts/contracts.ts'
import { toRecordTable } from '../../records/record-table.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { isDatabase, type OutputConfig } from '../../config/schemas/output-schema.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { interfaceVersions, readGiven } from '../../contracts/given-values.ts'
import { findPriced, isOfHistory, isPrice } from '../builtin/check-periods.ts'
import type { DatabasePlan } from '../outputs/database-plan.ts'
import type { IncrementalPlan, KeyedTable, StatefulPlan } from './stateful-plan.ts'
import { chooseCursor } from './plan-incremental.ts'
import { type CountLimit, toCountLimit } from '../count-limit.ts'
import { toMode } from '../outputs/output-mode.ts'
import { isShared } from '../outputs/plan-sharing.ts'
import { findIdColumn, isPosition } from '../records/table-key.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

type StateConfig = Pick<
  { -readonly [Key in keyof CompletePipelineConfig]: CompletePipelineConfig[Key] | null },
  'incremental' | 'outputs' | 'duplicates' | 'completeness'
>

/** Whether outputs of a run depend on earlier runs. */
export function isStateful({ incremental, outputs }: Pick<StateConfig, 'incremental' | 'outputs'>): boolean {
  return Boolean(incremental) || (outputs ?? []).some((output) => keepsState(output))
}

function keepsState(output: OutputConfig): boolean {
  if (isDatabase(output)) return true
  if (output.format === 'own') return false
  return toMode(output, false) !== 'snapshot' || isShared(output)
}

export function checkStateful(config: StateConfig, contract: Contract | null, tables: readonly TablePlan[]): Problem[] {
  const { duplicates, completeness } = config
  if (!isStateful(config)) return []
  const problems: Problem[] = []
  if (contract?.name === 'raw') {
    const message =
      'contract: expected one whose records all have an id, as they are compared by it with those of earlier runs, got raw; snapshots into files need none'
    problems.push(problemAt(['source'], message))
  }
  if (duplicates === 'keep') {
    const message =
      'duplicates: expected last or reject, as records are compared by id with those of earlier runs, got keep'
    problems.push(problemAt(['duplicates'], message))
  }
  if (completeness === 'report') {
    const message =
      'completeness: expected require, as what is missing from an incomplete stream would count as removed, got report'
    problems.push(problemAt(['completeness'], message))
  }
  return [...problems, ...checkOwnOutputs(config), ...tables.flatMap(checkKey)]
}

function checkOwnOutputs({ outputs }: StateConfig): Problem[] {
  return (outputs ?? []).flatMap((output, at) => {
    if (output.format !== 'own') return []
    const message =
      'expected outputs that hold what one run read, got an output of your own beside incremental, a database or a mode: give it a pipeline of its own, or read what changed with readChanges()'
    return [problemAt(['outputs', at, 'format'], message)]
  })
}

export function planMaxRemoved({ maxRemoved }: Pick<CompletePipelineConfig, 'maxRemoved'>): CountLimit {
  return toCountLimit(maxRemoved ?? '5%')
}

export function planStateful(
  { incremental: config, maxRemoved }: Pick<CompletePipelineConfig, 'incremental' | 'maxRemoved'>,
  incremental: IncrementalPlan | null,
  contract: Contract,
  tables: readonly TablePlan[],
  databases: readonly DatabasePlan[],
): StatefulPlan {
  const cursor = chooseCursor(config, contract)
  return {
    cursor,
    incremental,
    maxRemoved: planMaxRemoved({ maxRemoved }),
    recordTable: toRecordTable(contract, cursor),
    tables: tables.map((table) => ({ ...toKeyedTable(table), ...toPeriods(table, tables, contract) })),
    databases,
  }
}

function toKeyedTable({ name, each, columns }: TablePlan): KeyedTable {
  const idColumn = findIdColumn(columns)?.name ?? ''
  const status = each.length > 0 ? undefined : columns.find(isStatus)
  const positionColumns = columns.filter(isPosition).map((column) => column.name)
  return { name, columns, idColumn, positionColumns, ...(status && { statusColumn: status.name }) }
}

function toPeriods(table: TablePlan, tables: readonly TablePlan[], contract: Contract): Pick<KeyedTable, 'periodsOf'> {
  const at = findPriced(tables)
  const priced = tables[at]
  if (!isOfHistory(table) || priced === undefined) return {}
  const priceColumn = priced.columns.find(isPrice)?.name ?? ''
  const version = interfaceVersions.find((each) => contract.name.startsWith(`${each}/`))
  const unit = readGiven('documentedPriceUnit', version)
  return { periodsOf: { table: at, idColumn: findIdColumn(priced.columns)?.name ?? '', priceColumn, unit } }
}

function isStatus({ source, type, list }: ColumnPlan): boolean {
  const [step, ...rest] = source.kind === 'path' ? source.steps : []
  return step?.kind === 'field' && step.name === 'status' && rest.length === 0 && type.kind === 'text' && !list
}

function checkKey({ name, columns, each }: TablePlan): Problem[] {
  // A table with an invalid `each` has no columns, and is reported separately.
  if (each.length > 0 || columns.length === 0 || findIdColumn(columns) !== undefined) return []
  const message = `table "${name}": expected a column from id, by which the rows of a record are found again, got none`
  return [{ ...problemAt(['tables', name], message), atKey: true }]
}
