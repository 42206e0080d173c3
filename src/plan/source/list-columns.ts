import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Column } from '../../records/flatten/column.ts'
import { type ColumnPlan, isOfList, type TablePlan } from '../../records/flatten/table-plan.ts'
import type { FilePlan } from '../outputs/file-plan.ts'
import type { MatchedList } from './source-ids-plan.ts'

/** Puts the columns of the list in front of the tables that have a row a line of it. */
export function withListColumns(tables: readonly TablePlan[], list: MatchedList | undefined): readonly TablePlan[] {
  if (list?.order !== 'list') return tables
  const columns = [
    toListed({ name: 'list_line', type: { kind: 'integer' }, list: false }, 'Number of the line in the list, from 1'),
    toListed(
      { name: 'list_result', type: { kind: 'text' }, list: false },
      'By which code the product was found, or why not',
    ),
    ...list.kept.map((column) => toListed(column, 'As the list has it')),
  ]
  return tables.map((table) => (table.each.length > 0 ? table : { ...table, columns: [...columns, ...table.columns] }))
}

function toListed(column: Column, description: string): ColumnPlan {
  return { ...column, from: 'sourceIds', source: { kind: 'listed', description } }
}

type OrderedConfig = { readonly [Key in 'incremental' | 'duplicates']?: CompletePipelineConfig[Key] | null | undefined }

/** The problems of a config whose list is matched line by line; `tables` have the columns of the list. */
export function checkListOrder(
  list: MatchedList | undefined,
  { incremental, duplicates }: OrderedConfig,
  tables: readonly TablePlan[],
  files: readonly FilePlan[],
  isStateful: boolean,
): Problem[] {
  if (list === undefined) return []
  if (incremental) {
    const message = 'expected a run that reads everything beside a list whose lines are matched one by one, got a delta'
    return [{ ...problemAt(['incremental'], message), atKey: true }]
  }
  if (list.order !== 'list') return []
  const problems: Problem[] = []
  if (isStateful) {
    const message =
      'expected files of one run (csv, xlsx, parquet, ndjson), got an output that keeps rows of earlier runs'
    problems.push(atOrder(`${message}; \`order: source\` without \`keep\` selects the products for any output`))
  }
  if (files.some(isDivided))
    problems.push(atOrder('expected files that are not divided, got partitionBy, rowsPerFile or bytesPerFile'))
  if (duplicates === 'keep')
    problems.push(
      problemAt(['duplicates'], 'duplicates: expected last or reject, as a line of the list has one row, got keep'),
    )
  if (!tables.some(isOfList))
    problems.push(atOrder('expected a table without each, which gets a row a line of the list, got none'))
  return [...problems, ...tables.filter(isOfList).flatMap((table) => checkNames(table))]
}

function atOrder(message: string): Problem {
  return { path: ['sourceIds'], atKey: true, message: `order: list: ${message}` }
}

function isDivided({ partitionBy, rowsPerFile, bytesPerFile }: FilePlan): boolean {
  return partitionBy.length > 0 || rowsPerFile !== null || bytesPerFile !== null
}

function checkNames({ name, columns }: TablePlan): Problem[] {
  const names = columns.map((column) => column.name)
  const twice = [...new Set(names.filter((each, at) => names.indexOf(each) < at))]
  return twice.map((each) =>
    problemAt(['sourceIds', 'keep'], `expected each column once in table "${name}", got "${each}" twice`),
  )
}
