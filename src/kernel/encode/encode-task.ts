import type { CatalogueError } from '../../errors.ts'
import type { RowGroup } from '../../formats/parquet/row-group-cutter.ts'
import type { EncodedRowGroup } from '../../formats/parquet/row-group-encoder.ts'
import type { MemoryRange } from '../../records/memory/memory-space.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'

/** A task of a worker. `start` comes first for every run; its answer means that the worker is ready for others of this run. */
export type EncodeTask =
  | { readonly kind: 'start'; readonly plan: CompiledEncoding; readonly memory: WebAssembly.SharedMemory }
  | {
      readonly kind: 'block'
      readonly block: SentBlock
      readonly repeated: RepeatedLines | undefined
      readonly room: MemoryRange | undefined
    }
  | { readonly kind: 'group'; readonly file: number; readonly group: RowGroup }
  | { readonly kind: 'counts' }

export type SentBlock = Omit<Block, 'bytes' | 'release'> & { readonly bytes: Block['bytes'] | MemoryRange }

/** The result of a block. Pieces in the memory of all threads are sent as addresses. */
export type SentResult = Omit<EncodedBlock, 'pieces'> & { readonly pieces: readonly (Uint8Array | MemoryRange)[] }

export type TaskResult = SentResult | EncodedRowGroup | RowCounts | null

export interface TaskMessage {
  readonly id: number
  /** The number of the run in its worker. */
  readonly run: number
  /** Nothing comes behind the end of a run, which has no answer. */
  readonly task: EncodeTask | { readonly kind: 'end' }
}

/** The answer to the task with this id. A CatalogueError would lose its code between threads. */
export type AnswerMessage =
  | { readonly id: number; readonly result: TaskResult }
  | { readonly id: number; readonly failure: Pick<CatalogueError, 'code' | 'message' | 'cause' | 'title' | 'fix'> }
  | { readonly id: number; readonly tooLarge: MemoryRange }
