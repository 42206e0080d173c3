import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import type { Block } from '../../records/block.ts'
import type { BlockOutcome, RepeatedLines } from '../../records/block-outcome.ts'
import type { MemoryRange } from '../../records/memory/memory-space.ts'
import type { OutputArena } from '../../records/memory/output-arenas.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { CompiledScan } from '../program/compile-scan.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { BrokenRow } from '../rules/broken-rows.ts'
import type { UniqueValues } from '../rules/list-unique.ts'
import type { KernelSteps } from '../scan/scan-block.ts'
import type { EncodeRows } from '../../records/flatten/column.ts'

/** All that decides the bytes of a block. Plain data. */
export interface EncodingPlan {
  readonly records: RecordPlan
  readonly files: readonly { readonly table: number; readonly format: PieceFormat }[]
  readonly profiledTables?: readonly number[] | undefined
  readonly rules?: readonly RulePlan[] | undefined
}

export type Counting = Omit<EncodingPlan, 'files'>

/** A plan with the parts that are compiled once for all threads. Plain data too. */
export interface CompiledEncoding extends EncodingPlan {
  readonly scan: CompiledScan | null
}

/** `rows`: as they are, for this process. */
export type PieceFormat = FilePlan['format'] | { readonly format: 'copy' | 'rows' }

/** An encoded block: the outcome of its lines, and its share of every file. */
export interface EncodedBlock extends Omit<BlockOutcome, 'rows'> {
  readonly digest: string
  readonly rowCounts: readonly number[]
  /** Values of each column with a `unique` rule, in the order of the rules. */
  readonly unique: readonly UniqueValues[]
  /** Rows that break rules, as many as may be among the first of all blocks. */
  readonly broken: readonly BrokenRow[]
  /**
   * One for each file of the plan, in order: lines of CSV without a header, lines of NDJSON, COPY text, or a record
   * batch for Parquet. Empty if the block has no row of the table. Pieces that fit are in `room`: copy one to keep it.
   */
  readonly pieces: readonly Uint8Array[]
  readonly room: MemoryRange
}

export type FileEncoding = EncodingPlan['files'][number] & { readonly encodeRows: EncodeRows }

/**
 * Encodes the lines of blocks, by the fast or the reference path. Throws OutOfRoom as `scanSteps` does, before anything
 * was done.
 */
export interface LineEncoding {
  readonly encode: (
    block: Block,
    repeated: RepeatedLines | undefined,
    arena: OutputArena,
    mostRegionBytes: number,
  ) => KernelSteps<EncodedLines>
  /** Runs a step in this thread. */
  readonly run: () => number
  /** What a step works on, for a run in another thread; null without one. */
  readonly address: number | null
  /**
   * Counts of the rows of all blocks so far by table, followed by counts of the rows that break each rule, if there are
   * rules.
   */
  readonly collectCounts: () => RowCounts
}

export const nothingChecked: Pick<EncodedBlock, 'unique' | 'broken'> = { unique: [], broken: [] }

/** The digest is null if it was not made yet. */
export type EncodedLines = Omit<EncodedBlock, 'digest' | 'room'> & { readonly digest: string | null }
