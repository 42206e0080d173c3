import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { toCatalogueError } from '../errors.ts'
import type { Block } from '../records/block.ts'
import type { EncodedRowGroup } from '../sinks/parquet/row-group-encoder.ts'
import { createEncoding } from './encode-block.ts'
import { compileGroupEncoding } from './encode-group.ts'
import type { AnswerMessage, EncodeTask, TaskMessage } from './encode-messages.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'

/* The entry of a worker thread: gives the bytes of its results away. */

const plan = workerData as CompiledEncoding
const encodeGroup = compileGroupEncoding(plan)
const encoding = createEncoding(plan)
// What fails here is the answer to every task.
encoding.catch(() => undefined)
const port = parentPort as MessagePort
port.on('message', (message: TaskMessage) => void answer(message))

async function answer({ id, task }: TaskMessage): Promise<void> {
  try {
    const { result, buffers } = await perform(task)
    port.postMessage({ id, result } satisfies AnswerMessage, buffers)
  } catch (thrown) {
    const { code, message, cause } = toCatalogueError(thrown)
    port.postMessage({ id, failure: { code, message, cause } } satisfies AnswerMessage)
  }
}

async function perform(
  task: EncodeTask,
): Promise<{ readonly result: EncodedBlock | EncodedRowGroup | null; readonly buffers: ArrayBuffer[] }> {
  const encodeBlock = await encoding
  switch (task.kind) {
    case 'start':
      return { result: null, buffers: [] }
    case 'block': {
      const result = await encodeBlock(withBuffer(task.block), task.repeated, task.buffer)
      return { result, buffers: [] }
    }
    case 'group': {
      const result = await encodeGroup(task.file, task.group)
      return { result, buffers: [result.bytes.buffer] }
    }
  }
}

/** Between threads a Buffer becomes a Uint8Array. */
function withBuffer(block: Block): Block {
  const { buffer, byteOffset, byteLength } = block.bytes
  return { ...block, bytes: Buffer.from(buffer, byteOffset, byteLength) }
}
