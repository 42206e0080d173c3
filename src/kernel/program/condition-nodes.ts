import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { Comparison } from '../../records/conditions/condition.ts'
import { writeName } from './member-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import type { CellCondition } from './condition-cells.ts'
import type { FilledColumn } from './filled-cells.ts'
import type { Projection } from './projection.ts'
import { Unsupported } from './unsupported.ts'
import { cellBytes, type TableHeaders } from './table-memory.ts'

/** A comparison with values that are texts in cells. */
interface TextCondition {
  readonly isNot: boolean
  readonly takesNull: boolean
  readonly texts: readonly string[]
  readonly isList: boolean
}

/** Where a condition finds its cell: at an address, or at an offset in its row. */
type CellPlace = { readonly address: ProgramOffset } | { readonly offset: number }

/** The condition of a plan in the program, where the walk counts what fails it. */
export interface WalkedCondition<At extends number> {
  readonly at: At
  /** Its position among all conditions of the plan. */
  readonly number: number
  /** Null for a condition on records. */
  readonly table: number | null
}

export function writeCondition(
  writer: ProgramWriter,
  at: ProgramOffset,
  { isNot, takesNull, texts, isList }: TextCondition,
  place: CellPlace,
): void {
  if ('address' in place) writer.link(at, layout.conditionCell, place.address)
  else writer.setWord(at, layout.conditionCell, place.offset)
  writer.setWord(at, layout.conditionIsList, Number(isList))
  writer.setWord(at, layout.conditionIsNot, Number(isNot))
  writer.setWord(at, layout.conditionTakesNull, Number(takesNull))
  writer.link(at, layout.conditionNames, writeNames(writer, texts))
  writer.setWord(at, layout.conditionNameCount, texts.length)
}

export function writeNames(writer: ProgramWriter, names: readonly string[]): ProgramOffset {
  const start = writer.allocate(layout.nameBytes * names.length)
  for (const [index, name] of names.entries()) writeName(writer, start, index * layout.nameBytes, name)
  return start
}

/** The values of a comparison as texts. Throws Unsupported for one that is more than that. */
export function toTextCondition(test: Comparison | { readonly kind: string }, isList: boolean): TextCondition {
  if (!isOfValues(test)) throw new Unsupported('a range, some, none or any in the `where` of a column')
  const texts = test.values.flatMap((value) => (value === null ? [] : [String(value)]))
  if (texts.some((text) => !text.isWellFormed())) throw new Unsupported('half a character')
  return { isNot: test.kind === 'not', takesNull: test.values.includes(null), texts, isList }
}

/** Null for a condition that only JavaScript tests. */
export function toWalkedCondition({ cells, test }: CellCondition): (TextCondition & { readonly cell: number }) | null {
  const [cell, ...others] = cells
  if (cell?.kind !== 'value' || others.length > 0 || !isOfValues(test)) return null
  const isComparable = test.values.every((value) => value === null || typeof value === comparableTypes[cell.from])
  const condition = isComparable ? toTextCondition(test, cell.isList) : null
  const areShort = condition?.texts.every((text) => text !== '' && Buffer.byteLength(text) <= layout.longestName)
  return condition !== null && areShort === true ? { ...condition, cell: cell.cell } : null
}

/** True for a column that the walk writes by itself; JavaScript writes others behind it. */
export function isWalked({ elements }: FilledColumn): boolean {
  return elements === null || elements.conditions.every((condition) => toWalkedCondition(condition) !== null)
}

/** Types whose values are equal if their texts are. */
const comparableTypes: Partial<Record<ScalarType, string>> = { text: 'string', integer: 'number', boolean: 'boolean' }

function isOfValues(test: { readonly kind: string }): test is Extract<Comparison, { kind: 'in' | 'not' }> {
  return (test.kind === 'in' || test.kind === 'not') && (test as { readonly ranges?: unknown }).ranges === undefined
}

/**
 * Writes the conditions of a plan for the walk: those on records, and a filter for each table that has some. Null if
 * JavaScript has to apply every line, for one of them or for something else.
 */
export function writeWalkedConditions(
  writer: ProgramWriter,
  scope: ProgramOffset,
  { tombstones }: Pick<RecordPlan, 'tombstones'>,
  { recordConditions, tables: projected }: Projection,
  tables: TableHeaders<ProgramOffset>,
): WalkedCondition<ProgramOffset>[] | null {
  const leavesTombstones = recordConditions.length > 0 && tombstones?.kinds.includes('filtered') === true
  const needsMore = projected.some(({ conversions, filled }) => conversions.length > 0 || !filled.every(isWalked))
  const all = [recordConditions, ...projected.map(({ conditions }) => conditions)]
  const conditions = all.map((each) => each.map(toWalkedCondition))
  if (leavesTombstones || needsMore || conditions.flat().includes(null)) return null
  const [ofRecords = [], ...ofTables] = conditions as (TextCondition & { readonly cell: number })[][]
  const written = ofTables.map((each) => writeRowConditions(writer, each))
  const filters = [...written.entries()].filter(([, { count }]) => count > 0)
  const start = writer.allocate(layout.filterBytes * filters.length)
  for (const [index, [table, { start: first, count }]] of filters.entries()) {
    const at = index * layout.filterBytes
    writer.link(start, at + layout.filterTable, tables.tableHeader(table))
    writer.setWord(start, at + layout.filterMark, 4 * (1 + table))
    writer.link(start, at + layout.filterConditions, first)
    writer.setWord(start, at + layout.filterConditionCount, count)
  }
  writer.link(scope, layout.scopeFilters, start)
  writer.setWord(scope, layout.scopeFilterCount, filters.length)
  const records = writeRowConditions(writer, ofRecords)
  writer.link(scope, layout.scopeConditions, records.start)
  writer.setWord(scope, layout.scopeConditionCount, records.count)
  return [records, ...written].flatMap((group, index) =>
    Array.from({ length: group.count }, (_, place) => ({
      at: (group.start + place * layout.conditionBytes) as ProgramOffset,
      number: all[index]?.[place]?.number ?? 0,
      table: index === 0 ? null : index - 1,
    })),
  )
}

/** Writes conditions whose cells are at offsets in a row, or in an element of a list. */
export function writeRowConditions(
  writer: ProgramWriter,
  conditions: readonly (TextCondition & { readonly cell: number })[],
) {
  const start = writer.allocate(layout.conditionBytes * conditions.length)
  for (const [index, condition] of conditions.entries()) {
    const at = (start + index * layout.conditionBytes) as ProgramOffset
    writeCondition(writer, at, condition, { offset: condition.cell * cellBytes })
  }
  return { start, count: conditions.length }
}
