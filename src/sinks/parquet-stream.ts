import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RecordBatch, transformParquetStream, type WriterProperties } from 'parquet-wasm/node'
import { parquetFailure } from './parquet-failure.ts'

/** An encoder that batches are pushed into. When it has failed, push and end reject with that failure. */
export interface ParquetStream {
  /** Takes over the batches. Resolves when they are encoded, and `write` works on no row group but the last complete. */
  push(batches: readonly RecordBatch[]): Promise<void>
  /** Ends the input. Resolves with the bytes that `write` did not get: what was left of the rows, and the footer. */
  end(): Promise<Uint8Array>
  /** Stops and frees what the encoder holds; never rejects. */
  abort(): Promise<void>
}

/** `write` gets the bytes of each row group when it is complete, one call after the other. */
export function openParquetStream(
  properties: WriterProperties,
  write: (bytes: Uint8Array) => Promise<void>,
): ParquetStream {
  const source = createBatchSource()
  const tail: Uint8Array[] = []
  let isEnding = false
  let writing: Promise<void> | undefined
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const pumped = pump()
  pumped.catch(() => undefined) // whoever pushes next, or ends, gets it

  async function pump(): Promise<void> {
    const output: ReadableStream<Uint8Array> = await transformParquetStream(source.stream, properties).catch(
      (error: unknown) => Promise.reject(parquetFailure('the encoder could not begin', error)),
    )
    reader = output.getReader()
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) await take(chunk.value)
    } catch (error) {
      await stop()
      throw error
    }
  }

  async function take(bytes: Uint8Array): Promise<void> {
    if (isEnding) return void tail.push(bytes)
    writing = write(bytes)
    await writing
    writing = undefined
  }

  async function stop(): Promise<void> {
    source.close()
    await reader?.cancel()
  }

  /**
   * The encoder runs in microtasks only, and one that fails drops its ends of the streams without a word. So when
   * some turns of the event loop bring nothing while nobody waits for `write`, nothing will ever come.
   */
  async function unlessStalled<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false
    const settle = () => (isSettled = true)
    promise.then(settle, settle)
    const watch = async (): Promise<Value> => {
      for (let turn = 0; turn < patientTurns; turn++) {
        if (isSettled) return await promise
        if (writing !== undefined) turn = 0
        await (writing ?? nextTurn())
      }
      throw parquetFailure('the encoder stopped before the end of its input')
    }
    return await Promise.race([promise, watch()])
  }

  return {
    async push(batches) {
      const endedEarly = pumped.then(() => Promise.reject(parquetFailure('the output ended before the input')))
      await unlessStalled(Promise.race([source.push(batches), endedEarly]))
    },
    async end() {
      isEnding = true
      source.close()
      await unlessStalled(pumped)
      return tail.length === 1 ? (tail[0] as Uint8Array) : Buffer.concat(tail)
    },
    async abort() {
      await stop()
      await unlessStalled(pumped).catch(() => undefined)
    },
  }
}

/** A stream that holds nothing back: it asks for more only when its reader waits for the next batch. */
function createBatchSource() {
  const waiting: (() => void)[] = []
  let controller: ReadableStreamDefaultController<RecordBatch> | undefined
  const stream = new ReadableStream<RecordBatch>(
    {
      start(started) {
        controller = started
      },
      pull() {
        for (const resolve of waiting.splice(0)) resolve()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    /** Resolves when the reader is done with the batches and asks for more: never when the stream is closed. */
    async push(batches: readonly RecordBatch[]): Promise<void> {
      const taken = new Promise<void>((resolve) => waiting.push(resolve))
      for (const batch of batches) {
        if (controller === undefined) batch.free()
        else controller.enqueue(batch)
      }
      await taken
    },
    close(): void {
      controller?.close()
      controller = undefined
    },
  }
}

const patientTurns = 16
