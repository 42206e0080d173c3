import type { Completeness } from '../sources/completeness.ts'

/** The lines of one or several requests, and whether they are all there. */
export interface LineReading {
  /** Runs of whole lines, each with its line break. To be called once. */
  lines(signal: AbortSignal): AsyncGenerator<Buffer>
  /** To be asked after the last line. */
  completeness(): Completeness
}

/** Why a reading has no verdict before its end. */
export const unread: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }
