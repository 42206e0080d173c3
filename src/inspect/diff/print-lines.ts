import { hash } from 'node:crypto'
import { findLineBreak } from '../../records/raw-line.ts'

/** Two words per line: the first eight characters of its record's SHA-1, in Latin-1. */
export type LinePrints = Uint32Array

/**
 * Computes prints of records from the bytes of their lines. Equal prints mean equal values in all compared fields.
 * Different prints may still have equal values, which needs parsing to find out. Ignored members of the record's `meta`
 * are left out of the print if `meta` comes last and holds no object, as the service writes it.
 */
export function compilePrints(ignored: readonly string[]): (bytes: Buffer) => LinePrints {
  const members = ignored.flatMap((path) => /^meta\.(\w+)$/.exec(path)?.[1] ?? [])
  const leftOut =
    members.length === 0
      ? null
      : new RegExp(String.raw`"(?:${members.join('|')})"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,?\s*`, 'g')
  return (bytes) => {
    const prints: number[] = []
    for (let start = 0; start < bytes.length;) {
      const end = findLineBreak(bytes, start)
      const from = findRecordStart(bytes, start, end)
      const last = trimEnd(bytes, from, end)
      const isWrapped = from > start && bytes[last - 1] === brace
      const print = digestRecord(bytes, from, isWrapped ? last - 1 : last, leftOut)
      prints.push(toWord(print, 0), toWord(print, 4))
      start = end + 1
    }
    return Uint32Array.from(prints)
  }
}

/** Skips the usual envelope of a line, if it has one. */
function findRecordStart(bytes: Buffer, start: number, end: number): number {
  const head = bytes.toString('latin1', start, Math.min(end, start + mostEnvelope))
  return start + (envelope.exec(head)?.[0].length ?? 0)
}

const mostEnvelope = 160
/** Allows no object and no text with a brace in `meta`, so that the first brace closes it. */
const envelope = /^\s*\{\s*"meta"\s*:\s*\{[\w":,\s-]*\}\s*,\s*"result"\s*:\s*(?=\{)/

/** Excludes the line break and white space before it. */
function trimEnd(bytes: Buffer, start: number, end: number): number {
  let last = end
  while (last > start && (bytes[last - 1] as number) <= space) last--
  return last
}

function digestRecord(bytes: Buffer, from: number, end: number, leftOut: RegExp | null): string {
  const meta = leftOut === null ? -1 : findLastMeta(bytes, from, end)
  if (meta < 0 || leftOut === null) return digest(bytes.subarray(from, end))
  const kept = bytes.toString('latin1', meta, end).replace(leftOut, '')
  return digest(`${digest(bytes.subarray(from, meta))}${kept}`)
}

/** Finds the opening brace of `meta` as the last member of the record; -1 if it may belong to another object. */
function findLastMeta(bytes: Buffer, from: number, end: number): number {
  if (bytes[end - 1] !== brace || bytes[end - 2] !== brace) return -1
  const open = bytes.lastIndexOf(openBrace, end - 1)
  const before = bytes.toString('latin1', Math.max(from, open - mostMetaKey), open)
  if (open < from || !metaKey.test(before)) return -1
  return bytes.indexOf(brace, open) === end - 2 ? open : -1
}

const mostMetaKey = 16
const metaKey = /,\s*"meta"\s*:\s*$/
const space = 0x20
const openBrace = 0x7b
const brace = 0x7d

function digest(bytes: Uint8Array | string): string {
  return hash('sha1', bytes, 'latin1' as 'hex')
}

function toWord(text: string, at: number): number {
  const upper = (text.charCodeAt(at) << 24) | (text.charCodeAt(at + 1) << 16)
  return (upper | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)) >>> 0
}
