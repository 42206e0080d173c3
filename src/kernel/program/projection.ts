import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { Field } from '../../contracts/fields.ts'
import type { GivenName } from '../../contracts/given-values.ts'
import type { ContentHashPlan } from '../../records/flatten/content-hash.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { ColumnPlan, Step, TablePlan } from '../../records/flatten/table-plan.ts'
import {
  fieldAt,
  type HiddenLists,
  isOnList,
  type NumberedCondition,
  type ProjectedCell,
  type ProjectedChoice,
  projectConditions,
} from './condition-cells.ts'
import { type FilledColumn, toFilledCells } from './filled-cells.ts'
import type { ColumnLayout, TableLayout } from './table-memory.ts'
import { Unsupported } from './unsupported.ts'

/** A cell whose canonical value has to become another: a column's `as`. */
export interface CellConversion {
  readonly cell: number
  readonly isList: boolean
  readonly from: ScalarType
  readonly to: ColumnType
  readonly unitScale: number
  readonly timezone: string | undefined
}

export interface TableProjection {
  readonly layout: TableLayout
  readonly each: readonly Step[]
  readonly cells: readonly ProjectedCell[]
  readonly keyCells: readonly number[]
  readonly givenCells: readonly { readonly cell: number; readonly name: GivenName }[]
  readonly positions: readonly { readonly cell: number; readonly depth: number }[]
  readonly conditions: readonly NumberedCondition[]
  readonly conversions: readonly CellConversion[]
  readonly hashCells: readonly number[]
  readonly filled: readonly FilledColumn[]
}

/** The cells that a plan takes from every record. Plain data: it can be sent to a worker. */
export interface Projection {
  readonly tables: readonly TableProjection[]
  /** Cells of the conditions on the record. They follow the first `recordCells` ones. */
  readonly recordConditionCells: readonly ProjectedCell[]
  readonly recordConditions: readonly NumberedCondition[]
  /** How many lists of hidden cells there are. They are numbered after those of the columns. */
  readonly hiddenLists: number
  /** True if some cells have JSON text: then the reference path keeps every digit, also in unknown fields. */
  readonly keepsJson: boolean
  /** The field left out of the content of records; null if no column has its hash. */
  readonly content: Pick<ContentHashPlan, 'without'> | null
}

/** The record's own cells in every plan: its id, the line's index and its total, the hash of its content. */
export const [idCell, indexCell, totalCell, hashCell, recordCells] = [0, 1, 2, 3, 4]

export function toProjection(plan: Pick<RecordPlan, 'tables' | 'where'>, record: Field): Projection {
  const columnLists = plan.tables.flatMap(({ columns }) => columns).filter(({ list }) => list).length
  const nextCondition = plan.where.length
  const choiceLists = new Map<string, number>()
  const numbers = { nextColumnList: 0, nextHiddenList: columnLists, nextCondition, choiceLists }
  const tables = plan.tables.map((table) => toTableProjection(table, record, numbers))
  numbers.nextCondition = 0
  const own = toConditionCells(plan.where, record, recordCells, numbers)
  return {
    tables,
    recordConditionCells: own.cells,
    recordConditions: own.conditions,
    hiddenLists: numbers.nextHiddenList - columnLists,
    keepsJson: plan.tables.some(({ columns }) => columns.some(({ type }) => type.kind === 'json')),
    content: toContent(plan.tables),
  }
}

function toContent(tables: readonly TablePlan[]): Projection['content'] {
  const sources = tables.flatMap(({ columns }) => columns.map(({ source }) => source))
  const [first, ...others] = sources.filter((source) => source.kind === 'contentHash')
  if (others.some(({ without }) => without !== first?.without)) throw new Unsupported('hashes of different contents')
  return first === undefined ? null : { without: first.without }
}

interface ListNumbers extends HiddenLists {
  nextColumnList: number
  nextCondition: number
  readonly choiceLists: Map<string, number>
}

function toTableProjection(table: TablePlan, record: Field, numbers: ListNumbers): TableProjection {
  const columns = table.columns.map((column) => toColumnLayout(column, numbers))
  const root = fieldAt(record, table.each)
  const hidden = toConditionCells(table.where, root, columns.length, numbers)
  const toChoice = (steps: readonly Step[]) => toProjectedChoice(table.each, steps, false, numbers)
  const counted = toFilledCells(table.columns, root, columns.length + hidden.cells.length, numbers, toChoice)
  const projection = table.columns.map((column, cell) =>
    toColumnProjection(column, { cell, list: columns[cell]?.listNumber ?? null }, table.each, numbers),
  )
  return {
    layout: { columns, width: columns.length + hidden.cells.length + counted.cells.length },
    each: table.each,
    cells: [...projection.flatMap(({ cells }) => cells), ...hidden.cells, ...counted.cells],
    keyCells: projection.flatMap(({ keyCells }) => keyCells),
    givenCells: projection.flatMap(({ givenCells }) => givenCells),
    positions: projection.flatMap(({ positions }) => positions),
    conditions: hidden.conditions,
    conversions: projection.flatMap(({ conversions }) => conversions),
    hashCells: projection.flatMap(({ hashCells }) => hashCells),
    filled: counted.filled,
  }
}

function toColumnLayout({ name, type, list, source, groupsRows }: ColumnPlan, numbers: ListNumbers): ColumnLayout {
  if (typeOf(type).cellKind === null) throw new Unsupported(`columns as ${typeOf(type).name}`)
  const seconds = type.kind === 'timestamp' && source.kind === 'path' && source.delivered === 'timestamp'
  return {
    name,
    type,
    list,
    listNumber: list ? numbers.nextColumnList++ : null,
    seconds,
    ...(groupsRows && { groupsRows }),
  }
}

type ColumnProjection = Pick<
  TableProjection,
  'cells' | 'keyCells' | 'givenCells' | 'positions' | 'conversions' | 'hashCells'
>

const nothing: ColumnProjection = {
  cells: [],
  keyCells: [],
  givenCells: [],
  positions: [],
  conversions: [],
  hashCells: [],
}

function toColumnProjection(
  { source, type, list: isList, timezone }: ColumnPlan,
  { cell, list }: Pick<ProjectedCell, 'cell' | 'list'>,
  each: readonly Step[],
  numbers: ListNumbers,
): ColumnProjection {
  switch (source.kind) {
    case 'key':
      return { ...nothing, keyCells: [cell] }
    case 'position':
      return { ...nothing, positions: [{ cell, depth: source.depth }] }
    case 'delivered':
      return { ...nothing, cells: [{ steps: [], cell, list, choice: null }] }
    case 'given':
      return { ...nothing, givenCells: [{ cell, name: source.name }] }
    case 'nothing':
    case 'listed':
    // They are written behind the walk, from hidden cells.
    case 'count':
    case 'has':
    case 'computed':
    case 'own':
      return nothing
    case 'contentHash':
      return { ...nothing, hashCells: [cell] }
    case 'path': {
      const { steps, delivered, unitScale } = source
      const cells = [{ steps, cell, list, choice: toProjectedChoice(each, steps, delivered === 'json', numbers) }]
      const isSame = unitScale === 0 && typeOf(type).from[delivered] === 'same'
      if (delivered === 'json' || isSame) return { ...nothing, cells }
      return { ...nothing, cells, conversions: [{ cell, isList, from: delivered, to: type, unitScale, timezone }] }
    }
  }
}

function toProjectedChoice(
  each: readonly Step[],
  steps: readonly Step[],
  isJson: boolean,
  numbers: ListNumbers,
): ProjectedChoice | null {
  if (steps.some((step) => (step.kind === 'all' || step.kind === 'index') && step.where !== undefined)) {
    throw new Unsupported('a `where` on the elements of a list without a `locale` beside it')
  }
  const at = steps.findIndex(({ kind }) => kind === 'choose')
  const step = steps[at]
  if (step?.kind !== 'choose') return null
  const listPath = [...each, ...steps.slice(0, at)]
  const toNumber = (inside: readonly Step[]): number => {
    const path = JSON.stringify([...listPath, ...inside])
    const number = numbers.choiceLists.get(path) ?? numbers.nextHiddenList++
    numbers.choiceLists.set(path, number)
    return number
  }
  return {
    locales: step.by === 'element' ? toNumber(localesOfElement) : null,
    conditions: step.where.map((condition) => (isOnList(condition) ? toNumber(condition.steps) : null)),
    isJson,
  }
}

export const localesOfElement: readonly Step[] = [{ kind: 'field', name: 'locales' }, { kind: 'all' }]

function toConditionCells(where: readonly Condition[], root: Field, firstCell: number, numbers: ListNumbers) {
  const { cells, conditions } = projectConditions(where, root, firstCell, numbers)
  return { cells, conditions: conditions.map((condition) => ({ ...condition, number: numbers.nextCondition++ })) }
}
