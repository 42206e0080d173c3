import type { ScanProgram } from '../scan/open-scan.ts'
import type { ScanMemory } from '../scan/scan-memory.ts'
import { toColumnProgram } from '../scan/table-encoder.ts'
import { cellBytes, type ColumnLayout } from '../scan/table-memory.ts'
import type { ColumnCounts, RowCounts } from './column-counts.ts'
import * as layout from './state-layout.ts'

/** Counts the rows that the fast path gives, as cells. */
export interface CellProfiler {
  /** Counts the rows that the tables have at the time of the call. */
  add(): void
  /** The counts of all rows so far. */
  collect(): RowCounts
}

/** Counts the first tables of a program. */
export function createCellProfiler({ memory, tables, module }: ScanProgram, tableCount: number): CellProfiler {
  const profiled = tables.layouts.slice(0, tableCount).map(({ columns }, table) => ({
    table,
    columns,
    program: memory.place(toColumnProgram(columns)),
    states: openStates(memory, table, columns.length),
  }))
  return {
    add() {
      for (const { table, columns, program, states } of profiled) {
        const { address, count, width } = tables.rows(table)
        if (count > 0) module.profileCells(address, count, width * cellBytes, program, columns.length, states)
      }
    },
    collect: () =>
      profiled.map(({ columns, states }) =>
        columns.map((column, index) => readState(memory.bytes, states + index * layout.stateBytes, column)),
      ),
  }
}

/** Bounds and values behind the slots are not read before they are written. */
function openStates(memory: ScanMemory, table: number, columns: number): number {
  const states = memory.reserve(`profile ${table}`, columns * layout.stateBytes)
  for (let state = states; state < states + columns * layout.stateBytes; state += layout.stateBytes) {
    memory.bytes.fill(0, state, state + layout.stateMin)
  }
  return states
}

function readState(bytes: Buffer, state: number, column: ColumnLayout): ColumnCounts {
  const read = (at: number): number => bytes.readUInt32LE(state + at)
  const toValue = compileCanonical(bytes, column)
  const filled = read(layout.stateFilled)
  if (column.type.kind === 'json') return { filled, min: null, max: null, longest: 0, values: null }
  const isBounded = read(layout.stateIsBounded) === 1
  const min = isBounded ? toValue(state + layout.stateMin, read(layout.stateMinLength)) : null
  const max = isBounded ? toValue(state + layout.stateMax, read(layout.stateMaxLength)) : null
  const isClosed = read(layout.stateIsClosed) === 1
  const values = isClosed ? null : readValues(bytes, state, toValue)
  return { filled, min, max, longest: read(layout.stateLongest), values }
}

type ToValue = (address: number, length: number) => string

/** A timestamp's cells may hold seconds. */
function compileCanonical(bytes: Buffer, { seconds }: ColumnLayout): ToValue {
  const toText: ToValue = (address, length) => bytes.toString('latin1', address, address + length)
  return seconds ? (address, length) => String(Number(toText(address, length)) * 1000) : toText
}

function readValues(bytes: Buffer, state: number, toValue: ToValue): Map<string, number> {
  const count = bytes.readUInt32LE(state + layout.stateDistinct)
  return new Map(
    Array.from({ length: count }, (_, number): [string, number] => {
      const at = state + layout.stateValues + number * layout.valueBytes
      const length = bytes.readUInt32LE(at + layout.valueLength)
      return [toValue(state + layout.stateTexts + number * layout.longestValue, length), bytes.readUInt32LE(at + layout.valueTimes)]
    }),
  )
}
