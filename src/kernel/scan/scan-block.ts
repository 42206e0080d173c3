import { isUtf8 } from 'node:buffer'
import { type BlockOutcome, closeOutcome, type OpenOutcome, type RepeatedLines } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import { createDriftCounter } from '../../records/drift.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import { findLineBreak, toRawLine } from '../../records/raw-line.ts'
import { blockDone, lineAccepted, lineUnindexed } from '../program/block-layout.ts'
import { scopeLineEnd, scopeLineStart } from '../program/node-layout.ts'
import { OutOfRoom, type ScanMemory } from '../program/scan-memory.ts'
import { AcceptedLines } from './accepted-lines.ts'
import { applyDecodedLine } from './apply-decoded-line.ts'
import { writeRows } from './cells.ts'
import type { ScanProgram } from './open-scan.ts'

/** The outcome of a block. Its rows are in the program's tables until the next block. */
export type ScannedBlock = Omit<BlockOutcome, 'rows'> & {
  readonly fallbackLines: number
}

/** Work that asks for a run of the kernel at every step, and gets its answer. */
export type KernelSteps<Result> = Generator<undefined, Result, number>

/** Does what `compileProcessing` does with a block, but leaves the rows as cells. */
export function scanBlock(program: ScanProgram, block: Block, repeated?: RepeatedLines): ScannedBlock {
  const steps = scanSteps(program, block, repeated)
  let step = steps.next()
  while (step.done !== true) step = steps.next(program.module.runBlock(program.work.address))
  return step.value
}

/** `scanBlock` in steps. Throws OutOfRoom if a region would have to grow beyond `mostRegionBytes`. */
export function* scanSteps(
  program: ScanProgram,
  block: Block,
  repeated?: RepeatedLines,
  mostRegionBytes = Number.POSITIVE_INFINITY,
): KernelSteps<ScannedBlock> {
  const { memory } = program
  for (;;) {
    try {
      return yield* scanLines(program, block, repeated)
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error
      const bytes = memory.capacity(error.region) * 2
      if (bytes > mostRegionBytes) throw error
      memory.reserve(error.region, bytes)
    }
  }
}

function* scanLines(
  program: ScanProgram,
  block: Block,
  repeated: RepeatedLines | undefined,
): KernelSteps<ScannedBlock> {
  const { memory, tables, module, scope, processLine, work } = program
  const { length } = block.bytes
  const outcome = program.openOutcome()
  const drift = createDriftCounter(outcome.drift)
  const isScanned = length <= mostScannedBytes
  if (!isScanned) memory.reserve('arena', toRoom(length))
  tables.clear(toRoom(length))
  program.given.set(block.interfaceVersion)
  const accepted = new AcceptedLines(program, outcome, drift)
  let fallbackLines = 0

  /** Returns false after an error line, which ends the block. */
  function fallBack(start: number, end: number, line: number, isKnownUtf8: boolean): boolean {
    fallbackLines++
    const isRecord = processLine(toRawLine(block, start, end, isKnownUtf8), line, outcome, repeated?.get(line))
    writeReferenceRows(program, outcome)
    return isRecord
  }

  function apply(line: number, start: number, end: number): boolean {
    const isText = work.isUtf8 || isUtf8(block.bytes.subarray(start, end))
    const isApplied = isText && applyDecodedLine(program, outcome, drift, line, repeated?.get(line))
    if (!isApplied) module.rollBack(scope)
    return isApplied
  }

  function fallBackAll(): void {
    let start = 0
    for (let line = 0; start < length; line++) {
      const end = findLineBreak(block.bytes, start)
      if (!fallBack(start, end, line, false)) break
      start = end + 1
    }
    work.beginEnd()
  }

  const bytes = isScanned ? loadLines(program, block.bytes, repeated === undefined) : 0
  if (!isScanned) fallBackAll()
  for (let answer = yield; answer !== blockDone; answer = yield) {
    if (answer < 0) throw new OutOfRoom(tables.regionOf(-1 - answer))
    accepted.collect()
    const line = accepted.next
    const isUnindexed = answer === lineUnindexed
    const start = (isUnindexed ? work.next : memory.word(scope + scopeLineStart)) - bytes
    const end = isUnindexed ? findLineBreak(block.bytes, start) : memory.word(scope + scopeLineEnd) - bytes
    const isDone = answer === lineAccepted && apply(line, start, end)
    if (!isDone && !fallBack(start, end, line, !isUnindexed && work.isUtf8)) work.skipRest()
    else if (isUnindexed) work.next = bytes + end + 1
    accepted.next = line + 1
  }
  accepted.collect()
  return { ...closeOutcome(outcome), fallbackLines }
}

function writeReferenceRows({ tables }: ScanProgram, outcome: OpenOutcome): void {
  for (const [table, rows] of outcome.rows.entries()) {
    if (rows.length === 0) continue
    writeRows(tables, table, rows)
    rows.length = 0
  }
}

/**
 * Makes sure that whole lines are in the memory, followed by a line break and the blanks that the scan reads ahead, and
 * begins the work on them. Bytes from elsewhere are copied. Returns the address of the bytes.
 */
function loadLines(program: ScanProgram, bytes: Buffer, mayAccept: boolean): number {
  const { memory, work } = program
  const isEnded = bytes.at(-1) === newline
  const indexedBytes = bytes.length + Number(!isEnded)
  const room = toRoom(indexedBytes + 2 * stepBytes)
  // At most one address a byte and one escape two bytes; the last step goes beyond the end.
  const index = memory.reserve('index', 4 * room)
  const escapes = memory.reserve('escapes', 2 * room)
  const address = memory.find(bytes)?.address ?? copyLines(memory, bytes, room)
  memory.bytes.fill(0x20, address + bytes.length, address + indexedBytes + 2 * stepBytes)
  if (!isEnded) memory.bytes[address + bytes.length] = newline
  const accepts = mayAccept && program.walked !== null
  work.beginLines({ address, bytes: bytes.length, indexedBytes, index, escapes, accepts })
  return address
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
