import { aText, filledText, keysOfConfig, listOf, needed, oneOf, type OptionKinds } from '../check-options.ts'
import { checkShape } from '../config/check-shape.ts'
import { checkLocales, specLocales } from '../plan/locales.ts'
import { planConditions } from '../plan/conditions/plan-conditions.ts'
import { closest, formatSuggestion, listChoices } from '../text/choices.ts'
import { formatConfigPath } from '../plan/plan-pipeline.ts'
import { checkTimeZone } from '../plan/check-time-zone.ts'
import { formatEach, planTables, toRoot } from '../plan/records/plan-tables.ts'
import { pipelineShape, type PipelineConfig, type TableConfig } from '../config/schemas/pipeline-schema.ts'
import type { ColumnConfig } from '../config/typed-table.ts'
import { problemAt, type Problem } from '../config/problem.ts'
import type { AnyContract, Contract } from '../contracts/contracts.ts'
import type { InterfaceVersion } from '../contracts/given-values.ts'
import { CatalogueError } from '../errors.ts'
import type { Condition } from '../records/conditions/condition.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'

/** One table, described as in a pipeline config. */
export interface TableOptions extends TableEntry {
  /**
   * A table of the contract: its plural (`products`) or a child table (`product_photos`). Any name if `each` says what
   * the rows are.
   */
  readonly table: string
  /** Locales that become columns. Default nl, fr, en. */
  readonly locales?: readonly string[] | undefined
  /** The IANA name of the time zone whose day a moment becomes with `as: date`. Default UTC. */
  readonly timezone?: string | undefined
  /** For the contract `product`, the interface version of the records. Without it, the columns from it are null. */
  readonly interface?: InterfaceVersion | undefined
}

export const entryOptions: OptionKinds<TableEntry> = keysOfConfig('columns', 'exclude', 'where', 'each', 'builtin')

export const tableOptions: OptionKinds<TableOptions> = {
  table: needed(filledText),
  ...entryOptions,
  locales: listOf(aText),
  timezone: aText,
  interface: oneOf('v3', 'v4'),
}

interface TableEntry extends Readonly<Omit<NonNullable<PipelineConfig['tables']>[string], 'columns' | 'exclude'>> {
  /** The columns in their order: field paths, or objects that name and convert; by default all. */
  readonly columns?: 'all' | readonly ColumnConfig[] | undefined
  /** Field paths to leave out, or the words deprecated and volatile; a column that names an excluded path stays. */
  readonly exclude?: readonly string[] | undefined
}

export interface PlannedTable {
  readonly table: TablePlan
  readonly where: readonly Condition[]
}

/** Plans the table by the rules of the pipeline config. Throws CONFIG_INVALID with every problem. */
export function planTable(of: AnyContract, options: TableOptions): PlannedTable {
  // Tables follow from fields: no schema is read.
  const contract = of as Contract
  const { table: name, locales = specLocales, timezone = 'UTC', interface: _, ...entry } = options
  const shape = checkShape(pipelineShape.tables, { [name]: entry }, ['tables'])
  const config = shape.value?.[name]
  if (config === undefined) throw invalid(name, shape.problems)
  const each = config.each ?? findEach(contract, name, locales)
  // A config has conditions on records beside `tables`, as they hold for every table.
  const { where, ...rest } = config
  const tableConfig: TableConfig = each === null ? { ...rest, where: {} } : { ...rest, each, where }
  const noZone = checkTimeZone(timezone, ['timezone'])
  const zone = noZone === null ? timezone : 'UTC'
  const planned = planTables(contract, { [name]: tableConfig }, locales, zone)
  const conditions = planConditions(each === null ? where : {}, toRoot(contract), ['tables', name, 'where'], zone)
  const zoneProblems = noZone === null ? [] : [noZone]
  const problems = [...checkLocales(locales), ...zoneProblems, ...planned.problems, ...conditions.problems]
  const [table] = planned.tables
  if (table === undefined || problems.length > 0) throw invalid(name, problems)
  return { table, where: conditions.conditions }
}

/** The path of a default table's list; null for the root table. Throws CONFIG_INVALID if there is no such table. */
export function findEach(contract: Contract, name: string, locales: readonly string[]): string | null {
  if (name === contract.plural) return null
  const { tables } = planTables(contract, undefined, locales)
  const table = tables.find((candidate) => candidate.name === name)
  if (table !== undefined) return formatEach(table.each)
  const names = tables.map((candidate) => candidate.name)
  const message = `unknown table "${name}" of ${contract.name}, expected one of ${listChoices(names)}, or each: with the path of a list`
  throw invalid(name, [problemAt([], message, closest(name, names))])
}

/** Turns paths of a config into those of the options, without `tables` and the name of the table. */
function invalid(name: string, problems: readonly Problem[]): CatalogueError {
  const lines = problems.map(({ path, message, suggestion }) => {
    const inOptions = path[0] === 'tables' && path[1] === name ? path.slice(2) : path
    const where = inOptions.length === 0 ? '' : `${formatConfigPath(inOptions)}: `
    return `${where}${message}${formatSuggestion(suggestion)}`
  })
  return new CatalogueError('CONFIG_INVALID', `table "${name}": ${lines.join('\n')}`)
}
