import type { Contract } from '../../contracts/contracts.ts'
import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import type { Field } from '../../contracts/fields.ts'
import { type Column, describeUnit } from '../../records/flatten/column.ts'
import { type ColumnPlan, isOfList, type Step, type TablePlan } from '../../records/flatten/table-plan.ts'
import type { RecordsPlan } from './records-plan.ts'
import { formatEach, toRoot } from './plan-tables.ts'
import { findIdColumn, isPosition } from './table-key.ts'

export interface TableDescription {
  readonly name: string
  /** Such as `One row a product.` */
  readonly description: string
  readonly columns: readonly ColumnDescription[]
  /** Columns that identify a row if no record is repeated; empty if the table has no column from `id`. */
  readonly key: readonly string[]
  /** The table of the records that own these rows, with the id columns of both; null for that table itself. */
  readonly parent: { readonly table: string; readonly column: string; readonly from: string } | null
}

export interface ColumnDescription extends Column {
  readonly from: string
  /** Empty for fields that are not in the contract. */
  readonly description: string
  /** Values listed by the contract; others are possible. */
  readonly values: readonly string[]
  /** True, or the replacement. */
  readonly deprecated: boolean | string
  readonly nullable: boolean
}

const modeColumns: Readonly<Record<string, string>> = {
  run_date: 'Day of the run that brought the row',
  run_id: 'The run that brought the row',
  _change: 'What the run changed: new, changed, touched or removed',
  _changed_at: 'When the record got this content, or was found removed',
  _run: 'The run that found the change',
  _previous_run: 'The run whose changes come right before; empty if these are all records that there are',
  _removed_at: 'When the record was found removed; empty while it is there',
  valid_from: 'When this version of the record began',
  valid_to: 'When it ended; empty for the current version',
  is_current: 'True for the current version of the record',
}

const optionalModeColumns = new Set(['_removed_at', 'valid_to', '_previous_run'])

export function describeModeColumn(column: Column): ColumnDescription {
  const description = modeColumns[column.name] ?? ''
  const isOptional = optionalModeColumns.has(column.name)
  return { ...column, from: '', description, values: [], deprecated: false, nullable: isOptional }
}

export function describeTables(records: RecordsPlan): TableDescription[] {
  const contract = resolveContract(records)
  return records.tables.map((table) => describeTable(table, contract, records.tables))
}

export function describeTable(table: TablePlan, contract: Contract, tables: readonly TablePlan[]): TableDescription {
  const { name, each, columns } = table
  const id = findIdColumn(columns)?.name
  const element = follow(toRoot(contract), each)
  return {
    name,
    description: table.builtin?.description ?? describeRows(table, contract, element.trail.at(-1)?.description ?? ''),
    columns: columns.map((column) => describeColumn(column, table, contract)),
    key: listKey(table),
    parent: each.length === 0 || id === undefined ? null : findParent(id, tables),
  }
}

function listKey(table: TablePlan): string[] {
  if (isOfList(table)) return ['list_line']
  const id = findIdColumn(table.columns)?.name
  return id === undefined ? [] : [id, ...table.columns.filter(isPosition).map((column) => column.name)]
}

function describeRows(table: TablePlan, { record }: Contract, list: string): string {
  const { each, where } = table
  const noun = record.replaceAll('_', ' ')
  const condition = where.length === 0 ? '' : `, where ${where.map(({ shown }) => shown).join(' and ')}`
  if (isOfList(table)) return `One row a line of the list, in its order, with its ${noun} if it has one.`
  if (each.length === 0) return `One row a ${noun}${condition}.`
  const meaning = list === '' ? '' : ` (${list})`
  return `One row an element of ${formatEach(each)}${meaning} of a ${noun}${condition}.`
}

function findParent(column: string, tables: readonly TablePlan[]): TableDescription['parent'] {
  const root = tables.find(
    (table) => table.each.length === 0 && table.where.length === 0 && !isOfList(table) && findIdColumn(table.columns),
  )
  const from = root && findIdColumn(root.columns)
  return root && from ? { table: root.name, column, from: from.name } : null
}

function describeColumn(column: ColumnPlan, table: TablePlan, contract: Contract): ColumnDescription {
  const { name, type, list, unit, timezone, from, label } = column
  const { field, trail } = followSource(column, table, contract)
  const deprecated = trail.find(({ notes }) => notes.deprecated !== undefined)?.notes.deprecated ?? false
  return {
    name,
    type,
    list,
    ...(unit && { unit }),
    ...(timezone && { timezone }),
    ...(label !== undefined && { label }),
    from,
    description: formatMeaning(column, table, contract, trail),
    // Values of the source are complete, and named in the description.
    values: field?.kind === 'scalar' && column.source.kind === 'path' ? (field.values ?? []) : [],
    deprecated,
    // A line of a list may have no product.
    nullable: isOfList(table) ? name !== 'list_line' : !isAlwaysFilled(column, field),
  }
}

const alwaysFilled: ReadonlySet<string> = new Set(['key', 'position', 'contentHash', 'count', 'has'])

function isAlwaysFilled({ source }: ColumnPlan, field: Field | undefined): boolean {
  if (alwaysFilled.has(source.kind)) return true
  if (source.kind === 'computed') return source.isFilled
  // The version is known for every source with columns from it.
  if (source.kind === 'given') return true
  return source.kind === 'path' && source.steps.length === 1 && field?.kind === 'scalar' && field.required === true
}

function formatMeaning(
  column: ColumnPlan,
  { each, builtin }: TablePlan,
  { record }: Contract,
  trail: readonly Field[],
): string {
  const { source, unit, timezone } = column
  const noun = record.replaceAll('_', ' ')
  switch (source.kind) {
    case 'key':
      return `The id of the ${noun} that the row belongs to`
    case 'position':
      if (builtin !== undefined) return `Position among the rows of the ${noun}, from 1`
      return `Position in ${formatEach(listEach(each, source.depth))}, from 1`
    case 'contentHash':
      return `Hash of the content of the ${noun}: the same as long as nothing of it changes`
    case 'delivered':
      return 'As it was delivered, as JSON'
    case 'given':
      return trail[0]?.description ?? ''
    case 'nothing':
      return 'Always empty'
    case 'listed':
      return source.description
    case 'count':
      return `How many there are, of ${describeFilled(column, source.steps, trail)}`
    case 'has':
      return `Whether there is ${describeFilled(column, source.steps, trail)}`
    case 'computed':
      return source.meaning
    case 'own':
      return `Computed by a function of the config, version ${source.version}`
    case 'path': {
      const meaning = describeTrail(trail)
      const notes = [describeLocales(source.steps), unit && describeUnit(unit), timezone && `day in ${timezone}`]
      const added = notes.filter(Boolean).join('; ')
      return meaning !== '' && added !== '' ? `${meaning} (${added})` : meaning || added
    }
  }
}

/** The meanings of the fields on the way, the whole before its part. */
function describeTrail(trail: readonly Field[]): string {
  return [...new Set(trail.map(({ description }) => description).filter((text) => text !== ''))].join(': ')
}

/** `photos[] (Photos; photoType: packshot)` */
function describeFilled({ from }: ColumnPlan, steps: readonly Step[], trail: readonly Field[]): string {
  const conditions = steps.flatMap((step) => ('where' in step ? (step.where ?? []) : []))
  const notes = [
    describeTrail(trail),
    describeLocales(steps),
    ...conditions.map((each) => `${each.from}: ${each.shown}`),
  ]
  const added = notes.filter((note) => note !== '').join('; ')
  const path = from.slice(from.indexOf(' ') + 1)
  return added === '' ? path : `${path} (${added})`
}

function listEach(each: readonly Step[], depth: number): readonly Step[] {
  const ends = each.flatMap(({ kind }, at) => (kind === 'all' ? [at + 1] : []))
  return each.slice(0, ends[depth])
}

function describeLocales(steps: readonly Step[]): string {
  const named = steps.find((step) => step.kind === 'choose') ?? steps.find((step) => step.kind === 'locale')
  if (named === undefined) return ''
  const [first, ...others] = named.locales
  const fallbacks = [...others, ...(named.others ? ['any other'] : [])]
  if (first === undefined) return named.others ? 'in any locale' : ''
  return [`locale ${first}`, ...fallbacks.map((locale) => `else ${locale}`)].join(', ')
}

interface Followed {
  readonly field: Field | undefined
  /** Described fields along the path: lists rather than their elements. */
  readonly trail: readonly Field[]
}

function followSource({ source }: ColumnPlan, { each }: TablePlan, contract: Contract): Followed {
  if (source.kind === 'given') {
    const given = contract.given?.fields.get(source.name)
    return { field: given, trail: given === undefined ? [] : [given] }
  }
  const { field } = follow(toRoot(contract), each)
  return 'steps' in source ? follow(field, source.steps) : { field: undefined, trail: [] }
}

/** Follows steps through fields. The trail is empty if they lead to a field that the config added. */
export function follow(from: Field | undefined, steps: readonly Step[]): Followed {
  const trail: Field[] = []
  const field = steps.reduce<Field | undefined>((current, step) => {
    if (step.kind !== 'field')
      return current?.kind === 'list' || current?.kind === 'localized' ? current.element : undefined
    const next = current?.kind === 'object' ? current.fields.get(step.name) : undefined
    if (next !== undefined) trail.push(next)
    return next
  }, from)
  return { field, trail: field === undefined ? [] : trail }
}
