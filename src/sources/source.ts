import type { BlockBuffers } from '../records/memory/block-buffers.ts'
import type { Block } from '../records/block.ts'
import type { LinePlace } from '../records/reject.ts'
import type { DocumentMeta } from './completeness.ts'
import type { Completeness, LandedFrom, SourceNotesReport } from '../manifest/manifest.ts'

/** One stream of lines. It can be read again unless it is standard input or a pipe. */
export interface Source {
  /** The name in reports and rejects: the path as it was found, or `<stdin>`. */
  readonly name: string
  readonly canBeReadAgain: boolean
  readonly bytes?: number
  /** The origin of a file that `fetch` landed. */
  readonly landed?: LandedFrom
  /** The interface that the records came from, if a column takes it. */
  readonly interfaceVersion?: Block['interfaceVersion']
  /**
   * Reads once, to the end or until `signal` aborts. Blocks take their memory from `buffers`, by default from buffers
   * of their own. Throws a CatalogueError with a SOURCE_ code.
   */
  read(signal: AbortSignal, buffers?: BlockBuffers): Reading
  /** The real place of a line, numbered from 1 in this source, if it comes from elsewhere or replaces another line. */
  readonly placeOf?: (line: number) => Partial<LinePlace> | undefined
  /**
   * Reads all lines of a small source into the room in one call; no line is longer than the room. Null if that is not
   * possible; `read` then reads the source or reports what is wrong with it.
   */
  readonly readWhole?: (room: Buffer) => WholeLines | null
}

/** All lines of a source, at the start of the room they were read into. */
export interface WholeLines {
  readonly bytes: number
  /** The position of the first byte in the decompressed source, after a byte order mark. */
  readonly byteOffset: number
}

export interface Reading {
  readonly blocks: AsyncIterable<Block>
  /** The metadata of a JSON document, complete after the last block; null for lines, which carry their own. */
  readonly document: () => DocumentMeta | null
  /**
   * The verdict after the last block of a source that knows more than its lines show, such as the service. It replaces
   * the verdict over the lines.
   */
  readonly completeness?: () => Completeness
  readonly notes?: () => SourceNotes
}

export type SourceNotes = Omit<SourceNotesReport, 'firstAnswerAt'> & {
  /** The time of the service's first answer by its own clock. */
  readonly firstAnswerAt: Date | null
}
