import type { FilePlan } from '../plan/pipeline-plan.ts'
import type { Block } from '../records/block.ts'
import type { BlockOutcome, RepeatedLines } from '../records/block-outcome.ts'
import type { OutputArena } from '../memory/output-arenas.ts'
import type { RecordPlan } from '../records/process-block.ts'
import type { CompiledScan } from '../scan/program/compile-scan.ts'
import type { EncodeRows } from '../records/flatten/column.ts'

/** All that decides what a block becomes. Plain data. */
export interface EncodingPlan {
  readonly records: RecordPlan
  readonly files: readonly { readonly table: number; readonly format: PieceFormat }[]
}

/** The plan, with what is compiled once for all threads. Plain data as well. */
export interface CompiledEncoding extends EncodingPlan {
  /** Null where the fast way does not know the plan. */
  readonly scan: CompiledScan | null
}

/** What a block's share of a file is: that of an output, or, for a database that rows are streamed into, COPY text. */
export type PieceFormat = FilePlan['format'] | { readonly format: 'copy' }

/** What becomes of a block: the outcome of its lines, and its share of every file. */
export interface EncodedBlock extends Omit<BlockOutcome, 'rows'> {
  /** What `digestBlock` makes of the block's bytes. */
  readonly digest: string
  /** Rows by table. */
  readonly rowCounts: readonly number[]
  /**
   * One for each file of the plan, in that order: lines of CSV without a header, lines of NDJSON, COPY text, or, for Parquet,
   * a record batch. Empty where the block has no row of that table. They stand in `buffer`, as far as it has room:
   * whoever keeps one copies it.
   */
  readonly pieces: readonly Uint8Array[]
  /** For the pieces of a later block when these are written. */
  readonly buffer: SharedArrayBuffer
}

/** A file of the plan, with the plain encoder of its rows. */
export type FileEncoding = EncodingPlan['files'][number] & { readonly encodeRows: EncodeRows }

/** A way through the lines of a block. */
export type EncodeLines = (
  block: Block,
  repeated: RepeatedLines | undefined,
  room: OutputArena,
) => EncodedLines | Promise<EncodedLines>

export type EncodedLines = Omit<EncodedBlock, 'digest' | 'buffer'>
