import { isWalked, toWalkedCondition, writeRowConditions } from './condition-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import type { Projection } from './projection.ts'
import { cellBytes, type TableHeaders } from './table-memory.ts'

/** Writes the columns that count filled values, but for those that only JavaScript can count. */
export function writeFilled(
  writer: ProgramWriter,
  scope: ProgramOffset,
  marks: ProgramOffset,
  projection: Projection,
  tables: TableHeaders<ProgramOffset>,
): void {
  const written = projection.tables.flatMap(({ filled }, table) =>
    filled.filter(isWalked).map((column) => ({ table, ...column })),
  )
  const start = writer.allocate(layout.filledBytes * written.length)
  for (const [index, { table, cell, kind, from, elements }] of written.entries()) {
    const at = index * layout.filledBytes
    const { width = 0, value = 0, isObject = false, conditions = [] } = elements ?? {}
    writer.link(start, at + layout.filledTable, tables.tableHeader(table))
    writer.link(start, at + layout.filledMark, (marks + 4 * (1 + table)) as ProgramOffset)
    writer.setWord(start, at + layout.filledCell, cell * cellBytes)
    writer.setWord(start, at + layout.filledIsCount, Number(kind === 'count'))
    writer.setWord(start, at + layout.filledFrom, from * cellBytes)
    writer.setWord(start, at + layout.filledWidth, width)
    writer.setWord(start, at + layout.filledValue, value * cellBytes)
    writer.setWord(start, at + layout.filledIsObject, Number(isObject))
    const tests = conditions.map(toWalkedCondition).filter((test) => test !== null)
    const { start: first, count } = writeRowConditions(writer, tests)
    writer.link(start, at + layout.filledConditions, first)
    writer.setWord(start, at + layout.filledConditionCount, count)
  }
  writer.link(scope, layout.scopeFilled, start)
  writer.setWord(scope, layout.scopeFilledCount, written.length)
  writer.link(scope, layout.scopeTruths, writeTruths(writer))
}

function writeTruths(writer: ProgramWriter): ProgramOffset {
  const start = writer.allocate(16)
  writer.setBytes(start, Buffer.from('true'))
  writer.setBytes((start + 8) as ProgramOffset, Buffer.from('false'))
  return start
}
