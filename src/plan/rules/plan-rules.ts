import type { CompletePipelineConfig } from '../../config/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { closest, listChoices } from '../../messages/choices.ts'
import { showValue } from '../../messages/show-value.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { formatColumnType } from '../../records/flatten/column.ts'
import { toCountLimit } from '../count-limit.ts'
import { toSnakeCase } from '../records/plan-columns.ts'
import type { RulePlan, RuleTest } from '../pipeline-plan.ts'
import { expectedOf, toRuleValue } from './rule-value.ts'

type RuleConfig = CompletePipelineConfig['expect'][number]

export interface PlannedRules {
  readonly rules: readonly RulePlan[]
  readonly problems: readonly Problem[]
}

/** The rules of `expect`, each checked against the tables and the type of its column. */
export function planRules(expect: readonly RuleConfig[], tables: readonly TablePlan[]): PlannedRules {
  const planned = expect.map((config, at) => planRule(config, tables, ['expect', at]))
  return { rules: planned.flatMap(({ rules }) => rules), problems: planned.flatMap(({ problems }) => problems) }
}

function planRule(config: RuleConfig, tables: readonly TablePlan[], path: Problem['path']): PlannedRules {
  const { severity } = config
  const table = findTable(config, tables, [...path, 'table'])
  if (typeof table !== 'number') return failed(table)
  const asked = askedKeys.filter((key) => config[key] !== undefined)
  if (asked.length === 0) return failed(problemAt(path, `rule: expected one of ${listChoices(askedKeys)}, got none`))
  const problems: Problem[] = []
  const rules: RulePlan[] = []
  const add = (column: number | null, test: RuleTest, expected: string) =>
    rules.push({ table, column, test, expected, severity })
  if (config.rows !== undefined) addRows(config.rows, add, [...path, 'rows'], problems)
  const ofColumn = asked.filter((key) => key !== 'rows')
  if (config.column === undefined) {
    const [first] = ofColumn
    if (first !== undefined)
      problems.push(
        problemAt([...path, 'column'], `missing key "column", expected the column that ${first} is about, got nothing`),
      )
    return { rules, problems }
  }
  const { name = '', columns = [] } = tables[table] ?? {}
  const at = findColumn(config.column, columns)
  const column = columns[at]
  if (column === undefined) {
    problems.push(unknownColumn(config.column, { name, columns }, tables, [...path, 'column']))
    return { rules, problems }
  }
  if (ofColumn.length === 0)
    problems.push(
      problemAt([...path, 'column'], `rule: expected one of ${listChoices(columnKeys)} for a column, got none`),
    )
  addColumnRules(config, column, (test, expected) => add(at, test, expected), path, problems)
  return { rules, problems }
}

function failed(problem: Problem): PlannedRules {
  return { rules: [], problems: [problem] }
}

const columnKeys = ['from', 'to', 'in', 'not', 'matches', 'unique', 'filled'] as const
const askedKeys = [...columnKeys, 'rows'] as const

/** The position of the table, by default the first with a row a record; else what is wrong. */
function findTable({ table }: RuleConfig, tables: readonly TablePlan[], path: Problem['path']): number | Problem {
  const names = tables.map(({ name }) => name)
  if (table !== undefined) {
    const at = names.indexOf(table)
    if (at >= 0) return at
    const message = `unknown table "${table}", expected one of ${listChoices(names)}`
    return problemAt(path, message, closest(table, names))
  }
  return Math.max(
    0,
    tables.findIndex(({ each }) => each.length === 0),
  )
}

/** By its name, or by the path that it is made from. */
function findColumn(written: string, columns: readonly ColumnPlan[]): number {
  const byName = columns.findIndex(({ name }) => name === written)
  if (byName >= 0) return byName
  const byPath = columns.findIndex(({ from }) => from === written)
  return byPath >= 0 ? byPath : columns.findIndex(({ name }) => name === toSnakeCase(written))
}

function unknownColumn(
  written: string,
  { name, columns }: Pick<TablePlan, 'name' | 'columns'>,
  tables: readonly TablePlan[],
  path: Problem['path'],
): Problem {
  const other = tables.find((table) => findColumn(written, table.columns) >= 0)
  const where = other === undefined ? '' : `; ${other.name} has it: add table: ${other.name}`
  const suggestion =
    other === undefined
      ? closest(
          written,
          columns.map((column) => column.name),
        )
      : undefined
  return problemAt(path, `rule: expected a column of ${name}, got "${written}"${where}`, suggestion)
}

function addRows(
  { from, to }: NonNullable<RuleConfig['rows']>,
  add: (column: null, test: RuleTest, expected: string) => void,
  path: Problem['path'],
  problems: Problem[],
): void {
  if (from === undefined && to === undefined)
    problems.push(problemAt(path, 'rule: expected from, to or both, got neither'))
  else if (from !== undefined && to !== undefined && from > to)
    problems.push(problemAt(path, `rule: expected from before to, got from ${from} to ${to}`))
  else
    add(
      null,
      { kind: 'rows', from: from ?? null, to: to ?? null },
      `${formatRange(from?.toLocaleString('en'), to?.toLocaleString('en'))} rows`,
    )
}

/** `from 1`, `to 10`, `from 1 to 10` in words. */
function formatRange(from: string | undefined, to: string | undefined): string {
  if (to === undefined) return `at least ${from}`
  return from === undefined ? `at most ${to}` : `${from} to ${to}`
}

function addColumnRules(
  config: RuleConfig,
  column: ColumnPlan,
  add: (test: RuleTest, expected: string) => void,
  path: Problem['path'],
  problems: Problem[],
): void {
  const refuse = (key: string, expected: string): void => {
    problems.push(
      problemAt(
        [...path, key],
        `rule: expected ${expected} for ${key}, got ${column.name}, ${formatColumnType(column)}`,
      ),
    )
  }
  const toValues = (key: 'in' | 'not', values: readonly (string | number | boolean)[]): void => {
    if (column.type.kind === 'json') return refuse(key, 'a column of single values')
    const canonical = values.map((value, at) => read(value, [...path, key, at]))
    if (canonical.includes(null)) return
    const shown = values.map((value) => String(value)).join(', ')
    add({ kind: key, values: canonical as string[] }, key === 'in' ? `one of ${shown}` : `none of ${shown}`)
  }
  const read = (value: string | number | boolean, at: Problem['path']): string | null => {
    const canonical = toRuleValue(value, column.type)
    if (canonical === null)
      problems.push(problemAt(at, `rule: expected ${expectedOf(column.type)}, got ${showValue(value)}`))
    return canonical
  }
  const { from, to } = config
  if (from !== undefined || to !== undefined) {
    if (!ordered.has(column.type.kind))
      refuse(from === undefined ? 'to' : 'from', 'a column of numbers, dates or times')
    else {
      const low = from === undefined ? undefined : read(from, [...path, 'from'])
      const high = to === undefined ? undefined : read(to, [...path, 'to'])
      if (low !== null && high !== null) {
        if (low !== undefined && high !== undefined && Number(low) > Number(high))
          problems.push(problemAt([...path, 'to'], `rule: expected from before to, got from ${from} to ${to}`))
        else
          add(
            { kind: 'range', from: low ?? null, to: high ?? null },
            formatRange(from === undefined ? undefined : String(from), to === undefined ? undefined : String(to)),
          )
      }
    }
  }
  if (config.in !== undefined) toValues('in', config.in)
  if (config.not !== undefined) toValues('not', config.not)
  if (config.matches !== undefined) {
    if (column.type.kind !== 'text') refuse('matches', 'a column of text')
    else if (toPattern(config.matches) === null)
      problems.push(
        problemAt([...path, 'matches'], `rule: expected a regular expression, got ${showValue(config.matches)}`),
      )
    else add({ kind: 'matches', pattern: config.matches }, `a text that matches ${config.matches}`)
  }
  if (config.unique === true) {
    if (column.list || column.type.kind === 'json') refuse('unique', 'a column of single values')
    else add({ kind: 'unique' }, 'each value once')
  }
  if (config.filled !== undefined) {
    const least = toCountLimit(config.filled)
    const shown = least.kind === 'share' ? `${least.percent}%` : least.count.toLocaleString('en')
    add({ kind: 'filled', least }, `a value in at least ${shown} ${least.kind === 'share' ? 'of the rows' : 'rows'}`)
  }
}

const ordered = new Set(['integer', 'float', 'decimal', 'timestamp', 'date'])

function toPattern(text: string): RegExp | null {
  try {
    return new RegExp(text, 'u')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
