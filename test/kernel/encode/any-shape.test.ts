import { createHash, type Hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createEncoding, type EncodeBlock } from '../../../src/kernel/encode/encode-block.ts'
import { openWorkerPool } from '../../../src/kernel/encode/worker-pool.ts'
import type { CompiledEncoding } from '../../../src/kernel/encode/encoding-plan.ts'
import { BlockBuffers } from '../../../src/records/memory/block-buffers.ts'
import { createSharedMemory, MemorySpace, OutOfMemory } from '../../../src/records/memory/memory-space.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { type Block, BlockCutter } from '../../../src/records/block.ts'
import { divideBlock } from '../../../src/records/divide-block.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { cases, someOf } from '../../depth.ts'

const gibibyte = 2 ** 30
const mebibyte = 2 ** 20
const products = Buffer.concat([...generateLines({ contract: 'v4/product', records: 60, seed: 5 })])
  .toString()
  .trimEnd()
  .split('\n')

/** Lines of much or little output, by the number of the line. */
const lineKinds: readonly ((at: number) => string)[] = [
  (at) => `{"id":"${at}","vat":0.5}`,
  (at) => `{"id":"${at}","vat":123456789012345678,"name":{"nl":"caf\\u00e9 ${at}","de":null}}`,
  (at) => products[at % products.length]!,
  (at) => JSON.stringify({ id: `${at}`, name: { nl: 'x'.repeat(3000), fr: '"\n'.repeat(200) }, status: 'odd' }),
  (at) => `{"id":"${at}","photos":[${'{},'.repeat(at % 900)}{"locales":["nl",null]}],"ean":[1,"2"]}`,
  (at) => `{"id":${at},"weight":-1.50,"name":{"nl":"=1+1;","en":"ü"}}`,
  () => 'no JSON',
]

interface Shape {
  /** The kinds of the lines: each for several lines in a row. */
  readonly runs: readonly { readonly kind: number; readonly lines: number }[]
  readonly columns: number
  readonly locales: readonly string[]
  readonly blockBytes: number
  readonly mostLines: number
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  runs: fc.array(fc.record({ kind: fc.nat(lineKinds.length - 1), lines: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  columns: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 1000 })),
  locales: fc.subarray(['nl', 'fr', 'de', 'en', 'nl-BE', 'es', 'it', 'pt', 'fr-BE', 'de-BE'], { minLength: 1 }),
  blockBytes: fc.constantFrom(1, 5000, 100_000, mebibyte),
  mostLines: fc.constantFrom(1, 17, 100_000),
})

describe('blocks become the bytes of the reference path', () => {
  const starts = [65_536, 2 * gibibyte - 3 * mebibyte, 2 * gibibyte, 3 * gibibyte - mebibyte]
  it.each(starts)(
    'blocks of any records, columns and locales become the bytes of the reference path in a memory that begins at %d',
    async (start) => {
      await fc.assert(
        fc.asyncProperty(shapes, async (shape) => {
          const plan = toPlan(shape)
          const space = new MemorySpace(createSharedMemory(start))
          expect(await encodeIn(space, plan, shape)).toEqual(await encodeByReference(plan, shape))
        }),
        { numRuns: cases(20, 1) },
      )
    },
  )

  it('blocks become the bytes of the reference path, or end in a clear error, if memory is nearly full', async () => {
    const shape: Shape = {
      runs: toRuns([2, 4, 0, 3, 4], 40),
      columns: 200,
      locales: ['nl'],
      blockBytes: mebibyte,
      mostLines: 500,
    }
    const plan = toPlan(shape)
    const expected = await encodeByReference(plan, shape)
    const outcomes = new Set<unknown>()
    for (const left of someOf([128, 40, 30, 24, 16, 8, 1], 128, 16, 1)) {
      const space = new MemorySpace(createSharedMemory(4 * gibibyte - left * mebibyte))
      const found = await encodeIn(space, plan, shape).catch(toRefused)
      outcomes.add(isDeepStrictEqual(found, expected) ? 'right' : found)
    }
    expect(outcomes).toEqual(new Set(['right', 'refused']))
  })

  test('threads that share a memory beyond 2 GiB give the bytes of the reference path', async () => {
    const shape: Shape = {
      runs: toRuns([0, 2, 4, 5, 1], 40),
      columns: 250,
      locales: ['nl', 'fr'],
      blockBytes: 20_000,
      mostLines: 50,
    }
    const plan = toPlan(shape)
    const space = new MemorySpace(createSharedMemory(2 * gibibyte - 2 * mebibyte))
    const pool = openWorkerPool(2, 3)
    try {
      pool.start(plan, space)
      const found = await encodeAll(pool.encodeBlock, shape, new BlockBuffers(space))
      expect(found).toEqual(await encodeByReference(plan, shape))
    } finally {
      await pool.close()
    }
  })
})

async function encodeIn(space: MemorySpace, plan: CompiledEncoding, shape: Shape): Promise<unknown> {
  const { encodeBlock } = await createEncoding(plan, space)
  return encodeAll(encodeBlock, shape)
}

function toRefused(error: unknown): string {
  if (error instanceof OutOfMemory) return 'refused'
  throw error
}

function toRuns(kinds: readonly number[], lines: number): Shape['runs'] {
  return kinds.map((kind) => ({ kind, lines }))
}

function toPlan({ columns, locales }: Shape): CompiledEncoding {
  const [locale = 'nl'] = locales
  const wide = Array.from({ length: columns }, (_, at) => ({ column: `name_${at}`, from: 'name', locale }))
  const config = {
    name: 'test',
    source: { files: 'none', contract: 'v4/product' },
    locales: [...locales],
    tables: {
      products: {
        columns: ['id', 'name', 'ean', { column: 'vat_exact', from: 'vat', as: 'decimal(6,2)' }, 'weight', ...wide],
      },
      photos: { each: 'photos[]', columns: 'all' },
    },
    outputs: (['ndjson', 'csv', 'parquet'] as const).map((format) => ({ format, path: `out/{table}.${format}` })),
  } as const
  const {
    records,
    outputs: { files },
  } = planPipeline(config as unknown as Parameters<typeof planPipeline>[0], { env: {} })
  const scan = compileScan(records)
  expect(scan).not.toBeNull()
  return { records, files, scan }
}

async function encodeByReference(plan: CompiledEncoding, shape: Shape): Promise<unknown> {
  const { encodeBlock } = await createEncoding({ ...plan, scan: null })
  return encodeAll(encodeBlock, shape)
}

/** Whole files, for Parquet the batches, and the outcomes of the lines. */
async function encodeAll(encode: EncodeBlock, shape: Shape, buffers = new BlockBuffers()): Promise<unknown> {
  const hashes: Hash[] = []
  const outcomes: unknown[] = []
  const encoded = listBlocks(shape, buffers).map((block) => encode(block))
  for (const block of encoded) {
    const { pieces, counts, rejects, ids, indexes, rowCounts, digest } = await block
    for (const [file, piece] of pieces.entries()) (hashes[file] ??= createHash('sha256')).update(piece)
    outcomes.push({ counts, rejects, ids: [...ids], indexes, rowCounts, digest })
  }
  return { hashes: hashes.map((hash) => hash.digest('hex')), outcomes: JSON.stringify(outcomes) }
}

function listBlocks({ runs, blockBytes, mostLines }: Shape, buffers: BlockBuffers): Block[] {
  let at = 0
  const lines = runs.flatMap((run) => Array.from({ length: run.lines }, () => `${lineKinds[run.kind]!(at++)}\n`))
  const cutter = new BlockCutter({ blockBytes, buffers })
  const blocks = [...cutter.push(Buffer.from(lines.join(''))), ...cutter.end()]
  return blocks.flatMap((block) => [...divideBlock(block, mostLines, buffers)])
}
