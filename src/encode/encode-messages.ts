import type { CatalogueError } from '../errors.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { Block } from '../records/block.ts'
import type { RowGroup } from '../formats/parquet/row-group-cutter.ts'
import type { EncodedRowGroup } from '../formats/parquet/row-group-encoder.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'

/** What a worker is asked for; `start` comes first, and is answered when it is ready for the others. */
export type EncodeTask =
  | { readonly kind: 'start'; readonly plan: CompiledEncoding }
  | {
      readonly kind: 'block'
      readonly block: Block
      readonly repeated: RepeatedLines | undefined
      /** For the pieces. */
      readonly buffer: SharedArrayBuffer | undefined
    }
  | { readonly kind: 'group'; readonly file: number; readonly group: RowGroup }

export interface TaskMessage {
  readonly id: number
  readonly task: EncodeTask
}

/** The answer to the task with this id. A CatalogueError would lose its code on the way to another thread. */
export type AnswerMessage =
  | { readonly id: number; readonly result: EncodedBlock | EncodedRowGroup | null }
  | { readonly id: number; readonly failure: Pick<CatalogueError, 'code' | 'message' | 'cause'> }
