import type { FilePlan } from '../config/pipeline-plan.ts'
import type { Block } from '../records/block.ts'
import type { BlockOutcome, RecordPlan, RepeatedLines } from '../records/process-block.ts'
import type { EncodeRows } from '../sinks/row-encoder.ts'

/** All that decides what a block becomes. Plain data: it is sent to workers. */
export interface EncodingPlan {
  readonly records: RecordPlan
  readonly files: readonly { readonly table: number; readonly format: PieceFormat }[]
}

/** What a block's share of a file is: that of an output, or, for a database that rows are streamed into, COPY text. */
export type PieceFormat = FilePlan['format'] | { readonly format: 'copy' }

/** What becomes of a block: the outcome of its lines, and its share of every file. */
export interface EncodedBlock extends Omit<BlockOutcome, 'rows'> {
  /** SHA-256 of the block's bytes, in hexadecimal. */
  readonly sha256: string
  /** Rows by table. */
  readonly rowCounts: readonly number[]
  /**
   * One for each file of the plan, in that order: lines of CSV without a header, lines of NDJSON, COPY text, or, for Parquet,
   * a record batch. Empty where the block has no row of that table. Each has a buffer of its own, which may be
   * transferred.
   */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
}

/** A file of the plan, with the plain encoder of its rows. */
export type FileEncoding = EncodingPlan['files'][number] & { readonly encodeRows: EncodeRows }

/** A way through the lines of a block. */
export type EncodeLines = (block: Block, repeated?: RepeatedLines) => Omit<EncodedBlock, 'sha256'>
