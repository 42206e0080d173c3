import type { DriftListener } from '../../records/drift.ts'
import type { Issue } from '../../records/reject.ts'
import { addCount, addIndex, type OpenOutcome } from '../../records/block-outcome.ts'
import type { CodeTaker } from '../../records/conditions/condition-test.ts'
import { codeFates } from '../../records/conditions/code-fates.ts'
import { toTombstoneRow } from '../../records/record-table.ts'
import { readCanonical, readText, writeCell, writeRows } from './cells.ts'
import { reportDrift, holdsUnknownValue } from './drift-notes.ts'
import * as layout from '../program/node-layout.ts'
import type { CompiledFilled } from './count-filled.ts'
import type { CompiledCondition, CompiledConversion, ScanProgram } from './open-scan.ts'
import { idCell, indexCell, totalCell } from '../program/projection.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { cellBytes, nullLength } from '../program/table-memory.ts'

/**
 * Adds a line that the walk has accepted to the outcome of its block, and drops the rows of a record that is filtered
 * or a duplicate. False, with the outcome unchanged, if the reference path has to decide.
 */
export function applyDecodedLine(
  program: ScanProgram,
  outcome: OpenOutcome,
  drift: DriftListener,
  lineInBlock: number,
  repetition: 'drop' | Issue | undefined,
): boolean {
  const { memory, module, finishSteps, scope } = program
  if (repetition !== undefined && repetition !== 'drop') return false
  if (program.plan.drift.unknownValues === 'reject' && holdsUnknownValue(program)) return false
  const cells = scope + layout.scopeCells
  const failing = findFailing(cells, finishSteps.recordConditions, outcome.foundCodes)
  const by = repetition === 'drop' ? null : failing
  const decision = repetition === 'drop' ? 'duplicate' : by === null ? 'accepted' : 'filtered'
  if (decision !== 'accepted') module.rollBack(scope)
  else if (!finishRows(program, outcome)) return false
  reportDrift(program, drift)
  outcome.counts.lines++
  outcome.counts[decision]++
  const id = readText(memory, cells + idCell * cellBytes)
  outcome.foundCodes.settle(decision === 'filtered' ? (by ?? 0) : codeFates[decision], () => id)
  const index = readCount(memory, cells + indexCell * cellBytes)
  addIndex(outcome.indexes, index, readCount(memory, cells + totalCell * cellBytes))
  outcome.ids.add(id, lineInBlock)
  if (by !== null) {
    addCount(outcome.filteredByCondition, by)
    addTombstone(program, id)
  }
  return true
}

function addTombstone({ plan: { tombstones }, tables }: ScanProgram, id: string): void {
  if (tombstones?.kinds.includes('filtered')) writeRows(tables, tombstones.table, [toTombstoneRow(id, 'filtered')])
}

function findFailing(row: number, conditions: readonly CompiledCondition[], found: CodeTaker): number | null {
  for (const { number, meets } of conditions) if (!meets(row, found)) return number
  return null
}

/** Drops the rows that fail a condition of their table and converts the others; false if a cell can't be converted. */
function finishRows(
  program: ScanProgram,
  { filteredElements, filteredByCondition }: Pick<OpenOutcome, 'filteredElements' | 'filteredByCondition'>,
): boolean {
  const leftOut: number[] = []
  const failed: number[] = []
  for (const { table, conditions, conversions, filled } of program.finishSteps.tables) {
    leftOut.push(conditions.length === 0 ? 0 : filterRows(program, table, conditions, failed))
    if (conversions.length > 0 && !convertRows(program, table, conversions)) return false
    if (filled.length > 0) countInRows(program, table, filled)
  }
  for (const [index, { table }] of program.finishSteps.tables.entries()) {
    addCount(filteredElements, table, leftOut[index])
  }
  for (const by of failed) addCount(filteredByCondition, by)
  return true
}

/** Lists of codes are conditions on records only. */
const noCodes: CodeTaker = new Set()

/**
 * Keeps the rows that meet the conditions, without gaps. Returns how many fail, and adds the condition that each fails
 * to `failed`.
 */
function filterRows(
  program: ScanProgram,
  table: number,
  conditions: readonly CompiledCondition[],
  failed: number[],
): number {
  const { memory, tables } = program
  const { address, count, width } = tables.rows(table)
  const rowBytes = width * cellBytes
  let kept = firstRow(program, table)
  for (let row = kept; row < count; row++) {
    const at = address + row * rowBytes
    const by = findFailing(at, conditions, noCodes)
    if (by !== null) {
      failed.push(by)
      continue
    }
    if (kept < row) memory.bytes.copyWithin(address + kept * rowBytes, at, at + rowBytes)
    kept++
  }
  memory.setWord(tables.tableHeader(table) + 4, kept)
  return count - kept
}

function convertRows(program: ScanProgram, table: number, conversions: readonly CompiledConversion[]): boolean {
  const { tables } = program
  const columns = tables.layouts[table]?.columns ?? []
  const { address, count, width } = tables.rows(table)
  for (let row = firstRow(program, table); row < count; row++) {
    for (const { cell, isList, from, convert } of conversions) {
      const at = address + (row * width + cell) * cellBytes
      const column = columns[cell]
      if (column === undefined) continue
      const value = readCanonical(tables.memory, at, from, isList)
      const converted = Array.isArray(value) ? value.map((element) => convert(element)) : convert(value)
      if (converted === undefined || (Array.isArray(converted) && converted.includes(undefined))) return false
      writeCell(tables, at, column, converted as Parameters<typeof writeCell>[3])
    }
  }
  return true
}

function countInRows(program: ScanProgram, table: number, filled: readonly CompiledFilled[]): void {
  const { tables } = program
  const columns = tables.layouts[table]?.columns ?? []
  const { address, count, width } = tables.rows(table)
  for (let row = firstRow(program, table); row < count; row++) {
    const at = address + row * width * cellBytes
    for (const { cell, read } of filled) writeCell(tables, at + cell * cellBytes, columns[cell], read(at))
  }
}

function firstRow({ memory, scope }: ScanProgram, table: number): number {
  return memory.word(memory.word(scope + layout.scopeMarks) + 4 * (1 + table))
}

/** Reads the line's index or total; null if it isn't all digits. */
function readCount(memory: ScanMemory, cell: number): number | null {
  const address = memory.word(cell)
  const length = memory.word(cell + 4)
  if (length === nullLength) return null
  const { bytes } = memory
  let count = 0
  for (let at = address; at < address + length; at++) {
    const digit = (bytes[at] as number) - 0x30
    if (digit < 0) return null
    count = count * 10 + digit
  }
  return count
}
