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

/** Counts of a list that was read from a file: `rows = identifiers + repeated + empty + bad`. */
export interface SourceIdsSummary {
  /** As the config names it. */
  readonly file: string
  /** Its name, or its number from 1; null for a file with one identifier a line. */
  readonly column: string | number | null
  /** The filter key. */
  readonly field: string
  readonly rows: number
  readonly identifiers: number
  /** Identifiers that are asked for in another form than they were written in, with their lost zeros for instance. */
  readonly repaired: number
  readonly repeated: number
  readonly empty: number
  /** Entries that are no identifiers, where `badIdentifiers: report` lets the others be asked for. */
  readonly bad?: number
  /** Over how many requests the identifiers are shared out, where none of them takes further pages; 0 where files are read. */
  readonly requests: number
}

export interface SourceIdsPlan {
  readonly summary: SourceIdsSummary
  readonly identifiers: readonly ListedIdentifier[]
  readonly bad?: readonly BadIdentifier[]
}
