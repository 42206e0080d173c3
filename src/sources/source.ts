import type { Block } from '../records/block.ts'

/** What a JSON document says about all of its records, beside them (specification: Endpoints, Conventions). */
export interface DocumentMeta {
  /** How many records match in all; null where it does not say. */
  readonly total: number | null
  /** How many records stand before its first one: a page. */
  readonly offset: number
}

/** One stream of lines. It can be read again, unless it is standard input. */
export interface Source {
  /** For reports and rejects: the path as it was found, or `<stdin>`. */
  readonly name: string
  readonly canBeReadAgain: boolean
  /** Reads it once, to the end or until `signal` aborts. Throws a CatalogueError with a SOURCE_ code. */
  read(signal: AbortSignal): Reading
}

/** One reading of a source. */
export interface Reading {
  readonly blocks: AsyncIterable<Block>
  /** What a JSON document says, whole after the last block; null where it is lines, which say it themselves. */
  readonly document: () => DocumentMeta | null
}
