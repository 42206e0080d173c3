import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { createParquetWriter, type ParquetWriter } from '../../../src/formats/parquet/parquet-writer.ts'
import { column } from '../every-type.ts'
import { defaultOptions, runId } from './write-parquet.ts'

const columns = [column('id', 'integer'), column('name', 'text')]
const piece = createRecordBatchEncoder(columns)(Array.from({ length: 1000 }, (_, id) => [id, `name ${id * 7919}`]))

const unhandled: unknown[] = []
const noteUnhandled = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', noteUnhandled))
afterEach(async () => {
  await wait(5)
  process.off('unhandledRejection', noteUnhandled)
  if (unhandled.length > 0) throw new AggregateError(unhandled.splice(0), 'unhandled rejections')
})

describe('a write of a Parquet file that fails', () => {
  const failures: [string, () => Promise<void>][] = [
    ['at once', () => Promise.reject(new Error('disk full'))],
    ['later', () => wait(10).then(() => Promise.reject(new Error('disk full')))],
    [
      'by throwing',
      () => {
        throw new Error('disk full')
      },
    ],
  ]

  it.each(failures)('a write of a Parquet file that fails %s rejects the next pieces', async (_, write) => {
    const writer = open({ write, rowGroupRows: 2000 })
    await expect(writePieces(writer, 10)).rejects.toThrow('disk full')
    await expect(writer.write(piece)).rejects.toThrow('disk full')
    await expect(writer.finish(runId)).rejects.toThrow('disk full')
    await writer.abort()
  })

  it.each(failures)('a write of a Parquet file that fails %s, at the end, rejects the finish', async (_, write) => {
    const writer = open({ write })
    await writePieces(writer, 3)
    await expect(writer.finish(runId)).rejects.toThrow('disk full')
    await writer.abort()
  })

  it('a write of a Parquet file that fails after the rows rejects the finish', async () => {
    let calls = 0
    const writer = open({ write: () => (++calls === 2 ? Promise.reject(new Error('disk full')) : Promise.resolve()) })
    await writePieces(writer, 3)
    await expect(writer.finish(runId)).rejects.toThrow('disk full')
    expect(calls).toBe(2)
  })
})

describe('back-pressure of the Parquet writer', () => {
  it('the Parquet writer keeps a piece waiting for the bytes before it to be written, one call after the other', async () => {
    let under = 0
    let most = 0
    let written = 0
    const write = async () => {
      most = Math.max(most, ++under)
      await wait(5)
      under -= 1
      written += 1
    }
    const writer = open({ write, rowGroupRows: 1000 })
    for (let index = 0; index < 10; index++) {
      await writer.write(piece)
      expect(written).toBeGreaterThanOrEqual(index - 2)
    }
    await writer.finish(runId)
    expect(most).toBe(1)
  })

  it('the Parquet writer accepts no piece while a write hangs', async () => {
    let release: (() => void) | undefined
    const write = () => new Promise<void>((resolve) => (release = resolve))
    const writer = open({ write, rowGroupRows: 1000 })
    let accepted = 0
    const writing = (async () => {
      for (; accepted < 20; accepted++) await writer.write(piece)
    })()
    await wait(50)
    expect(accepted).toBeLessThan(5)
    const releasing = setInterval(() => release?.(), 1)
    await writing
    expect(await writer.finish(runId)).toEqual({ rows: 20_000 })
    clearInterval(releasing)
  })
})

describe('a piece for a Parquet file', () => {
  const other = createRecordBatchEncoder(columns.toReversed())([['a', 1]])
  it.each([
    ['of other columns', other],
    ['of bytes that are no record batch', new Uint8Array(100)],
    ['of nothing', new Uint8Array()],
    ['that is cut', piece.subarray(0, piece.length - 1000)],
  ])('a piece for a Parquet file %s ends the run, first or later', async (_, bad) => {
    for (const before of [0, 1]) {
      const writer = open()
      await writePieces(writer, before)
      const finished = writer.write(bad).then(() => writer.finish(runId))
      await expect(finished).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
      await writer.abort()
    }
  })
})

describe('the abort of a Parquet file', () => {
  it('the abort of a Parquet file writes nothing more, at any time, also twice', async () => {
    for (const before of [0, 1, 4]) {
      let calls = 0
      const writer = open({ write: async () => void (calls += 1), rowGroupRows: 100_000 })
      await writePieces(writer, before)
      await writer.abort()
      await writer.abort()
      expect(calls).toBe(0)
      await expect(writer.write(piece)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
      await expect(writer.finish(runId)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    }
  })

  it('the abort of a Parquet file waits for the pending write, and cancels the rest of the piece', async () => {
    let calls = 0
    let begin: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const write = () => {
      begin?.()
      return wait(10).then(() => void (calls += 1))
    }
    const writer = open({ write, rowGroupRows: 10 })
    const aborted = async () => {
      await begun
      await writer.abort()
      return calls
    }
    const [writing, callsBefore] = await Promise.allSettled([writer.write(piece), aborted()])
    expect(writing).toMatchObject({ status: 'rejected', reason: { code: 'OUTPUT_FAILED' } })
    expect([callsBefore, calls]).toEqual([{ status: 'fulfilled', value: 1 }, 1])
  })
})

function open(options: Partial<Parameters<typeof createParquetWriter>[0]> = {}): ParquetWriter {
  return createParquetWriter({ ...defaultOptions(columns), compression: 'none', ...options })
}

async function writePieces(writer: ParquetWriter, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await writer.write(piece)
}
