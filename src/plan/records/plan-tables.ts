import type { Contract } from '../../contracts/contracts.ts'
import type { Field, ObjectField } from '../../contracts/fields.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { ColumnPlan, Step, TablePlan } from '../../records/flatten/table-plan.ts'
import { closest } from '../../text/choices.ts'
import type { TableConfig } from '../../config/schemas/pipeline-schema.ts'
import { planBuiltin } from '../builtin/builtin-tables.ts'
import { planColumn, readOrigin } from './plan-column.ts'
import { expandField } from './plan-columns.ts'
import { planConditions } from '../conditions/plan-conditions.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import { isPathProblem, resolvePath, type ResolvedPath } from './resolve-path.ts'

export interface PlannedTables {
  readonly tables: readonly TablePlan[]
  readonly problems: readonly Problem[]
  /** The place at which the config asks for a column; undefined if it asks for the whole table. */
  readonly pathOf: (column: Column) => Problem['path'] | undefined
}

/** Plans the tables of a config; by default a root table with every field, and a child table per nested list. */
export function planTables(
  contract: Contract,
  configs: Readonly<Record<string, TableConfig>> | undefined,
  locales: readonly string[],
  timezone = 'UTC',
): PlannedTables {
  const context = { contract, root: toRoot(contract), locales, timezone }
  const entries = Object.entries(configs ?? defaultTables(context))
  const planned = entries.map(([name, config]) => planTable(name, config, context))
  const problems = [...planned.flatMap((table) => table.problems), ...checkTableNames(entries.map(([name]) => name))]
  const paths = new Map<Column, Problem['path']>(planned.flatMap(({ columnPaths }) => [...columnPaths]))
  return { tables: planned.map(({ table }) => table), problems, pathOf: (column) => paths.get(column) }
}

interface Context {
  readonly contract: Contract
  readonly root: ObjectField
  readonly locales: readonly string[]
  readonly timezone: string
}

/** The record of a contract as a field, so that the same rules apply to records and elements. */
export function toRoot({ record, fields }: Contract): ObjectField {
  return { kind: 'object', record, fields, description: '', notes: {} }
}

const wholeTable: TableConfig = { columns: 'all', exclude: [], where: {} }

/** `products`, `product_photos`, `product_photo_organizations`: every documented field is in one of them. */
function defaultTables({ contract, root, locales }: Context): Record<string, TableConfig> {
  const tables: Record<string, TableConfig> = { [contract.plural]: wholeTable }
  const addChildren = (field: Field, each: string, singular: string): void => {
    const seed = { name: [], from: '', steps: [], field, list: false }
    for (const { from, name } of expandField(seed, locales).nestedLists) {
      const childEach = each === '' ? `${from}[]` : `${each}.${from}[]`
      tables[[singular, ...name].join('_')] = { ...wholeTable, each: childEach }
      const child = resolvePath(root, childEach)
      if (isPathProblem(child) || child.field.kind !== 'object') continue
      addChildren(child.field, childEach, `${singular}_${child.field.record}`)
    }
  }
  addChildren(root, '', contract.record)
  return tables
}

/** Formats the path of a table's list: `photos[].organizations[]`. */
export function formatEach(steps: readonly Step[]): string {
  return steps.reduce((path, step) => {
    if (step.kind === 'field') return path === '' ? step.name : `${path}.${step.name}`
    return `${path}[]`
  }, '')
}

interface PlannedTable {
  readonly table: TablePlan
  readonly problems: readonly Problem[]
  readonly columnPaths: ReadonlyMap<ColumnPlan, Problem['path']>
}

function planTable(name: string, config: TableConfig, context: Context): PlannedTable {
  const path = ['tables', name]
  if (config.builtin !== undefined) {
    const { given } = context.contract
    const feed = { ...context, given, isRecord: true, path: [...path, 'builtin'] }
    const planned = planBuiltin(name, config.builtin, config, context.contract, (column) => planColumn(column, feed))
    return { ...planned, columnPaths: new Map() }
  }
  const problems: Problem[] = []
  const each = resolveEach(config.each, context.root, path, problems)
  // Without a valid list the object of the columns is unknown.
  if (each === null && config.each !== undefined)
    return { table: { name, each: [], columns: [], where: [] }, problems, columnPaths: new Map() }
  const root = each?.field ?? context.root
  const keys = each === null ? [] : toKeyColumns(each, context.contract)
  const { given } = context.contract
  const planned = planColumns(config, { ...context, root, isRecord: each === null, given, path }, problems)
  const kept = withoutExcluded(planned, config, { root, given }, path, problems)
  const where = planConditions(config.where, root, [...path, 'where'], context.timezone)
  problems.push(...where.problems, ...checkCollisions([...keys, ...kept], planned.fieldPaths, path))
  if (each === null && Object.keys(config.where).length > 0) {
    const message =
      'where: expected only in a table with each, as this table has a row for every record; use where at the top of the config'
    problems.push({ path: [...path, 'where'], atKey: true, message })
  }
  const steps = (each?.steps ?? []) as readonly Step[]
  const table = { name, each: steps, columns: [...keys, ...kept], where: where.conditions }
  return { table, problems, columnPaths: planned.fieldPaths }
}

function resolveEach(
  each: string | undefined,
  root: Field,
  path: Problem['path'],
  problems: Problem[],
): ResolvedPath | null {
  if (each === undefined) return null
  const resolved = resolvePath(root, each)
  if (isPathProblem(resolved)) {
    problems.push(problemAt([...path, 'each'], resolved.message, resolved.suggestion))
    return null
  }
  if (resolved.steps.at(-1)?.kind === 'all' && resolved.steps.every(({ kind }) => kind !== 'pendingLocale'))
    return resolved
  problems.push(problemAt([...path, 'each'], `each: expected the path of a list that ends in [], got "${each}"`))
  return null
}

/** The parent's key, the position in every outer list, and the element's own `position`. */
function toKeyColumns({ steps, trail }: ResolvedPath, { record, fields }: Contract): ColumnPlan[] {
  const id = fields.get('id')
  const type = id?.kind === 'scalar' ? id.type : 'text'
  const key: ColumnPlan = {
    name: `${record}_id`,
    type: { kind: type },
    list: false,
    from: 'id',
    source: { kind: 'key' },
  }
  const lists = steps.flatMap(({ kind }, at) => (kind === 'all' ? [trail[at]] : []))
  const positions = lists.map((element, depth): ColumnPlan => {
    const isOwn = depth === lists.length - 1
    const name = isOwn ? 'position' : `${element?.kind === 'object' ? element.record : `list_${depth + 1}`}_position`
    return { name, type: { kind: 'integer' }, list: false, from: 'position', source: { kind: 'position', depth } }
  })
  return [key, ...positions]
}

interface TableContext extends Pick<Context, 'contract'> {
  readonly given: Contract['given']
  readonly root: Field
  readonly isRecord: boolean
  readonly locales: readonly string[]
  readonly timezone: string
  readonly path: Problem['path']
}

interface PlannedTableColumns {
  readonly columns: readonly ColumnPlan[]
  readonly fieldPaths: ReadonlyMap<ColumnPlan, Problem['path']>
  /** Columns whose path is both asked for and excluded; they stay. */
  readonly named: ReadonlySet<ColumnPlan>
}

function planColumns(config: TableConfig, context: TableContext, problems: Problem[]): PlannedTableColumns {
  const fieldPaths = new Map<ColumnPlan, Problem['path']>()
  const named = new Set<ColumnPlan>()
  const items = config.columns === 'all' ? ['all'] : config.columns
  const entries = items.map((item, index) => {
    if (item === 'all') return null
    const path = [...context.path, 'columns', index]
    const planned = planColumn(item, { ...context, path })
    problems.push(...planned.problems)
    const from = typeof item === 'string' ? item : readOrigin(item).path
    const isNamed = config.exclude.some((entry) => isExcluded(from, entry, context.root))
    for (const column of planned.columns) {
      fieldPaths.set(column, path)
      if (isNamed) named.add(column)
    }
    return planned.columns
  })
  const taken = new Set(entries.flatMap((columns) => (columns ?? []).map(({ name }) => name.toLowerCase())))
  const others = () => toAllColumns(context).filter(({ name }) => !taken.has(name.toLowerCase()))
  return { columns: entries.flatMap((columns) => columns ?? others()), fieldPaths, named }
}

/** Every leaf outside lists of objects; `value` for elements that are scalars. */
function toAllColumns(context: TableContext): readonly ColumnPlan[] {
  const { root, locales } = context
  const name = root.kind === 'object' ? [] : ['value']
  const from = root.kind === 'object' ? '' : '$'
  const { columns } = expandField({ name, from, steps: [], field: root, list: false }, locales)
  if (!context.isRecord) return columns
  return context.contract.name === 'raw' ? [...columns, ...planRecordColumn(context)] : withGiven(columns, context)
}

/** Adds the values of the source, each behind the columns of a field. */
function withGiven(columns: readonly ColumnPlan[], context: TableContext): readonly ColumnPlan[] {
  const all = [...columns]
  for (const [from, field] of Object.entries(context.given?.behind ?? {})) {
    const at = all.findLastIndex((column) => column.from === field)
    all.splice(at + 1, 0, ...planColumn(from, context).columns)
  }
  return all
}

/** The delivered record, for contracts without documented fields. */
function planRecordColumn(context: TableContext): readonly ColumnPlan[] {
  return planColumn({ column: 'record', from: '$', as: 'json' }, context).columns
}

function withoutExcluded(
  { columns, named }: PlannedTableColumns,
  { exclude }: TableConfig,
  { root, given }: Pick<TableContext, 'root' | 'given'>,
  path: Problem['path'],
  problems: Problem[],
): ColumnPlan[] {
  const names = [...(root.kind === 'object' ? root.fields.keys() : []), ...(given?.fields.keys() ?? [])]
  for (const [index, entry] of exclude.entries()) {
    if (entry === 'deprecated' || entry === 'volatile' || given?.fields.has(entry)) continue
    const resolved = resolvePath(root, entry)
    if (!isPathProblem(resolved)) continue
    const suggestion = closest(entry, [...names, 'deprecated', 'volatile'])
    problems.push(problemAt([...path, 'exclude', index], `exclude: ${resolved.message}`, suggestion))
  }
  return columns.filter((column) => named.has(column) || !exclude.some((entry) => isExcluded(column.from, entry, root)))
}

function isExcluded(from: string, entry: string, root: Field): boolean {
  if (entry !== 'deprecated' && entry !== 'volatile')
    return from === entry || from.startsWith(`${entry}.`) || from === `${entry}[]`
  const resolved = resolvePath(root, from)
  return !isPathProblem(resolved) && resolved.trail.some(({ notes }) => notes[entry] !== undefined)
}

function checkCollisions(
  columns: readonly ColumnPlan[],
  fieldPaths: ReadonlyMap<ColumnPlan, Problem['path']>,
  path: Problem['path'],
): Problem[] {
  const first = new Map<string, ColumnPlan>()
  return columns.flatMap((column) => {
    const name = column.name.toLowerCase()
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, column)
      return []
    }
    const message = `column "${column.name}" from "${column.from}" collides with the column of that name from "${earlier.from}": give one of them another name with column:`
    return [problemAt(fieldPaths.get(column) ?? fieldPaths.get(earlier) ?? path, message)]
  })
}

function checkTableNames(names: readonly string[]): Problem[] {
  const first = new Map<string, string>()
  return names.flatMap((name): Problem[] => {
    const path = ['tables', name]
    if (!/^[A-Za-z0-9][\w-]*$/.test(name)) {
      return [
        { path, atKey: true, message: `expected a table name of letters, digits, - and _, got "${name}"` } as const,
      ]
    }
    const earlier = first.get(name.toLowerCase())
    first.set(name.toLowerCase(), name)
    if (earlier === undefined) return []
    return [{ path, atKey: true, message: `table "${name}" collides with table "${earlier}"` }]
  })
}
