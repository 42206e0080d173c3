import type { SourceIdsSummary } from '../../manifest/manifest.ts'
export interface ListedIdentifier {
  readonly code: string | number
  /** The line of its first occurrence, from 1. */
  readonly line: number
  readonly written: string
}

export interface BadIdentifier {
  readonly line: number
  readonly written: string
  readonly expected: string
}

export interface SourceIdsPlan {
  readonly summary: SourceIdsSummary
  readonly identifiers: readonly ListedIdentifier[]
  readonly bad?: readonly BadIdentifier[]
}
