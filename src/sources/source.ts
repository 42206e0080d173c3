import type { Block } from '../records/block.ts'
import type { Completeness, DocumentMeta } from './completeness.ts'

/** One stream of lines. It can be read again, unless it is standard input. */
export interface Source {
  /** For reports and rejects: the path as it was found, or `<stdin>`. */
  readonly name: string
  readonly canBeReadAgain: boolean
  /** Of a file, as it stands on disk. */
  readonly bytes?: number
  /** Of a file that `fetch` landed: where its lines come from. */
  readonly landed?: LandedFrom
  /** Reads it once, to the end or until `signal` aborts. Throws a CatalogueError with a SOURCE_ code. */
  read(signal: AbortSignal): Reading
}

/** One reading of a source. */
export interface Reading {
  readonly blocks: AsyncIterable<Block>
  /** What a JSON document says, whole after the last block; null where it is lines, which say it themselves. */
  readonly document: () => DocumentMeta | null
  /**
   * After the last block, where the source judges by more than its lines: what the service answered. It replaces the
   * verdict over the lines.
   */
  readonly completeness?: () => Completeness
  /** What is worth telling of a reading from the service, so far. */
  readonly notes?: () => SourceNotes
}

/** Where the lines of a landed file come from. */
export interface LandedFrom {
  /** `v4/products/stream` */
  readonly endpoint: string
  readonly baseUrl: string
  /** When it began to be fetched; ISO 8601, UTC. */
  readonly fetchedAt: string
  /** Of the file as it stands on disk. */
  readonly sha256: string
}

/** Codes that were asked for and that no record carries. */
export interface MissingIdentifiers {
  /** The filter key: `cnk`. */
  readonly key: string
  readonly asked: number
  readonly missing: readonly string[]
  /** Of a list that was read from a file: where each of `missing` stands there first, in the same order. */
  readonly inFile?: readonly { readonly line: number; readonly written: string }[] | undefined
}

/** What is worth telling about one reading from the service, beside its lines. */
export interface SourceNotes {
  /** When the service gave its first answer, by its own clock. */
  readonly firstAnswerAt: Date | null
  /** Requests that were asked again, and why; one sentence each. */
  readonly repeats: readonly string[]
  /** What changed in the result set while it was read; one sentence each. */
  readonly changes: readonly string[]
  /** Records that came again, in a repeated request or in another one, and were not taken twice. */
  readonly skippedRecords: number
  /** Why the service refused this request, which the run does without; missing where it was answered. */
  readonly refused?: string
  /** Of every list of identifiers in the filter, those that brought nothing; empty until the reading has ended. */
  readonly missing: readonly MissingIdentifiers[]
}
