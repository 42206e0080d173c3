import type { BlockBuffers } from '../memory/block-buffers.ts'
import type { Block } from '../records/block.ts'
import type { LinePlace } from '../records/reject.ts'
import type { DocumentMeta } from './completeness.ts'
import type { Completeness, LandedFrom, SourceNotesReport } from '../manifest/manifest.ts'

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

/** What is worth telling about one reading from the service, beside its lines. */
export type SourceNotes = Omit<SourceNotesReport, 'firstAnswerAt'> & {
  /** Time of the service's first answer, by its own clock. */
  readonly firstAnswerAt: Date | null
}
