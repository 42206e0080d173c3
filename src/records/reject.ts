import { createHash } from 'node:crypto'
import type { Issue, RawText, RejectsFileLine } from '../manifest/manifest.ts'
import type { RawLine } from './raw-line.ts'

export type { Issue, RawText, RejectsFileLine }

/** A line that did not meet its contract, with its unchanged text. */
export interface Reject {
  /** 0-based within its block; the run adds where the block begins. */
  readonly lineInBlock: number
  readonly byteOffset: number
  readonly index: number | null
  readonly id: string | null
  readonly issues: readonly Issue[]
  readonly raw: RawText
}

/** The place of a line in what was read; the hash if another line took its place. */
export type LinePlace = Pick<RejectsFileLine, 'source' | 'line' | 'byteOffset'> & { readonly sha256?: string }

const keptOfOversized = 64 * 1024

export function toReject(
  line: RawLine,
  lineInBlock: number,
  index: number | null,
  delivered: unknown,
  issues: readonly Issue[],
): Reject {
  const raw = toRawText(line, issues)
  return { lineInBlock, byteOffset: line.byteOffset, index, id: toId(delivered), issues, raw }
}

/** The reject with its place, in the order of the rejects file. */
export function toRejectsFileLine({ index, id, issues, raw }: Reject, place: LinePlace): RejectsFileLine {
  const { source, line, byteOffset, sha256 = hashRawText(raw) } = place
  return { source, line, byteOffset, index, id, issues, sha256, ...raw }
}

export function formatReject(line: RejectsFileLine): string {
  return `${JSON.stringify(line)}\n`
}

/** SHA-256 of the bytes of a line, in hexadecimal; of the kept beginning if the line was too long. */
export function hashRawText(text: RawText): string {
  const bytes = 'rawBase64' in text ? Buffer.from(text.rawBase64, 'base64') : text.raw
  return createHash('sha256').update(bytes).digest('hex')
}

function toRawText(line: RawLine, issues: readonly Issue[]): RawText {
  return issues.some(({ code }) => code === 'line_too_long') ? toBeginning(line) : toWholeText(line)
}

/** The text of a line of which no more is kept. */
export function toBeginning({ bytes, lineBytes }: RawLine): RawText {
  return { raw: bytes.toString('utf8', 0, keptOfOversized), rawTruncated: true, rawBytes: lineBytes }
}

export function toWholeText(line: RawLine): RawText {
  return line.isUtf8 ? { raw: line.bytes.toString('utf8') } : { rawBase64: line.bytes.toString('base64') }
}

/** The id of a record as it was delivered, as text; null if it has none. */
export function toId(delivered: unknown): string | null {
  if (typeof delivered !== 'object' || delivered === null || !('id' in delivered)) return null
  const { id } = delivered
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : null
}

/** A path as issues have it: `photos[0].displayOrder`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

/** The place of a path in every record: `photos[].displayOrder`. */
export function toPlace(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]')
}
