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
import type { AnswerMessage, EncodeTask, SentBlock, TaskMessage, TaskResult } from './encode-task.ts'

/* The entry of a worker thread: row groups are transferred, blocks and pieces shared. */

interface Run {
  readonly space: MemorySpace
  readonly encoding: Promise<BlockEncoding>
  readonly encodeGroup: EncodeGroup
}

const runs = new Map<number, Run>()
const port = parentPort as MessagePort
port.on('message', ({ id, run, task }: TaskMessage) => {
  if (task.kind === 'end') runs.delete(run)
  else void answer(id, () => perform(run, task))
})

async function answer(id: number, work: () => Promise<TaskResult>): Promise<void> {
  try {
    const result = await work()
    const buffers = result !== null && 'bytes' in result ? [result.bytes.buffer] : []
    port.postMessage({ id, result } satisfies AnswerMessage, buffers)
  } catch (thrown) {
    if (thrown instanceof BlockTooLarge) return port.postMessage({ id, tooLarge: thrown.room } satisfies AnswerMessage)
    const { code, message, cause, title, fix } = toCatalogueError(thrown)
    port.postMessage({ id, failure: { code, message, cause, title, fix } } satisfies AnswerMessage)
  }
}

async function perform(run: number, task: EncodeTask): Promise<TaskResult> {
  if (task.kind === 'start') {
    // An error here is the answer to every task of the run.
    const space = new MemorySpace(task.memory)
    const encoding = createEncoding(task.plan, space)
    runs.set(run, { space, encoding, encodeGroup: compileGroupEncoding(task.plan) })
    await encoding
    return null
  }
  const { space, encoding, encodeGroup } = runs.get(run) as Run
  switch (task.kind) {
    case 'block': {
      const { encodeBlock } = await encoding
      const { block, repeated, room } = task
      const encoded = await encodeBlock({ ...block, bytes: findBytes(space, block.bytes) }, repeated, room)
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
function findBytes(space: MemorySpace, bytes: SentBlock['bytes']): Buffer {
  if ('address' in bytes) return space.view(bytes)
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array
  return Buffer.from(buffer, byteOffset, byteLength)
}
