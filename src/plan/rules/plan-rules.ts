import { columnTests } from '../../config/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { closest, listChoices } from '../../text/choices.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import type { RulePlan } from './rule-plan.ts'
import { toSnakeCase } from '../records/plan-columns.ts'
import { planColumnRules } from './plan-column-rules.ts'
import { checkLast, formatRange, lastOf, type RuleConfig, type PlannedTests } from './rule-config.ts'
import { toRuleValueType } from './rule-value.ts'
import { formatCount } from '../../text/format-count.ts'

export interface PlannedRules {
  readonly rules: readonly RulePlan[]
  readonly problems: readonly Problem[]
}

/** The rules of `expect`, each checked against the tables and the type of its column. */
export function planRules(expect: readonly RuleConfig[], tables: readonly TablePlan[], timezone: string): PlannedRules {
  const planned = expect.map((config, at) => planEntry(config, tables, timezone, ['expect', at]))
  return { rules: planned.flatMap(({ rules }) => rules), problems: planned.flatMap(({ problems }) => problems) }
}

function planEntry(
  config: RuleConfig,
  tables: readonly TablePlan[],
  timezone: string,
  path: Problem['path'],
): PlannedRules {
  const table = findTable(config, tables, [...path, 'table'])
  if (typeof table !== 'number') return { rules: [], problems: [table] }
  const ofRows = planRows(config.rows, [...path, 'rows'])
  const { column, ...ofColumn } = planColumn(config, tables, { table, timezone }, path)
  const toRule = (at: number | null) => (test: PlannedTests['tests'][number]) => {
    return { table, column: at, ...test, severity: config.severity }
  }
  return {
    rules: [...ofColumn.tests.map(toRule(column)), ...ofRows.tests.map(toRule(null))],
    problems: [...ofColumn.problems, ...ofRows.problems],
  }
}

/** The position of the table, by default the first with a row a record; else what is wrong. */
function findTable({ table }: RuleConfig, tables: readonly TablePlan[], path: Problem['path']): number | Problem {
  if (table === undefined) {
    const root = tables.findIndex(({ each }) => each.length === 0)
    return Math.max(0, root)
  }
  const names = tables.map(({ name }) => name)
  const at = names.indexOf(table)
  if (at >= 0) return at
  return problemAt(path, `unknown table "${table}", expected one of ${listChoices(names)}`, closest(table, names))
}

function planRows(rows: RuleConfig['rows'], path: Problem['path']): PlannedTests {
  if (rows === undefined) return { tests: [], problems: [] }
  const { from } = rows
  const { key } = lastOf(rows)
  const last = rows[key]
  const twice = checkLast(rows, path)
  if (twice.length > 0) return { tests: [], problems: twice }
  if (from === undefined && last === undefined) {
    return { tests: [], problems: [problemAt(path, 'rule: expected from, until or both, got neither')] }
  }
  if (from !== undefined && last !== undefined && from > last) {
    const message = `rule: expected from before ${key}, got from ${from} ${key} ${last}`
    return { tests: [], problems: [problemAt(path, message)] }
  }
  const expected = `${formatRange(from === undefined ? from : formatCount(from), last === undefined ? last : formatCount(last))} rows`
  return { tests: [{ test: { kind: 'rows', from: from ?? null, to: last ?? null }, expected }], problems: [] }
}

/** The tests of a column, with its position; none where the entry is on no column. */
function planColumn(
  config: RuleConfig,
  tables: readonly TablePlan[],
  { table, timezone }: { readonly table: number; readonly timezone: string },
  path: Problem['path'],
): PlannedTests & { readonly column: number | null } {
  const asked = columnTests.find((key) => config[key] !== undefined)
  const toProblem = (message: string, suggestion?: string) => {
    return { column: null, tests: [], problems: [problemAt([...path, 'column'], message, suggestion)] }
  }
  if (config.column === undefined) {
    if (asked === undefined) return { column: null, tests: [], problems: [] }
    return toProblem(`missing key "column", expected the column that ${asked} is about, got nothing`)
  }
  const { name = '', columns = [] } = tables[table] ?? {}
  const at = findColumn(config.column, columns)
  const column = columns[at]
  if (column === undefined) return toProblem(...describeUnknown(config.column, { name, columns }, tables))
  const values = toRuleValueType(column, timezone)
  return { column: at, ...planColumnRules(config, { ...column, values }, path) }
}

/** By its name, or by the path that it is made from. */
function findColumn(written: string, columns: readonly ColumnPlan[]): number {
  const byName = columns.findIndex(({ name }) => name === written)
  if (byName >= 0) return byName
  const byPath = columns.findIndex(({ from }) => from === written)
  return byPath >= 0 ? byPath : columns.findIndex(({ name }) => name === toSnakeCase(written))
}

/** A message, and the column that was probably meant. */
function describeUnknown(
  written: string,
  { name, columns }: Pick<TablePlan, 'name' | 'columns'>,
  tables: readonly TablePlan[],
): [message: string, suggestion?: string] {
  const message = `rule: expected a column of ${name}, got "${written}"`
  const other = tables.find((table) => findColumn(written, table.columns) >= 0)
  if (other !== undefined) return [`${message}; ${other.name} has it: add table: ${other.name}`]
  const below = columns.find(({ from }) => from?.startsWith(`${written}.`))
  if (below !== undefined) return [message, below.name]
  const meant = closest(
    written,
    columns.map((column) => column.name),
  )
  return meant === undefined ? [message] : [message, meant]
}
