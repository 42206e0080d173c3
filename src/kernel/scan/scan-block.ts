import { isUtf8 } from 'node:buffer'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import { type BlockOutcome, closeOutcome, type OpenOutcome, type RepeatedLines } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import { createDriftCounter } from '../../records/drift.ts'
import { findLineBreak, toRawLine } from '../../records/raw-line.ts'
import { applyDecodedLine } from './apply-decoded-line.ts'
import { writeRows } from './cells.ts'
import { ConsecutiveLines } from './consecutive-lines.ts'
import type { ScanProgram } from './open-scan.ts'
import { lineAccepted, linesEnded, scopeLineEnd, scopeLineStart } from '../program/node-layout.ts'
import { OutOfRoom, type ScanMemory } from '../program/scan-memory.ts'

/** The outcome of a block. Its rows are in the program's tables until the next block. */
export type ScannedBlock = Omit<BlockOutcome, 'rows'> & {
  readonly fallbackLines: number
}

/**
 * Does what `compileProcessing` does with a block, but leaves the rows as cells. Throws OutOfRoom if a region would
 * have to grow beyond `mostRegionBytes`.
 */
export function scanBlock(
  program: ScanProgram,
  block: Block,
  repeated?: RepeatedLines,
  mostRegionBytes = Number.POSITIVE_INFINITY,
): ScannedBlock {
  const { memory } = program
  for (;;) {
    try {
      return scanLines(program, block, repeated)
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error
      const bytes = memory.capacity(error.region) * 2
      if (bytes > mostRegionBytes) throw error
      memory.reserve(error.region, bytes)
    }
  }
}

function scanLines(program: ScanProgram, block: Block, repeated: RepeatedLines | undefined): ScannedBlock {
  const { memory, tables, module, scope, processLine } = program
  const { length } = block.bytes
  const outcome = program.openOutcome()
  const drift = createDriftCounter(outcome.drift)
  if (length > mostScannedBytes) memory.reserve('arena', toRoom(length))
  tables.clear(toRoom(length))
  program.given.set(block.interfaceVersion)
  const consecutive = new ConsecutiveLines(program, outcome, repeated === undefined)
  let start = 0
  let lineInBlock = 0
  let fallbackLines = 0
  /** True if the lines that are indexed are known to be UTF-8. */
  let allUtf8 = false

  /** Returns false after an error line, which ends the block. */
  function fallBack(end: number): boolean {
    fallbackLines++
    const isRecord = processLine(
      toRawLine(block, start, end, allUtf8),
      lineInBlock,
      outcome,
      repeated?.get(lineInBlock),
    )
    writeReferenceRows(program, outcome)
    consecutive.expectNone()
    return isRecord
  }

  function applyOrFallBack(verdict: number, end: number): boolean {
    const isApplied =
      verdict === lineAccepted &&
      (allUtf8 || isUtf8(block.bytes.subarray(start, end))) &&
      applyDecodedLine(program, outcome, drift, lineInBlock, repeated?.get(lineInBlock))
    if (isApplied) consecutive.expectNext()
    else if (verdict === lineAccepted) module.rollBack(scope)
    return isApplied || fallBack(end)
  }

  function close(): ScannedBlock {
    consecutive.reportDrift(drift)
    return { ...closeOutcome(outcome), fallbackLines }
  }

  function fallBackAll(): ScannedBlock {
    for (; start < length; lineInBlock++) {
      const end = findLineBreak(block.bytes, start)
      if (!fallBack(end)) break
      start = end + 1
    }
    return close()
  }

  if (length > mostScannedBytes) return fallBackAll()
  const { bytes, index, escapes, indexedBytes } = loadLines(memory, block.bytes)
  while (start < length) {
    // Indexes up to a line with a control character in a string, which hides its structure.
    const scanned = module.scan(bytes + start, indexedBytes - start, index, escapes)
    allUtf8 = scanned >= 0
    const indexed = start + (allUtf8 ? scanned : ~scanned)
    module.beginWalk(scope, bytes + start, index, escapes)
    while (start < indexed && start < length) {
      const verdict = consecutive.walk(bytes + Math.min(indexed, length), lineInBlock, allUtf8)
      lineInBlock = consecutive.nextLine
      if (verdict < 0) throw new OutOfRoom(tables.regionOf(-1 - verdict))
      if (verdict === linesEnded) {
        start = indexed
        continue
      }
      start = memory.word(scope + scopeLineStart) - bytes
      const end = memory.word(scope + scopeLineEnd) - bytes
      if (!applyOrFallBack(verdict, end)) return close()
      start = end + 1
      lineInBlock++
    }
    if (start >= length) break
    allUtf8 = false
    const end = findLineBreak(block.bytes, start)
    if (!fallBack(end)) break
    start = end + 1
    lineInBlock++
  }
  return close()
}

function writeReferenceRows({ tables }: ScanProgram, outcome: OpenOutcome): void {
  for (const [table, rows] of outcome.rows.entries()) {
    if (rows.length === 0) continue
    writeRows(tables, table, rows)
    rows.length = 0
  }
}

/**
 * Makes sure that whole lines are in the memory, followed by a line break and the blanks that the scan reads ahead.
 * Bytes from elsewhere are copied. Gives the addresses of the bytes and of the room for their index, and the number of
 * bytes to index, with the last line break.
 */
function loadLines(memory: ScanMemory, bytes: Buffer) {
  const isEnded = bytes.at(-1) === newline
  const indexedBytes = bytes.length + Number(!isEnded)
  const room = toRoom(indexedBytes + 2 * stepBytes)
  // At most one address a byte and one escape two bytes; the last step goes beyond the end.
  const index = memory.reserve('index', 4 * room)
  const escapes = memory.reserve('escapes', 2 * room)
  const at = memory.find(bytes)?.address ?? copyLines(memory, bytes, room)
  memory.bytes.fill(0x20, at + bytes.length, at + indexedBytes + 2 * stepBytes)
  if (!isEnded) memory.bytes[at + bytes.length] = newline
  return { bytes: at, index, escapes, indexedBytes }
}

function copyLines(memory: ScanMemory, bytes: Buffer, room: number): number {
  const at = memory.reserve('bytes', room)
  copyBytes(bytes, memory.bytes, at)
  return at
}

/**
 * Rounds up, because blocks differ by a part of a line: regions that fit just one would move for the next, slightly
 * longer one.
 */
function toRoom(bytes: number): number {
  return Math.ceil(bytes / roomBytes) * roomBytes
}

const newline = 0x0a
/** The index of a longer line would take more memory than the reference path does. */
const mostScannedBytes = 64 * 1024 * 1024
const stepBytes = 64
const roomBytes = 256 * 1024
