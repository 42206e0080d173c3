import { workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { toCatalogueError, type CatalogueError } from '../errors.ts'
import type { Block } from '../records/block.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { RowGroup } from '../sinks/row-group-cutter.ts'
import { createEncoding } from './encode-block.ts'
import { compileGroupEncoding } from './encode-group.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'

/** What a worker is asked for; `start` is answered when it is ready for the others. */
export type EncodeTask =
  | { readonly kind: 'start' }
  | { readonly kind: 'block'; readonly block: Block; readonly repeated: RepeatedLines | undefined }
  | { readonly kind: 'group'; readonly file: number; readonly group: RowGroup }

/** A CatalogueError would lose its code on the way to another thread. */
export type EncodeAnswer<Result> =
  { readonly result: Result } | { readonly failure: Pick<CatalogueError, 'code' | 'message' | 'cause'> }

/** A block's answer, with the buffer of its bytes. */
export interface EncodedAnswer {
  readonly encoded: EncodedBlock
  readonly buffer: ArrayBuffer
}

const plan = workerData as CompiledEncoding
const encodeGroup = compileGroupEncoding(plan)
const encoding = createEncoding(plan)
// What fails here is the answer to every task.
encoding.catch(() => undefined)

/** The entry of a worker thread: gives the bytes of its results away. */
export async function encodeTask(task: EncodeTask): Promise<unknown> {
  try {
    const encodeBlock = await encoding
    switch (task.kind) {
      case 'start':
        return { result: null }
      case 'block': {
        const { bytes } = task.block
        const encoded = await encodeBlock(withBuffer(task.block), task.repeated)
        const answer: EncodedAnswer = { encoded, buffer: bytes.buffer as ArrayBuffer }
        return giveAway(answer, [answer.buffer, ...encoded.pieces.map(({ buffer }) => buffer)])
      }
      case 'group': {
        const bytes = await encodeGroup(task.file, task.group)
        return giveAway(bytes, [bytes.buffer])
      }
    }
  } catch (thrown) {
    const { code, message, cause } = toCatalogueError(thrown)
    return { failure: { code, message, cause } } satisfies EncodeAnswer<never>
  }
}

function giveAway(result: EncodedAnswer | Uint8Array, buffers: readonly ArrayBuffer[]): unknown {
  const answer: EncodeAnswer<typeof result> = { result }
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer })
}

/** Between threads a Buffer becomes a Uint8Array. */
function withBuffer(block: Block): Block {
  const { buffer, byteOffset, byteLength } = block.bytes
  return { ...block, bytes: Buffer.from(buffer, byteOffset, byteLength) }
}
