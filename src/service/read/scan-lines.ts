import { isUtf8 } from 'node:buffer'
import { parseLine } from '../../records/parse-line.ts'
import type { LineBatch, ScannedLine } from './line-batch.ts'

/**
 * Splits chunks of bytes into batches of whole lines; a last line without a line break comes in a batch of its own.
 * Memory is bounded: of a line that spans chunks, at most `maxLineBytes` + 1 bytes are kept.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<LineBatch> {
  let begun: Buffer[] = []
  let begunBytes = 0
  const keep = (part: Buffer): void => {
    const kept = part.subarray(0, Math.max(0, maxLineBytes + 1 - begunBytes))
    if (kept.length > 0) begun.push(kept)
    begunBytes += kept.length
  }
  for await (const chunk of chunks) {
    let rest = chunk
    if (begunBytes > 0) {
      const lineBreak = chunk.indexOf(newline)
      keep(lineBreak < 0 ? chunk : chunk.subarray(0, lineBreak))
      if (lineBreak < 0) continue
      yield toBatch(Buffer.concat([...begun, chunk.subarray(lineBreak, lineBreak + 1)]), maxLineBytes)
      begun = []
      begunBytes = 0
      rest = chunk.subarray(lineBreak + 1)
    }
    const { bytes, lines } = toBatch(rest, maxLineBytes)
    if (lines.length > 0) yield { bytes, lines }
    keep(rest.subarray(bytes.length))
  }
  if (begunBytes > 0) {
    const bytes = Buffer.concat(begun)
    yield { bytes, lines: scanLines(bytes, maxLineBytes) }
  }
}

function toBatch(bytes: Buffer, maxLineBytes: number): LineBatch {
  const lines: ScannedLine[] = []
  let start = 0
  for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
    lines.push(scanLine(bytes, start, stop, stop + 1, maxLineBytes))
    start = stop + 1
  }
  return { bytes: bytes.subarray(0, start), lines }
}

/**
 * The lines of some bytes; the last one may lack its line break. Envelopes in the service's usual form are parsed only
 * up to the id, for a fortieth of the cost of parsing the line. All others are parsed like in the engine.
 */
export function scanLines(bytes: Buffer, maxLineBytes: number): ScannedLine[] {
  const { bytes: whole, lines } = toBatch(bytes, maxLineBytes)
  if (whole.length === bytes.length) return [...lines]
  return [...lines, scanLine(bytes, whole.length, bytes.length, bytes.length, maxLineBytes)]
}

const newline = 0x0a
const carriageReturn = 0x0d

/** Enough for numbers of 15 digits, an id of 80 characters and some white space. */
const beginningBytes = 200

/** Matches `{"meta": {"total": 5, "index": 0}, "result": {"id": "M1",`, with total and index in either order. */
const envelope =
  /^\s*\{\s*"meta"\s*:\s*\{\s*"(total|index)"\s*:\s*(\d{1,15})\s*,\s*"(total|index)"\s*:\s*(\d{1,15})\s*\}\s*,\s*"result"\s*:\s*\{\s*"id"\s*:\s*(?:"([\x20\x21\x23-\x5b\x5d-\x7e]*)"|(\d{1,15}))\s*[,}]/

function scanLine(bytes: Buffer, start: number, stop: number, end: number, maxLineBytes: number): ScannedLine {
  if (stop - start <= maxLineBytes) {
    const match = envelope.exec(bytes.toString('latin1', start, Math.min(stop, start + beginningBytes)))
    if (match !== null && match[1] !== match[3]) {
      const [total, index] = match[1] === 'total' ? [match[2], match[4]] : [match[4], match[2]]
      const id = match[5] ?? match[6] ?? null
      return { end, kind: 'record', index: Number(index), total: Number(total), id, error: null }
    }
  }
  return { end, ...parseWhole(bytes.subarray(start, stop), maxLineBytes) }
}

/** The facts about one line, without its line feed, found by parsing all of it. */
export function parseWhole(withReturn: Buffer, maxLineBytes: number): Omit<ScannedLine, 'end'> {
  const line = withReturn.at(-1) === carriageReturn ? withReturn.subarray(0, -1) : withReturn
  const raw = { bytes: line, lineBytes: line.length, byteOffset: 0, terminated: true, isUtf8: isUtf8(line) }
  const parsed = parseLine(raw, { maxLineBytes, exactNumbers: false })
  switch (parsed.kind) {
    case 'blank':
      return { kind: 'blank', index: null, total: null, id: null, error: null }
    case 'error':
      return { kind: 'error', index: null, total: null, id: null, error: parsed.error }
    case 'invalid':
      return { kind: 'unreadable', index: parsed.index, total: parsed.total, id: null, error: null }
    case 'record':
      return { kind: 'record', index: parsed.index, total: parsed.total, id: readId(parsed.delivered), error: null }
  }
}

export function readId(record: unknown): string | null {
  const { id } = (record ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
