import type { SourceIdsSummary } from '../../manifest/manifest.ts'
/** An identifier of a list that was read from a file. */
export interface ListedIdentifier {
  /** As it is asked for. */
  readonly code: string | number
  /** The line of its first occurrence, from 1. */
  readonly line: number
  readonly written: string
}

/** An entry of a list that is no identifier. */
export interface BadIdentifier {
  readonly line: number
  readonly written: string
  /** The form that was expected. */
  readonly expected: string
}

export interface SourceIdsPlan {
  readonly summary: SourceIdsSummary
  readonly identifiers: readonly ListedIdentifier[]
  readonly bad?: readonly BadIdentifier[]
}
