import type { DocumentMeta } from '../sources/completeness.ts'
import type { ScannedLine } from './scan-lines.ts'

/** Lines of one answer, as they came. */
export interface LineBatch {
  /** Whole lines, each with its line break. */
  readonly bytes: Buffer
  readonly lines: readonly ScannedLine[]
  /** What the service says of all of its records beside the lines, where it does: a document, or status 204. */
  readonly document?: DocumentMeta
}

/** What a batch adds that has no lines. */
export function statementOf(document: DocumentMeta): LineBatch {
  return { bytes: Buffer.alloc(0), lines: [], document }
}
