import type { DriftListener } from '../records/drift.ts'
import { hashText } from '../records/hash-text.ts'
import type { Issue } from '../records/issue.ts'
import type { OpenOutcome } from '../records/block-outcome.ts'
import { addIndex } from '../records/line-index.ts'
import { toFateRow } from '../records/fate-row.ts'
import { readCanonical, readText } from './canonical-cells.ts'
import { writeCell, writeRows } from './cells.ts'
import { reportDrift, holdsUnknownValue } from './drift-notes.ts'
import * as layout from './node-layout.ts'
import type { ScanProgram, ScanTree } from './open-scan.ts'
import { contentCell, idCell, indexCell, totalCell } from './scan-goals.ts'
import type { ScanMemory } from './scan-memory.ts'
import type { CompiledCondition, CompiledConversion } from './settling.ts'
import { cellBytes, nullLength } from './table-memory.ts'

/**
 * Enters a line that the walk has accepted into the outcome of its block, and takes its rows back where it has none.
 * False, with the outcome as it was, where the plain path has to decide after all.
 */
export function settleLine(
  program: ScanProgram,
  outcome: OpenOutcome,
  drift: DriftListener,
  lineInBlock: number,
  repetition: 'drop' | Issue | undefined,
): boolean {
  const { memory, module, settling, scope } = program
  if (repetition !== undefined && repetition !== 'drop') return false
  if (program.plan.drift.unknownValues === 'reject' && holdsUnknownValue(program)) return false
  const cells = scope + layout.scopeCells
  const fate = repetition === 'drop' ? 'duplicate' : meets(memory, cells, settling.record) ? 'accepted' : 'filtered'
  if (fate !== 'accepted') module.rollBack()
  else if (!settleRows(program, outcome)) return false
  reportDrift(program, drift)
  outcome.counts.lines++
  outcome.counts[fate]++
  addIndex(outcome.indexes, readCount(memory, cells + indexCell * cellBytes))
  const total = readCount(memory, cells + totalCell * cellBytes)
  if (total !== null && !outcome.totals.includes(total)) outcome.totals.push(total)
  const id = readText(memory, cells + idCell * cellBytes)
  outcome.ids.add(id, lineInBlock)
  if (fate === 'filtered') tellLeft(program, id)
  return true
}

/** In a load, the table of records tells of those that were filtered. */
function tellLeft({ plan: { fates }, tables }: ScanTree, id: string): void {
  if (fates?.told.includes('left')) writeRows(tables, fates.table, [toFateRow(id, 'left')])
}

/** Whether the cells of a row, or of the record, meet the conditions. */
export function meets(memory: ScanMemory, row: number, conditions: readonly CompiledCondition[]): boolean {
  return conditions.every(({ cell, isList, from, matches }) =>
    matches(readCanonical(memory, row + cell * cellBytes, from, isList)),
  )
}

/** Drops rows that their table does not want and converts the others; false where a cell can't be converted. */
export function settleRows(program: ScanTree, { filteredElements }: Pick<OpenOutcome, 'filteredElements'>): boolean {
  const filtered: number[] = []
  // The text of the content stands in the arena where conversions write next.
  const hash = program.settling.hashesContent ? hashText(contentOf(program.memory, program.scope)) : null
  for (const { table, conditions, conversions, hashCells } of program.settling.tables) {
    filtered.push(conditions.length === 0 ? 0 : filterRows(program, table, conditions))
    if (conversions.length > 0 && !convertRows(program, table, conversions)) return false
    if (hash !== null) for (const cell of hashCells) writeHashes(program, table, cell, hash)
  }
  for (const [index, { table }] of program.settling.tables.entries()) {
    filteredElements[table] = (filteredElements[table] ?? 0) + (filtered[index] ?? 0)
  }
  return true
}

/** Moves the wanted rows of the line together; how many there are that are not. */
function filterRows(program: ScanTree, table: number, conditions: readonly CompiledCondition[]): number {
  const { memory, tables } = program
  const { address, count, width } = tables.rows(table)
  const rowBytes = width * cellBytes
  let kept = firstRow(program, table)
  for (let row = kept; row < count; row++) {
    const at = address + row * rowBytes
    if (!meets(memory, at, conditions)) continue
    if (kept < row) memory.bytes.copyWithin(address + kept * rowBytes, at, at + rowBytes)
    kept++
  }
  memory.words[(tables.tableHeader(table) >> 2) + 1] = kept
  return count - kept
}

function convertRows(program: ScanTree, table: number, conversions: readonly CompiledConversion[]): boolean {
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

function contentOf({ words, bytes }: ScanMemory, scope: number): Buffer {
  const cell = (scope + layout.scopeCells + contentCell * cellBytes) >> 2
  const address = words[cell] as number
  return bytes.subarray(address, address + (words[cell + 1] as number))
}

function writeHashes(program: ScanTree, table: number, cell: number, hash: string): void {
  const { tables } = program
  const { address, count, width } = tables.rows(table)
  const column = tables.layouts[table]?.columns[cell]
  for (let row = firstRow(program, table); row < count; row++) {
    writeCell(tables, address + (row * width + cell) * cellBytes, column, hash)
  }
}

/** The first row of the line. */
function firstRow({ memory: { words }, scope }: ScanTree, table: number): number {
  const marks = words[(scope + layout.scopeMarks) >> 2] as number
  return words[(marks >> 2) + 1 + table] as number
}

/** The line's index, or its total. A count has digits only; what has a sign is none. */
export function readCount({ words, bytes }: ScanMemory, cell: number): number | null {
  const address = words[cell >> 2] as number
  const length = words[(cell >> 2) + 1] as number
  if (length === nullLength) return null
  let count = 0
  for (let at = address; at < address + length; at++) {
    const digit = (bytes[at] as number) - 0x30
    if (digit < 0) return null
    count = count * 10 + digit
  }
  return count
}
