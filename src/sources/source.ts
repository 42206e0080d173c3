import type { BlockBuffers } from '../memory/block-buffers.ts'
import type { Block } from '../records/block.ts'
import type { LinePlace } from '../records/reject.ts'
import type { DocumentMeta } from './completeness.ts'
import type { Completeness, MissingIdentifiers } from '../manifest/manifest.ts'

/** One stream of lines. It can be read again, unless it is standard input. */
export interface Source {
  /** The name in reports and rejects: the path as it was found, or `<stdin>`. */
  readonly name: string
  readonly canBeReadAgain: boolean
  /** Size of a file on disk. */
  readonly bytes?: number
  /** The origin of a file that `fetch` landed. */
  readonly landed?: LandedFrom
  /** The interface that its records came from, where columns are from it. */
  readonly interfaceVersion?: Block['interfaceVersion']
  /**
   * Reads it once, to the end or until `signal` aborts. Blocks take their memory from `buffers`, by default from some of
   * their own. Throws a CatalogueError with a SOURCE_ code.
   */
  read(signal: AbortSignal, buffers?: BlockBuffers): Reading
  /** The place of a line, from 1, that is another one than its number in this source says, or that took the place of another. */
  readonly placeOf?: (line: number) => Partial<LinePlace> | undefined
  /**
   * Reads all lines of a small source into the room, at once; none is longer than it. Null where it takes more: `read` does
   * it, and says what is wrong.
   */
  readonly readWhole?: (room: Buffer) => WholeLines | null
}

/** All lines of a source, at the start of the room that they were read to. */
export interface WholeLines {
  readonly bytes: number
  /** Position of the first byte in the (decompressed) source, behind a byte order mark. */
  readonly byteOffset: number
}

/** One reading of a source. */
export interface Reading {
  readonly blocks: AsyncIterable<Block>
  /** The metadata of a JSON document, complete after the last block; null for lines, which carry their own. */
  readonly document: () => DocumentMeta | null
  /**
   * The verdict after the last block, of a source that knows more than its lines: the answers of the service. It replaces
   * the verdict over the lines.
   */
  readonly completeness?: () => Completeness
  /** What is worth telling of a reading from the service, so far. */
  readonly notes?: () => SourceNotes
}

/** The origin of the lines of a landed file. */
export interface LandedFrom {
  /** `v4/products/stream` */
  readonly endpoint: string
  readonly baseUrl: string
  /** Begin of the fetch; ISO 8601, UTC. */
  readonly fetchedAt: string
  /** Hash of the file on disk. */
  readonly sha256: string
}

/** What is worth telling about one reading from the service, beside its lines. */
export interface SourceNotes {
  /** Time of the service's first answer, by its own clock. */
  readonly firstAnswerAt: Date | null
  /** Requests that were sent, repeated ones included; missing for lines that an earlier version landed. */
  readonly requests?: number | undefined
  /** How long requests waited before they were sent, all together. */
  readonly waitedMs?: number | undefined
  /** Requests that were repeated, and why; one sentence each. */
  readonly repeats: readonly string[]
  /** Changes of the result set while it was read; one sentence each. */
  readonly changes: readonly string[]
  /** Records that were delivered again, in a repeated request or in another one, and skipped. */
  readonly skippedRecords: number
  /** Why the service refused this request, which the run does without; missing where it was answered. */
  readonly refused?: string
  /** Identifiers without a record, for every list in the filter; empty until the reading has ended. */
  readonly missing: readonly MissingIdentifiers[]
}
