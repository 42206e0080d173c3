import type { DriftListener } from '../records/drift.ts'
import type { ScanTree } from './open-scan.ts'
import * as layout from './node-layout.ts'

/** Whether the line holds a value that the contract does not list. */
export function holdsUnknownValue({ memory: { words }, scope }: ScanTree): boolean {
  const { first, end } = findNotes(words, scope)
  for (let at = first; at < end; at += noteWords) {
    if (((words[at] as number) & 3) === layout.unknownValueNote) return true
  }
  return false
}

/** Tells of the drift that the walk has noted in the line. */
export function reportDrift({ memory, scope, paths }: ScanTree, counter: DriftListener): void {
  const { words, bytes } = memory
  const { first, end } = findNotes(words, scope)
  if (first === end) return
  for (let at = first; at < end; at += noteWords) {
    const what = words[at] as number
    const kind = what & 3
    if (kind === layout.silentNote) continue
    const address = words[at + 1] as number
    const text = toText(bytes, address, address + (words[at + 2] as number))
    const path = paths[what >>> 2] ?? ''
    if (kind === layout.otherLocaleNote) counter.otherLocale(text)
    else if (kind === layout.unknownFieldNote) counter.unknownField(path + text)
    else counter.unknownValue(path, text)
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
