import { columnTests } from '../../config/schemas/rule-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field } from '../../contracts/fields.ts'
import { closest, listChoices } from '../../text/choices.ts'
import { formatCount } from '../../text/format-count.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { follow } from '../records/describe-tables.ts'
import { toSnakeCase } from '../records/plan-columns.ts'
import {
  type ColumnRules,
  describeBounds,
  planColumnRules,
  type PlannedTest,
  readBounds,
  type RuleConfig,
} from './plan-column-rules.ts'
import { checkPreset, expandPreset, namePresetColumn } from './plan-preset.ts'
import { planRange } from './plan-comparison.ts'
import { planRatio } from './plan-ratio.ts'
import type { RulePlan } from './rule-plan.ts'
import type { RatioPlan } from '../limits-plan.ts'

export interface PlannedRules {
  readonly rules: readonly RulePlan[]
  readonly ratios: readonly RatioPlan[]
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
}

interface RuleContext extends Pick<ColumnRules, 'timezone' | 'problems' | 'notes'> {
  readonly root: Field
  readonly tables: readonly TablePlan[]
  readonly ratios: RatioPlan[]
}

export function planRules(
  expect: readonly RuleConfig[],
  planned: Pick<RuleContext, 'root' | 'tables' | 'timezone'>,
): PlannedRules {
  const [problems, notes, ratios]: [Problem[], Problem[], RatioPlan[]] = [[], [], []]
  const context = { ...planned, problems, notes, ratios }
  const rules = expect.flatMap((config, entry) => planEntry(config, entry, context))
  return { rules, ratios, problems, notes }
}

function planEntry(written: RuleConfig, entry: number, context: RuleContext): RulePlan[] {
  const path = ['expect', entry]
  const config = namePresetColumn(written)
  const { tables, problems, timezone, notes, root } = context
  const { severity } = config
  problems.push(...checkPreset(config, path))
  const table = findTable(config, [...path, 'table'], context)
  const plan = tables[table]
  if (plan === undefined) return []
  const at = findRuled(config, plan, [...path, 'column'], context)
  if (plan.builtin !== undefined && at !== null) {
    const message = `expected rows, as the columns of a built-in table are known only when it is written, got a column of "${plan.name}"`
    problems.push(problemAt([...path, 'column'], message))
    return []
  }
  const column = at === null ? undefined : plan.columns[at]
  const field = column && findField(column, plan, root)
  const ofColumn = column
    ? planColumnRules({ config: expandPreset(config, column), column, field, path, timezone, problems, notes })
    : []
  if (column && config.preset === 'price_ratio')
    context.ratios.push(...planRatio(config, { table, entry, column, at: at ?? 0 }, path, problems))
  return [
    ...ofColumn.map((test) => ({ table, column: at, ...test, severity })),
    ...planRows(config.rows, [...path, 'rows'], context).map((test) => ({ table, column: null, ...test, severity })),
  ]
}

/** Index of the table, by default the first with one row per record; -1 after a problem. */
function findTable({ table }: RuleConfig, path: Problem['path'], { tables, problems }: RuleContext): number {
  const names = tables.map(({ name }) => name)
  if (table === undefined) {
    const root = tables.findIndex(({ each }) => each.length === 0)
    return Math.max(0, root)
  }
  const at = names.indexOf(table)
  if (at >= 0) return at
  const message = `unknown table "${table}", expected one of ${listChoices(names)}`
  problems.push(problemAt(path, message, closest(table, names)))
  return at
}

function findField({ source }: ColumnPlan, { each }: TablePlan, root: Field): Field | undefined {
  return source.kind === 'path' ? follow(root, [...each, ...source.steps]).field : undefined
}

function planRows(rows: RuleConfig['rows'], path: Problem['path'], context: RuleContext): PlannedTest[] {
  if (rows === undefined) return []
  const { problems } = context
  const { bounds, toPath } = readBounds(rows, path, context)
  const compared = { by: 'rule', type: { kind: 'integer' }, shown: 'rows', from: '', problems } as const
  const range = planRange(bounds, compared, toPath)
  const expected = `${describeBounds(bounds, formatCount)} rows`
  return range === null ? [] : [{ test: { ...range, kind: 'rows' }, expected }]
}

/** Index of the column of an entry; null if it names none, or after a problem. */
function findRuled(
  config: RuleConfig,
  { name, columns }: TablePlan,
  path: Problem['path'],
  { tables, problems }: RuleContext,
): number | null {
  const asked = columnTests.find((key) => config[key] !== undefined)
  if (config.column === undefined) {
    if (asked === undefined) return null
    const message = `missing key "column", expected the column that ${asked} is about, got nothing`
    problems.push(problemAt(path, message))
    return null
  }
  const at = findColumn(config.column, columns)
  if (at >= 0) return at
  problems.push(problemAt(path, ...describeUnknown(config.column, { name, columns }, tables)))
  return null
}

function findColumn(written: string, columns: readonly ColumnPlan[]): number {
  const byName = columns.findIndex(({ name }) => name === written)
  if (byName >= 0) return byName
  const byPath = columns.findIndex(({ from }) => from === written)
  return byPath >= 0 ? byPath : columns.findIndex(({ name }) => name === toSnakeCase(written))
}

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
