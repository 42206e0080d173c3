import type { DriftListener } from '../records/drift.ts'
import type { ScanProgram } from './open-scan.ts'
import * as layout from './program/node-layout.ts'

/** True where the line holds a value that the contract does not list. */
export function holdsUnknownValue({ memory: { words }, scope }: ScanProgram): boolean {
  const { first, end } = findNotes(words, scope)
  for (let at = first; at < end; at += noteWords) {
    if (((words[at] as number) & layout.noteKindMask) === layout.unknownValueNote) return true
  }
  return false
}

/** Reports the drift that the walk has noted in the line. */
export function reportDrift(tree: ScanProgram, counter: DriftListener): void {
  const { words } = tree.memory
  const { first, end } = findNotes(words, tree.scope)
  for (let at = first; at < end; at += noteWords) {
    const what = words[at] as number
    if ((what & layout.noteKindMask) !== layout.silentNote)
      report(tree, counter, what, words[at + 1] as number, words[at + 2] as number, 1)
  }
}

/** Reports the drift of the lines that the walk has accepted by itself. */
export function reportKnownDrift(tree: ScanProgram, counter: DriftListener): void {
  const { words } = tree.memory
  const first = words[(tree.scope + layout.scopeKnown) >> 2] as number
  const count = words[(tree.scope + layout.scopeKnownCount) >> 2] as number
  for (let known = first; known < first + count * layout.knownBytes; known += layout.knownBytes) {
    const at = known / 4
    const [what, length, times] = words.subarray(at, at + 3) as unknown as readonly [number, number, number]
    if (times > 0) report(tree, counter, what, known + layout.knownText, length, times)
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
  const text = toText(memory.bytes, address, address + length)
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

/** Most notes are of a locale of two letters, and a call into Node costs more than that. */
function toText(bytes: Buffer, from: number, to: number): string {
  const [first, second] = [bytes[from] as number, bytes[from + 1] as number]
  const isShort = to - from === 2 && first < 0x80 && second < 0x80
  return isShort ? String.fromCharCode(first, second) : bytes.toString('utf8', from, to)
}

function findNotes(words: Uint32Array, scope: number): { readonly first: number; readonly end: number } {
  const first = (words[(scope + layout.scopeNotes) >> 2] as number) >> 2
  return { first, end: first + noteWords * (words[(scope + layout.scopeNoteCount) >> 2] as number) }
}

const noteWords = layout.noteBytes / 4
