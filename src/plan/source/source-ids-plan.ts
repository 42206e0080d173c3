import type { SourceIdsSummary } from '../../manifest/manifest.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'

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
  /** Lines that are matched one by one, of a list with several keys or columns to keep. */
  readonly matched?: MatchedList
}

export interface MatchedList {
  /** The keys in the order in which they are tried, each with all its codes. */
  readonly keys: readonly MatchedKey[]
  readonly lines: readonly ListLine[]
  /** The columns of the list that rows get. */
  readonly kept: readonly Column[]
  readonly order: 'source' | 'list'
}

export interface MatchedKey {
  readonly field: string
  /** In words, such as `a CNK code (7 digits …)`. */
  readonly expected: string
  readonly identifiers: readonly ListedIdentifier[]
}

export interface ListLine {
  /** Its number in the list, from 1. */
  readonly line: number
  /** What it has for each key, in their order. */
  readonly codes: readonly ListCode[]
  /** The cells of `kept`. */
  readonly kept: readonly Scalar[]
}

export interface ListCode {
  readonly written: string
  /** Null for a cell that is empty or no code. */
  readonly code: string | number | null
}
