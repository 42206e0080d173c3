import type { DocumentMeta } from '../../sources/completeness.ts'
import type { StreamError } from '../../records/parse-line.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** Facts about a line, known before its record is parsed. */
export interface ScannedLine {
  /** The offset of the next line, in the bytes of the batch. */
  readonly end: number
  readonly kind: 'record' | 'blank' | 'unreadable' | 'error'
  readonly index: number | null
  readonly total: number | null
  /** The id of its record, where that is text or a whole number. */
  readonly id: string | null
  readonly error: StreamError | null
}

/** Lines of one answer, as they came. */
export interface LineBatch {
  /** Whole lines, each with its line break. */
  readonly bytes: Buffer
  readonly lines: readonly ScannedLine[]
  /** Statement of the service about all of its records, beside the lines: of a document, or of status 204. */
  readonly document?: DocumentMeta
}

/** The lines of one or several requests, and the verdict over them. */
export interface BatchReader {
  /** To be called once. */
  batches(signal: AbortSignal): AsyncGenerator<LineBatch>
  /** To be asked after the last batch. */
  completeness(): Completeness
}

/** The verdict of a reader before its end. */
export const unread: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }

/** A batch that has no lines. */
export function toStatement(document: DocumentMeta): LineBatch {
  return { bytes: Buffer.alloc(0), lines: [], document }
}

/** The lines that pass, asked for one by one in order. Bytes are copied only where lines in the middle are left out. */
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
