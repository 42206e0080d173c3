import { typeOf } from '../../types/column-types.ts'
import type { ScanProgram } from '../scan/open-scan.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { toColumnProgram } from '../scan/table-encoder.ts'
import type { ColumnLayout } from '../program/table-memory.ts'
import type { ColumnCounts, RowCounts } from './column-counts.ts'
import type { GroupedCells } from './grouped-cells.ts'
import { type Spread, toBucket } from './spread.ts'
import * as layout from './state-layout.ts'

/** Counts the rows of the fast path, given as cells. */
export interface CellProfiler {
  /** What the kernel counts at the end of a block. */
  readonly parts: readonly (readonly number[])[]
  collect(): RowCounts
}

/** `groups` counts the columns that rows are grouped by; null if there is none. */
export function createCellProfiler(
  { memory, tables }: ScanProgram,
  positions: readonly number[],
  groups: GroupedCells | null,
): CellProfiler {
  const profiled = positions.map((table) => {
    const { columns = [] } = tables.layouts[table] ?? {}
    const program = memory.place(toColumnProgram(columns.map(toCounted)))
    return { table, columns, program, states: openStates(memory, table, columns.map(toCounted)) }
  })
  return {
    parts: profiled.map(({ table, columns, program, states }) => [
      tables.tableHeader(table),
      program,
      columns.length,
      states,
    ]),
    collect: () =>
      profiled.map(({ table, columns, states }) =>
        columns.map((column, index) => {
          const counts = readState(memory, states + index * layout.stateBytes, toCounted(column))
          return column.groupsRows === true ? { ...counts, values: groups?.valuesOf(table, index) ?? null } : counts
        }),
      ),
  }
}

/** A column that rows are grouped by as the kernel counts it: no more than which rows have a value. */
function toCounted(column: ColumnLayout): ColumnLayout {
  return column.groupsRows === true ? { ...column, type: { kind: 'json' } } : column
}

/**
 * Only the head and the slots are zeroed: bounds and values are written before they are read, and the kernel zeroes the
 * buckets between the bounds.
 */
function openStates(memory: ScanMemory, table: number, columns: readonly ColumnLayout[]): number {
  const states = memory.reserve(`profile ${table}`, columns.length * layout.stateBytes)
  const sizes = columns.map((column) => countBuckets(column) * wordBytes)
  let buckets = memory.reserve(
    `buckets ${table}`,
    sizes.reduce((sum, bytes) => sum + bytes, 0),
  )
  for (const [index, bytes] of sizes.entries()) {
    const state = states + index * layout.stateBytes
    memory.wordsIn(state, state + layout.stateMin).fill(0)
    memory.setWord(state + layout.stateBuckets, buckets)
    buckets += bytes
  }
  return states
}

function countBuckets({ type }: Pick<ColumnLayout, 'type'>): number {
  const { measure } = typeOf(type)
  return measure === null ? 0 : measure.of === 'times' ? layout.dayBuckets : layout.numberBuckets
}

const wordBytes = 4

function readState(memory: ScanMemory, state: number, { type, seconds }: ColumnLayout): ColumnCounts {
  const read = (at: number): number => memory.word(state + at)
  const filled = read(layout.stateFilled)
  if (typeOf(type).isOpaque) return { filled, min: null, max: null, longest: 0, values: null, spread: null }
  const readText = (at: number, length: number): string => memory.text(state + at, length, 'latin1')
  const readBound = (at: number, length: number): string | null =>
    read(layout.stateIsBounded) === 0 ? null : toCanonical(readText(at, length), seconds)
  const isClosed = read(layout.stateIsClosed) === 1
  const min = readBound(layout.stateMin, read(layout.stateMinLength))
  const max = readBound(layout.stateMax, read(layout.stateMaxLength))
  return {
    filled,
    min,
    max,
    longest: read(layout.stateLongest),
    values: isClosed ? null : readValues(read, readText, seconds),
    spread: isClosed ? readSpread(memory, state, type, { min, max }) : null,
  }
}

function readSpread(
  memory: ScanMemory,
  state: number,
  type: ColumnLayout['type'],
  { min, max }: Pick<ColumnCounts, 'min' | 'max'>,
): Spread | null {
  const { measure } = typeOf(type)
  if (measure === null || min === null || max === null) return null
  const [first, last] = [toBucket(measure.toMeasured(min), measure), toBucket(measure.toMeasured(max), measure)]
  const start = memory.word(state + layout.stateBuckets) + first * wordBytes
  const counts = memory.wordsIn(start, start + (last - first + 1) * wordBytes).slice()
  const words = [0, 4, 8, 12].map((at) => BigInt(memory.word(state + layout.stateSum + at)))
  const sum = words.reduceRight((high, word) => (high << 32n) | word)
  return { sum: BigInt.asIntN(128, sum), first, counts }
}

/** Reads all texts at once: a call for each takes 20 ms for the columns of a catalogue. */
function readValues(
  read: (at: number) => number,
  readText: (at: number, length: number) => string,
  seconds: boolean,
): Map<string, number> {
  const values = new Map<string, number>()
  const count = read(layout.stateDistinct)
  const texts = readText(layout.stateTexts, count * layout.longestValue)
  for (let number = 0; number < count; number++) {
    const value = layout.stateValues + number * layout.valueBytes
    const start = number * layout.longestValue
    const text = texts.slice(start, start + read(value + layout.valueLength))
    values.set(toCanonical(text, seconds), read(value + layout.valueTimes))
  }
  return values
}

/** A timestamp's cells may hold seconds. */
function toCanonical(text: string, seconds: boolean): string {
  return seconds ? String(Number(text) * 1000) : text
}
