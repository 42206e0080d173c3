import { createHash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { openThreadPool } from '../../../src/kernel/encode/thread-pool.ts'
import { KernelThreads, type RunByThread } from '../../../src/records/memory/kernel-threads.ts'
import { chooseKernel } from '../../../src/records/memory/load-kernel.ts'
import { openWorkerPool, type EncodePool } from '../../../src/kernel/encode/worker-pool.ts'
import { createEncoding } from '../../../src/kernel/encode/encode-block.ts'
import type { CompiledEncoding, EncodedBlock } from '../../../src/kernel/encode/encoding-plan.ts'
import { type MemoryRange, MemorySpace } from '../../../src/records/memory/memory-space.ts'
import { BlockCutter, type Block } from '../../../src/records/block.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { RunFolder } from '../../engine/run-folder.ts'

const products = Buffer.concat([...generateLines({ contract: 'v4/product', records: 1000, seed: 3 })])

test('a block has the same bytes, and its drift in the same order, after any other blocks', async () => {
  const plan = planEveryFormat()
  const statuses = ['active', ...Array.from({ length: 120 }, (_, at) => `odd ${at}`), 'known', 'known', 'odd 3']
  const [before, block] = [['known', 'known'], statuses].map((lines) => cut(Buffer.from(lines.map(toLine).join(''))))
  const [{ encodeBlock: fresh }, { encodeBlock: used }] = [await createEncoding(plan), await createEncoding(plan)]
  await used(before![0]!)
  const [expected, found] = [await fresh(block![0]!), await used(block![0]!)]
  expect(JSON.stringify(summarize(found))).toBe(JSON.stringify(summarize(expected)))
  expect(expected.drift.unknownValues['status']).toMatchObject({ 'odd 3': 2, '(other values)': 22 })
})

function toLine(status: string, index: number): string {
  return `${JSON.stringify({ meta: { total: 200, index }, result: { id: 'M1', status } })}\n`
}

const isNative = chooseKernel().target === 'native'
const pools: [name: string, open: () => EncodePool][] = [
  ['workers', () => openWorkerPool(1, 3)],
  ...(isNative ? [['threads', () => openThreads(2)] as [string, () => EncodePool]] : []),
]

function openThreads(count: number): EncodePool {
  return openThreadPool(KernelThreads.open(count) as KernelThreads, count)
}

describe.each(pools)('a pool of %s', (_name, open) => {
  const plan = planEveryFormat()
  let pool: EncodePool

  beforeEach(() => {
    pool = open()
    pool.start(plan, new MemorySpace())
  })
  afterEach(() => pool.close())

  test('a pool encodes blocks as this thread does', async () => {
    const { encodeBlock: encode } = await createEncoding(plan)
    const blocks = cut(Buffer.concat([Buffer.from('garbage\n'), products, Buffer.from('{"id":"\t"}\n'.repeat(20))]))
    const expected = await Promise.all(blocks.map(async (block) => summarize(await encode(block))))
    expect(expected[0]).toMatchObject({ rejects: [{ raw: { raw: 'garbage' } }] })
    const encoded = await Promise.all(blocks.map((block) => pool.encodeBlock(block)))
    expect(encoded.map(summarize)).toEqual(expected)
  })

  test('a pool puts the pieces of a block into the room of an earlier one, also of a larger one', async () => {
    const { encodeBlock: encode } = await createEncoding(plan)
    const blocks = cut(products).slice(0, 2)
    const few = cut(products.subarray(0, 20_000))
    const expected = await Promise.all([...blocks, ...few].map(async (block) => summarize(await encode(block))))
    let room: MemoryRange | undefined
    const seen = new Set<number>()
    const outside: number[] = []
    for (const [at, block] of [...blocks, ...blocks, ...few].entries()) {
      const encoded: EncodedBlock = await pool.encodeBlock(block, undefined, room)
      expect(summarize(encoded)).toEqual(expected[(at % blocks.length) + (at < 4 ? 0 : 2)])
      room = encoded.room
      seen.add(room.bytes)
      const filled = encoded.pieces.filter(({ length }) => length > 0)
      outside.push(filled.filter((piece) => !(piece.buffer instanceof SharedArrayBuffer)).length)
    }
    expect(outside.slice(1).every((count) => count === 0)).toBe(true)
    expect(seen.size).toBe(2)
  })

  test('a pool leaves out the lines that repeat an id', async () => {
    const issue = { code: 'duplicate_id', path: 'id', message: 'again' } as const
    const [block] = cut(Buffer.from('{"id":"A"}\n{"id":"B"}\n{"id":"C"}\n'))
    const repeated = new Map<number, 'drop' | typeof issue>([
      [0, 'drop'],
      [2, issue],
    ])
    const { counts, rejects } = await pool.encodeBlock(block!, repeated)
    expect(counts).toMatchObject({ lines: 3, duplicate: 1, rejected: 1, accepted: 1 })
    expect(rejects).toMatchObject([{ lineInBlock: 2, issues: [issue] }])
  })

  test('a pool does not change the bytes of a block within a larger buffer', async () => {
    const bytes = Buffer.from('{"id":"A"}\n{"id":"B"}\n').subarray(0, 11)
    const { counts } = await pool.encodeBlock({ bytes, byteOffset: 0, droppedBytes: 0, unterminated: false })
    expect(counts).toMatchObject({ lines: 1, accepted: 1 })
    expect(bytes.toString()).toBe('{"id":"A"}\n')
  })
})

test('a pool of workers rejects the blocks under way when it is closed', async () => {
  const pool = openWorkerPool(1, 3)
  pool.start(planEveryFormat(), new MemorySpace())
  const [block] = cut(products)
  const [outcome] = await Promise.allSettled([pool.encodeBlock(block!), pool.close()])
  expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNEXPECTED' } })
})

function openWorkers(workers: number): EncodePool {
  const pool = openWorkerPool(workers, 3)
  pool.start(planEveryFormat(), new MemorySpace())
  return pool
}

describe('workers that runs share', () => {
  const [block] = cut(products)
  let started: Worker[]
  const note = (worker: Worker): void => void started.push(worker)

  beforeEach(() => {
    started = []
    process.on('worker', note)
  })
  afterEach(() => void process.off('worker', note))

  test('several runs at once encode in as many workers as one has, each with the bytes that it has alone', async () => {
    const runs = [openWorkers(2), openWorkers(2), openWorkers(2)]
    const { encodeBlock: encode } = await createEncoding(planEveryFormat())
    const expected = summarize(await encode(block!))
    const encoded = await Promise.all([...runs, ...runs, ...runs].map((pool) => pool.encodeBlock(block!)))
    for (const each of encoded) expect(summarize(each)).toEqual(expected)
    expect(started).toHaveLength(2)
    await Promise.all(runs.map((pool) => pool.close()))
    const later = openWorkers(2)
    expect(summarize(await later.encodeBlock(block!))).toEqual(expected)
    expect(started).toHaveLength(4)
    await later.close()
  })

  test('a run that is closed gives up its blocks and no other run does', async () => {
    const [kept, closed] = [openWorkers(2), openWorkers(2)]
    const [given, up] = [kept.encodeBlock(block!), closed.encodeBlock(block!)]
    await closed.close()
    await expect(up).rejects.toMatchObject({ code: 'UNEXPECTED' })
    expect((await given).counts.lines).toBeGreaterThan(1)
    await expect(closed.encodeBlock(block!)).rejects.toMatchObject({ code: 'UNEXPECTED' })
    await kept.close()
  })

  test('a worker that dies fails the runs that have blocks in it, and later ones get another worker', async () => {
    const [first, second] = [openWorkers(2), openWorkers(2)]
    await Promise.all([first.encodeBlock(block!), second.encodeBlock(block!)])
    const failing = Promise.allSettled([first, second].map((pool) => pool.encodeBlock(block!)))
    await Promise.all(started.map((worker) => worker.terminate()))
    const failed = { status: 'rejected', reason: { code: 'UNEXPECTED' } }
    expect(await failing).toMatchObject([failed, failed])
    const third = openWorkers(2)
    expect((await third.encodeBlock(block!)).counts.lines).toBeGreaterThan(1)
    await Promise.all([first.close(), second.close(), third.close()])
  })

  test('a worker takes no more runs than 16, so that it ends', async () => {
    const lasting = openWorkers(1)
    for (let run = 0; run < 17; run++) await openWorkers(1).close()
    expect(started).toHaveLength(3)
    await lasting.close()
  })
})

describe.runIf(isNative)('threads of native code', () => {
  test('threads of native code are shared by runs, in equal parts, and end with the last of them', async () => {
    const plan = planEveryFormat()
    const open = (count: number): EncodePool => {
      const pool = openThreadPool(KernelThreads.share(count) as KernelThreads, count)
      pool.start(plan, new MemorySpace())
      return pool
    }
    const [block] = cut(products)
    const expected = summarize(await (await createEncoding(plan)).encodeBlock(block!))
    const first = open(3)
    expect(first.ahead).toBe(4 + 2)
    const others = [open(3), open(2), open(1)]
    expect([first, ...others].map(({ ahead }) => ahead)).toEqual([1 + 2, 1 + 2, 1 + 2, 1 + 2])
    const all = [first, ...others, first, ...others, first, ...others]
    for (const each of await Promise.all(all.map((pool) => pool.encodeBlock(block!))))
      expect(summarize(each)).toEqual(expected)
    await Promise.all(others.map((pool) => pool.close()))
    expect(first.ahead).toBe(4 + 2)
    expect(summarize(await first.encodeBlock(block!))).toEqual(expected)
    await first.close()
    await expect(first.encodeBlock(block!)).rejects.toThrow('the threads have ended')
  })

  test('threads of native code end after the blocks under way', async () => {
    const pool = openThreads(2)
    pool.start(planEveryFormat(), new MemorySpace())
    const [block] = cut(products)
    await pool.encodeBlock(block!)
    const [encoded] = await Promise.all([pool.encodeBlock(block!), pool.close()])
    expect(encoded.counts.lines).toBeGreaterThan(1)
    await expect(pool.encodeBlock(block!)).rejects.toThrow('the threads have ended')
  })

  test('a panic of native code is an error with its message', async () => {
    const space = new MemorySpace()
    const threads = KernelThreads.open(1)
    const { runBlockOn } = space.kernel as unknown as { readonly runBlockOn: RunByThread }
    const failed = expect.objectContaining({
      message: expect.stringMatching(/^expected \d+ bytes at \d+ in a memory of/),
    })
    for (let times = 0; times < 3; times++) await expect(threads?.run(runBlockOn, 0xffff_fff0)).rejects.toEqual(failed)
    await threads?.close()
  })
})

test('a pool of more than 8 workers starts another one while all are busy, one at a time, as long as memory allows', async () => {
  const pool = openWorkerPool(64, 1)
  const rss = vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(100_000_000)
  try {
    pool.start(planEveryFormat(), new MemorySpace())
    expect([pool.ahead, pool.isHungry]).toEqual([8 + 3, true])
    const [block] = cut(Buffer.from('{"id":"A"}\n'))
    const encodeAll = () => Promise.all(Array.from({ length: 8 }, () => pool.encodeBlock(block!)))
    pool.grow()
    expect(pool.ahead).toBe(8 + 3)
    await encodeAll()
    await vi.waitFor(() => {
      pool.grow()
      expect(pool.ahead).toBe(9 + 3)
    })
    pool.grow()
    expect(pool.ahead).toBe(9 + 3)
    rss.mockReturnValue(400_000_000)
    await vi.waitUntil(() => pool.isHungry)
    await encodeAll()
    for (let times = 0; times < 20; times++) pool.grow()
    expect(pool.ahead).toBe(9 + 3)
  } finally {
    rss.mockRestore()
    await pool.close()
  }
})

describe('a run with workers', () => {
  let folder: RunFolder

  beforeAll(async () => {
    folder = await RunFolder.create()
    await folder.write('input.ndjson', products)
  })
  afterAll(() => folder.remove())

  test.each([-1, 1.5, 65, Number.NaN])('a run with workers refuses %d as their number', async (workers) => {
    const message = `runPipeline: expected workers to be a whole number from 0 to 64, got number ${workers}`
    expect(await folder.fail({}, { workers })).toMatchObject({ code: 'USAGE', message })
  })

  test('a run with workers that is aborted while blocks are under way ends at once, with nothing published', async () => {
    const controller = new AbortController()
    let blocks = 0
    const onProgress = () => {
      if (++blocks === 6) controller.abort()
    }
    const error = await folder.fail({}, { workers: 2, signal: controller.signal, onProgress })
    expect(error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(blocks).toBe(6)
    expect(await folder.listOut()).toEqual([])
  })
})

function planEveryFormat(): CompiledEncoding {
  const outputs = [
    { format: 'parquet', path: 'out/{table}.parquet' },
    { format: 'csv', path: 'out/{table}.csv' },
    { format: 'ndjson', path: 'out/{table}.ndjson' },
  ] as const
  const config = { name: 'test', source: { files: 'none', contract: 'v4/product' }, outputs: [...outputs] }
  const {
    records,
    outputs: { files },
  } = planPipeline(config, { env: {} })
  return { records, files, scan: compileScan(records) }
}

function cut(bytes: Buffer): Block[] {
  const cutter = new BlockCutter()
  return [...cutter.push(bytes), ...cutter.end()]
}

/** Replaces pieces by their hashes: comparing megabytes takes seconds. */
function summarize({ pieces, ...encoded }: EncodedBlock) {
  const hashes = pieces.map((piece) => createHash('sha256').update(piece).digest('hex'))
  return { ...encoded, room: null, pieces: pieces.map(({ length }) => length), hashes }
}
