import type { FilePlan } from '../plan/outputs/file-plan.ts'
import type { RulePlan } from '../plan/conditions/rule-plan.ts'
import type { Block } from '../records/block.ts'
import type { BlockOutcome, RepeatedLines } from '../records/block-outcome.ts'
import type { MemoryRange } from '../memory/memory-space.ts'
import type { OutputArena } from '../memory/output-arenas.ts'
import type { RecordPlan } from '../records/process-block.ts'
import type { CompiledScan } from '../scan/program/compile-scan.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { BrokenRow } from '../profile/rules/broken-rows.ts'
import type { UniqueValues } from '../profile/rules/list-unique.ts'
import type { EncodeRows } from '../records/flatten/column.ts'

/** All that decides the bytes of a block. Plain data. */
export interface EncodingPlan {
  readonly records: RecordPlan
  readonly files: readonly { readonly table: number; readonly format: PieceFormat }[]
  /** Positions of the tables whose rows are counted for the profile; default none. */
  readonly profiledTables?: readonly number[] | undefined
  /** What is asked of the rows; default nothing. */
  readonly rules?: readonly RulePlan[] | undefined
}

/** The part of a plan that decides what is counted of the rows. */
export type Counting = Omit<EncodingPlan, 'files'>

/** The plan, with what is compiled once for all threads. Plain data as well. */
export interface CompiledEncoding extends EncodingPlan {
  /** Null where the fast path does not support the plan. */
  readonly scan: CompiledScan | null
}

/** The format of a block's share of a file: that of an output, or COPY text for a database that rows are streamed into. */
export type PieceFormat = FilePlan['format'] | { readonly format: 'copy' }

/** A block encoded: the outcome of its lines, and its share of every file. */
export interface EncodedBlock extends Omit<BlockOutcome, 'rows'> {
  /** A digest of the block's bytes; see digest-block.ts. */
  readonly digest: string
  /** Rows by table. */
  readonly rowCounts: readonly number[]
  /** Of each column that is to be unique, in the order of their rules. */
  readonly unique: readonly UniqueValues[]
  /** The rows that break rules, as far as they may be among the first of all blocks. */
  readonly broken: readonly BrokenRow[]
  /**
   * One for each file of the plan, in that order: lines of CSV without a header, lines of NDJSON, COPY text, or, for Parquet,
   * a record batch. Empty where the block has no row of that table. They are in `room`, as far as they fit:
   * copy one to keep it.
   */
  readonly pieces: readonly Uint8Array[]
  /** Reused for the pieces of a later block when these are written. */
  readonly room: MemoryRange
}

/** A file of the plan, with the encoder of its rows. */
export type FileEncoding = EncodingPlan['files'][number] & { readonly encodeRows: EncodeRows }

/** Encodes the lines of blocks, by the fast or the reference path. Throws OutOfRoom as `scanBlock` does, with nothing done. */
export interface LineEncoding {
  readonly encode: (
    block: Block,
    repeated: RepeatedLines | undefined,
    arena: OutputArena,
    mostRegionBytes: number,
  ) => EncodedLines
  /** The counts of the rows of all blocks so far; behind those of tables what breaks each rule, where there are rules. */
  readonly collectCounts: () => RowCounts
}

export const nothingChecked: Pick<EncodedBlock, 'unique' | 'broken'> = { unique: [], broken: [] }

export type EncodedLines = Omit<EncodedBlock, 'digest' | 'room'>
