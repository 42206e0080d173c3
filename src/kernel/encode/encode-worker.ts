import { parentPort, type MessagePort } from 'node:worker_threads'
import { toCatalogueError } from '../../errors.ts'
import { MemorySpace } from '../../records/memory/memory-space.ts'
import {
  BlockTooLarge,
  createEncoding,
  compileGroupEncoding,
  type BlockEncoding,
  type EncodeGroup,
} from './encode-block.ts'
import type { AnswerMessage, EncodeTask, SentBlock, TaskMessage, TaskResult } from './worker-pool.ts'

/* The entry of a worker thread: row groups are transferred, blocks and pieces shared. */

let encodeGroup: EncodeGroup
let encoding: Promise<BlockEncoding>
let space: MemorySpace
const port = parentPort as MessagePort
port.on('message', (message: TaskMessage) => void answer(message))

async function answer({ id, task }: TaskMessage): Promise<void> {
  try {
    const result = await perform(task)
    const buffers = result !== null && 'bytes' in result ? [result.bytes.buffer] : []
    port.postMessage({ id, result } satisfies AnswerMessage, buffers)
  } catch (thrown) {
    if (thrown instanceof BlockTooLarge) return port.postMessage({ id, tooLarge: thrown.room } satisfies AnswerMessage)
    const { code, message, cause, title, fix } = toCatalogueError(thrown)
    port.postMessage({ id, failure: { code, message, cause, title, fix } } satisfies AnswerMessage)
  }
}

async function perform(task: EncodeTask): Promise<TaskResult> {
  switch (task.kind) {
    case 'start':
      // An error here is the answer to every task.
      space = new MemorySpace(task.memory)
      encoding = createEncoding(task.plan, space)
      encodeGroup = compileGroupEncoding(task.plan)
      await encoding
      return null
    case 'block': {
      const { encodeBlock } = await encoding
      const encoded = await encodeBlock({ ...task.block, bytes: findBytes(task.block.bytes) }, task.repeated, task.room)
      return { ...encoded, pieces: encoded.pieces.map((piece) => space.find(piece) ?? piece) }
    }
    case 'group':
      await encoding
      return encodeGroup(task.file, task.group)
    case 'counts':
      return (await encoding).collectCounts()
  }
}

/** A Buffer becomes a Uint8Array between threads. */
function findBytes(bytes: SentBlock['bytes']): Buffer {
  if ('address' in bytes) return space.view(bytes)
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array
  return Buffer.from(buffer, byteOffset, byteLength)
}
