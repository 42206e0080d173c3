import type { DocumentMeta } from '../../sources/completeness.ts'
import type { StreamError } from '../../records/parse-line.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** Facts about a line that are known before its record is parsed. */
export interface ScannedLine {
  /** The offset of the next line in the bytes of the batch. */
  readonly end: number
  readonly kind: 'record' | 'blank' | 'unreadable' | 'error'
  readonly index: number | null
  readonly total: number | null
  /** The id of the record; null unless it is text or a whole number. */
  readonly id: string | null
  readonly error: StreamError | null
}

export interface LineBatch {
  /** Whole lines, each with its line break. */
  readonly bytes: Buffer
  readonly lines: readonly ScannedLine[]
  /** What the service states about all records outside the lines: in a document, or by status 204. */
  readonly document?: DocumentMeta
}

/** Reads the lines of one or several requests, and judges whether they are complete. */
export interface BatchReader {
  /** To be called once. */
  batches(signal: AbortSignal): AsyncGenerator<LineBatch>
  /** To be called after the last batch. */
  completeness(): Completeness
}

export const unread: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }

export function toStatement(document: DocumentMeta): LineBatch {
  return { bytes: Buffer.alloc(0), lines: [], document }
}

/**
 * Keeps the lines that pass; `passes` is called once a line, in order. Bytes are copied only if lines in the middle are
 * left out.
 */
export function selectLines(batch: LineBatch, passes: (line: ScannedLine) => boolean): LineBatch {
  const { bytes, lines } = batch
  const selected: ScannedLine[] = []
  const runs: Buffer[] = []
  let start = 0
  let end = 0
  let leftOut = 0
  for (const line of lines) {
    if (passes(line)) selected.push(leftOut === 0 ? line : { ...line, end: line.end - leftOut })
    else {
      if (end > start) runs.push(bytes.subarray(start, end))
      leftOut += line.end - end
      start = line.end
    }
    end = line.end
  }
  if (leftOut === 0) return batch
  if (end > start) runs.push(bytes.subarray(start, end))
  return { bytes: runs.length === 1 && runs[0] !== undefined ? runs[0] : Buffer.concat(runs), lines: selected }
}
