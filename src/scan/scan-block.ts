import { isUtf8 } from 'node:buffer'
import type { Block } from '../records/block.ts'
import { createDriftCounter } from '../records/drift.ts'
import { emptyOutcome, type BlockOutcome, type OpenOutcome, type RepeatedLines } from '../records/block-outcome.ts'
import { findLineBreak, toRawLine } from '../records/raw-line.ts'
import { writeRows } from './cells.ts'
import type { ScanProgram } from './open-scan.ts'
import { lineAccepted, scopeLineEnd } from './node-layout.ts'
import { OutOfRoom, type ScanMemory } from './scan-memory.ts'
import { settleLine } from './settle-line.ts'

/** What a block gave; its rows are in the program's tables, until the next block. */
export type ScannedBlock = Omit<BlockOutcome, 'rows'> & {
  /** Lines that the plain path has decided. */
  readonly slowLines: number
}

/**
 * What `compileProcessing` makes of the block, with the rows as cells. Throws PlainPathMissing for a line that has to take
 * the plain path where the program has none yet.
 */
export function scanBlock(program: ScanProgram, block: Block, repeated?: RepeatedLines): ScannedBlock {
  const { memory } = program
  for (;;) {
    try {
      return scanLines(program, block, repeated)
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error
      memory.reserve(error.region, memory.capacity(error.region) * 2)
    }
  }
}

function scanLines(program: ScanProgram, block: Block, repeated: RepeatedLines | undefined): ScannedBlock {
  const { memory, tables, module, scope, processLine } = program
  const { length } = block.bytes
  const outcome = emptyOutcome(tables.layouts.length)
  const drift = createDriftCounter(outcome.drift)
  const allUtf8 = isUtf8(block.bytes)
  tables.clear(toRoom(length))
  const { bytes, index, escapes, indexedBytes } = placeBlock(memory, block)
  let start = 0
  let lineInBlock = 0
  let slowLines = 0

  function processSlowly(end: number): boolean {
    if (processLine === null) throw new PlainPathMissing()
    slowLines++
    const goesOn = processLine(toRawLine(block, start, end, allUtf8), lineInBlock, outcome, repeated?.get(lineInBlock))
    writePlainRows(program, outcome)
    return goesOn
  }

  while (start < length) {
    // Up to a line with a control character in a string, whose structure can't be told.
    const indexed = start + module.scan(bytes + start, indexedBytes - start, index, escapes)
    module.beginWalk(scope, bytes + start, index, escapes)
    for (; start < indexed && start < length; lineInBlock++) {
      const verdict = module.walkLine()
      if (verdict < 0) throw new OutOfRoom(tables.regionOf(-1 - verdict))
      const end = (memory.words[(scope + scopeLineEnd) >> 2] as number) - bytes
      const isSettled =
        verdict === lineAccepted &&
        (allUtf8 || isUtf8(block.bytes.subarray(start, end))) &&
        settleLine(program, outcome, drift, lineInBlock, repeated?.get(lineInBlock))
      if (!isSettled && verdict === lineAccepted) module.rollBack()
      if (!isSettled && !processSlowly(end)) return { ...outcome, slowLines }
      start = end + 1
    }
    if (start >= length) break
    const end = findLineBreak(block.bytes, start)
    if (!processSlowly(end)) break
    start = end + 1
    lineInBlock++
  }
  return { ...outcome, slowLines }
}

/** Loading the plain path takes as long as starting a thread, and most inputs have no line for it. */
export class PlainPathMissing extends Error {}

/** Copies the block into the memory, ended by a line break and the space that the scan reads ahead. */
function placeBlock(memory: ScanMemory, { bytes }: Block) {
  const isEnded = bytes.at(-1) === newline
  const indexedBytes = bytes.length + Number(!isEnded)
  const room = toRoom(indexedBytes + 2 * stepBytes)
  const at = memory.reserve('bytes', room)
  // One address a byte, one escape two bytes at most; the last step goes beyond the end.
  const index = memory.reserve('index', 4 * room)
  const escapes = memory.reserve('escapes', 2 * room)
  memory.bytes.set(bytes, at)
  memory.bytes.fill(0x20, at + bytes.length, at + indexedBytes + 2 * stepBytes)
  if (!isEnded) memory.bytes[at + bytes.length] = newline
  return { bytes: at, index, escapes, indexedBytes }
}

/** Blocks differ by a part of a line: regions with room for just one of them would move for the next, which is a little longer. */
function toRoom(bytes: number): number {
  return Math.ceil(bytes / roomBytes) * roomBytes
}

/** Rows that the plain path has added to the outcome become cells. */
function writePlainRows({ tables }: ScanProgram, outcome: OpenOutcome): void {
  for (const [table, rows] of outcome.rows.entries()) {
    if (rows.length === 0) continue
    writeRows(tables, table, rows)
    rows.length = 0
  }
}

const newline = 0x0a
const stepBytes = 64
const roomBytes = 256 * 1024
