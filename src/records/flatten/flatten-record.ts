import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import { type InterfaceVersion, readGiven } from '../../contracts/given-values.ts'
import { showValue } from '../../text/show-value.ts'
import { mostIdBytes } from '../id-layout.ts'
import type { Issue } from '../reject.ts'
import type { CanonicalRecord } from '../validate/validate-record.ts'
import type { Cell, Row } from './column.ts'
import { type ColumnType, formatColumnType, typeOf, compileConversion } from '../../types/column-types.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { CodeTaker } from '../conditions/condition-test.ts'
import { callOwnCode, compileOwnConversion, freezeRecord, hasOwnCode } from '../own-code.ts'
import { compileContentHash } from './content-hash.ts'
import { compileConditions } from '../conditions/match-conditions.ts'
import { compileFilled, compilePath } from './read-path.ts'
import type { CellSource, ColumnPlan, Step, TablePlan } from './table-plan.ts'

/** The rows that one record gives. With issues there is no row: a cell could not be converted without loss. */
export interface FlatRecord {
  /** The rows by table, in the order of the tables. */
  readonly rows: readonly (readonly Row[])[]
  /** Elements left out by the `where` of their table, by table. */
  readonly filtered: readonly number[]
  /** Elements left out by each condition, one table after the other. */
  readonly filteredByCondition: readonly number[]
  readonly issues: readonly Issue[]
}

export type Flatten = (record: CanonicalRecord, delivered: unknown, from?: InterfaceVersion) => FlatRecord

/** Flattens records into the rows of the tables (DESIGN: what flattening does). What the store can't hold is an issue. */
export function compileFlattening(tables: readonly TablePlan[], store?: Store): Flatten {
  const flattenings = tables.map((table) => compileTable(table, table.isCountedOnly ? undefined : store))
  const isFrozen = hasOwnCode({ tables })
  return (record, delivered, from) => {
    if (isFrozen) freezeRecord(record)
    const scope: Scope = { record, delivered, from, positions: [], issues: [] }
    const results = flattenings.map((flatten) => flatten(scope))
    return {
      rows: results.map(({ rows }) => rows),
      filtered: results.map(({ filteredByCondition }) => filteredByCondition.reduce((sum, count) => sum + count, 0)),
      filteredByCondition: results.flatMap(({ filteredByCondition }) => filteredByCondition),
      issues: scope.issues,
    }
  }
}

/** True if a column holds the record as it was delivered: others don't need the second argument of `Flatten`. */
export function readsDelivered(tables: readonly TablePlan[]): boolean {
  return tables.some(({ columns }) => columns.some(({ source }) => source.kind === 'delivered'))
}

/** True if a column is a value of the source: the interface that the records came from has to be known. */
export function readsGiven(tables: readonly Pick<TablePlan, 'columns'>[]): boolean {
  return tables.some(({ columns }) => columns.some(({ source }) => source.kind === 'given'))
}

/** The sources of a cell, beside the element of its row. */
interface Scope {
  readonly record: CanonicalRecord
  readonly delivered: unknown
  readonly from: InterfaceVersion | undefined
  /** The 1-based positions on the way to the current element. */
  readonly positions: number[]
  readonly issues: Issue[]
}

interface TableRows {
  readonly rows: Row[]
  /** Elements left out, by condition. */
  readonly filteredByCondition: number[]
}

type ReadCell = (element: unknown, scope: Scope) => Cell

function compileTable(table: TablePlan, store: Store | undefined): (scope: Scope) => TableRows {
  if (table.builtin !== undefined) return () => ({ rows: [], filteredByCondition: [] })
  const readCells = table.columns.map((column) => compileStorable(table, column, store))
  const findFailing = compileConditions(table.where)
  const found: CodeTaker = new Set()
  const visit = compileEach(table.each, 0)
  return (scope) => {
    const result: TableRows = { rows: [], filteredByCondition: table.where.map(() => 0) }
    visit(scope.record, scope, (element) => {
      const by = findFailing(element, found)
      if (by < 0) result.rows.push(readCells.map((read) => read(element, scope)))
      else result.filteredByCondition[by] = (result.filteredByCondition[by] ?? 0) + 1
    })
    return result
  }
}

type Visit = (value: unknown, scope: Scope, emit: (element: unknown) => void) => void

/** Walks from the record to every element of `each`; missing lists and null elements give no row. */
function compileEach(steps: readonly Step[], depth: number): Visit {
  const allAt = steps.findIndex(({ kind }) => kind === 'all')
  if (allAt < 0) {
    const read = compilePath(steps)
    return (value, _scope, emit) => emit(read(value))
  }
  const readList = compilePath(steps.slice(0, allAt))
  const visitElement = compileEach(steps.slice(allAt + 1), depth + 1)
  return (value, scope, emit) => {
    const elements = readList(value)
    if (!Array.isArray(elements)) return
    for (const [index, element] of elements.entries()) {
      if (element === null) continue
      scope.positions[depth] = index + 1
      visitElement(element, scope, emit)
    }
  }
}

/** Texts that the store can't hold are issues of the record. */
function compileStorable({ each }: TablePlan, column: ColumnPlan, store: Store | undefined): ReadCell {
  const read = compileCell(column, each.length > 0)
  const { source, type, from, name } = column
  if (store === undefined || typeOf(type).form !== 'text') return read
  const isId = source.kind === 'key' || (each.length === 0 && from === 'id')
  const find = (text: string) => (isId ? findUnstorableId(text, store) : findUnstorable(text, type, store))
  return (element, scope) => {
    const cell = read(element, scope)
    for (const value of Array.isArray(cell) ? cell : [cell]) {
      const reason = typeof value === 'string' ? find(value) : null
      if (reason === null) continue
      scope.issues.push({ code: 'not_storable', path: from, message: `${reason} (column "${name}")` })
      break
    }
    return cell
  }
}

function compileCell(column: ColumnPlan, isChild: boolean): ReadCell {
  const { source } = column
  switch (source.kind) {
    case 'key':
      return (_element, { record }) => (record['id'] ?? null) as Scalar
    case 'position':
      return (_element, { positions }) => positions[source.depth] ?? null
    case 'delivered': {
      const toCell = compileScalar(column, 'json', 0)
      return (_element, scope) => toCell(scope.delivered, scope)
    }
    case 'given':
      return (_element, { from }) => readGiven(source.name, from)
    case 'nothing':
    case 'listed':
    case 'computed':
      return () => null
    case 'count': {
      const read = compileFilled(source.steps)
      return (element) => read(element).length
    }
    case 'has': {
      const read = compileFilled(source.steps)
      return (element) => read(element).length > 0
    }
    case 'contentHash': {
      const { fields } = resolveContract(source)
      const hashContent = compileContentHash(fields, source.without)
      return (_element, { record, from }) => hashContent(record, from)
    }
    case 'own':
      return compileOwn(column, source, isChild)
    case 'path': {
      const read = compilePath(source.steps)
      const toCell = compileScalar(column, source.delivered, source.unitScale)
      if (!column.list) return (element, scope) => toCell(read(element), scope)
      return (element, scope) => {
        const values = read(element)
        return Array.isArray(values) ? values.map((value: unknown) => toCell(value, scope)) : null
      }
    }
  }
}

/** What a function of the config computes; a value that the type has no form of is an issue of the record. */
function compileOwn(column: ColumnPlan, { compute }: Extract<CellSource, { kind: 'own' }>, isChild: boolean): ReadCell {
  const convert = compileOwnConversion(column.type)
  return (element, { record, issues }) => {
    const call = isChild ? () => compute(record, element) : () => compute(record)
    const value = callOwnCode(call, () => `record "${String(record['id'])}", column "${column.name}"`)
    const cell = convert(value)
    if (cell !== undefined) return cell
    issues.push(notConverted(column, value))
    return null
  }
}

/** A conversion whose failure is an issue of the record. */
function compileScalar(column: ColumnPlan, delivered: ScalarType | 'json', unitScale: number) {
  const convert = compileConversion(delivered, column.type, unitScale, column.timezone)
  return (value: unknown, { issues }: Scope): Scalar => {
    const cell = convert(value)
    if (cell !== undefined) return cell
    issues.push(notConverted(column, value))
    return null
  }
}

function notConverted(column: ColumnPlan, value: unknown): Issue {
  const type = formatColumnType({ type: column.type, list: false })
  const message = `expected a value that becomes ${type} without loss (column "${column.name}"), got ${showValue(value)}`
  return { code: 'not_convertible', path: column.from, message }
}

/** A store that holds less than every text. */
export type Store = 'PostgreSQL' | 'MariaDB'

/** The reason why the store can't hold the text of a cell; null if it can. */
function findUnstorable(text: string, { kind }: ColumnType, store: Store): string | null {
  if (text.includes('\0')) return `expected text that ${store} can hold, got one with the character NUL (U+0000)`
  // A column of JSON may be `jsonb`, which takes no escape of it.
  const isRefused = store === 'PostgreSQL' && kind === 'json' && text.includes(escapedNul) && holdsEscapedNul.test(text)
  return isRefused ? `expected JSON that ${store} can hold, got an escape of the character NUL (U+0000)` : null
}

/** The reason why the store can't have a record of this id, which is in an index; null if it can. */
export function findUnstorableId(id: string, store: Store): string | null {
  const bytes = id.length * 3 > mostIdBytes ? Buffer.byteLength(id) : 0
  if (bytes > mostIdBytes) return `expected an id of at most ${mostIdBytes} bytes for ${store}, got ${bytes}`
  return findUnstorable(id, { kind: 'text' }, store)
}

const escapedNul = String.raw`\u0000`
const holdsEscapedNul = /(?<!\\)(?:\\\\)*\\u0000/
