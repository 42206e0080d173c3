import type { DriftListener } from '../../records/drift.ts'
import type { ScanProgram } from './open-scan.ts'
import * as layout from '../program/node-layout.ts'
import type { ScanMemory } from '../program/scan-memory.ts'

export function holdsUnknownValue({ memory, scope }: ScanProgram): boolean {
  const { first, end } = findNotes(memory, scope)
  for (let at = first; at < end; at += layout.noteBytes) {
    if ((memory.word(at) & layout.noteKindMask) === layout.unknownValueNote) return true
  }
  return false
}

export function reportDrift(tree: ScanProgram, counter: DriftListener): void {
  const { memory } = tree
  const { first, end } = findNotes(memory, tree.scope)
  for (let at = first; at < end; at += layout.noteBytes) {
    const what = memory.word(at)
    if ((what & layout.noteKindMask) !== layout.silentNote)
      report(tree, counter, what, memory.word(at + 4), memory.word(at + 8), 1)
  }
}

/** Reports the drift of the lines that the walk accepted by itself. */
export function reportKnownDrift(tree: ScanProgram, counter: DriftListener): void {
  const { memory } = tree
  const first = memory.word(tree.scope + layout.scopeKnown)
  const count = memory.word(tree.scope + layout.scopeKnownCount)
  for (let known = first; known < first + count * layout.knownBytes; known += layout.knownBytes) {
    const times = memory.word(known + layout.knownTimes)
    if (times === 0) continue
    const [what, length] = [memory.word(known + layout.knownNote), memory.word(known + layout.knownLength)]
    report(tree, counter, what, known + layout.knownText, length, times)
  }
}

function report(
  { memory, paths }: ScanProgram,
  counter: DriftListener,
  what: number,
  address: number,
  length: number,
  times: number,
): void {
  const kind = what & layout.noteKindMask
  const text = toText(memory, address, length)
  const path = paths[what >>> layout.noteKindBits] ?? ''
  switch (kind) {
    case layout.otherLocaleNote:
      return counter.otherLocale(text, times)
    case layout.unknownFieldNote:
      return counter.unknownField(path + text, times)
    case layout.oddCodeNote:
      return counter.oddCode(path, text, times)
    case layout.nullElementNote:
      return counter.nullElement(path, times)
    default:
      return counter.unknownValue(path, text, times)
  }
}

/** Most notes are of a locale of two letters, which is faster to decode than to pass to Node. */
function toText(memory: ScanMemory, address: number, length: number): string {
  const [first, second] = [memory.bytes[address] as number, memory.bytes[address + 1] as number]
  const isShort = length === 2 && first < 0x80 && second < 0x80
  return isShort ? String.fromCharCode(first, second) : memory.text(address, length)
}

function findNotes(memory: ScanMemory, scope: number): { readonly first: number; readonly end: number } {
  const first = memory.word(scope + layout.scopeNotes)
  return { first, end: first + layout.noteBytes * memory.word(scope + layout.scopeNoteCount) }
}
