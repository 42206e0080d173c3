import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BlockBuffers } from '../../src/records/memory/block-buffers.ts'
import { BlockCutter, type Block, type ByteChunks, type CutOptions } from '../../src/records/block.ts'
import { linesOf } from '../../src/records/raw-line.ts'
import { cases } from '../depth.ts'

/** Text in which line breaks, byte order marks and long lines are frequent. */
const bytes = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\uFEFF', ' '), weight: 2 },
      { arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }), weight: 1 },
      { arbitrary: fc.integer({ min: 1, max: 60 }).map((length) => 'x'.repeat(length)), weight: 1 },
    ),
    { maxLength: 30 },
  )
  .map((parts) => Buffer.from(parts.join('')))
const size = fc.integer({ min: 1, max: 70 })
const cutSizes = fc.record({ blockBytes: size, maxLineBytes: size })
const chunkSizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 10 }),
)

describe('blocks', () => {
  test('blocks are the same however the bytes come', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        expect(cut(input, sizes, chunks)).toEqual(cut(input, sizes, [input.length + 1]))
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks are the same in buffers that are released and reused', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        const copies: Block[] = []
        const buffers = new BlockBuffers()
        for (const { release, ...block } of cutOneByOne(input, { ...sizes, buffers }, chunks)) {
          copies.push({ ...block, bytes: Buffer.from(block.bytes) })
          block.bytes.fill(0xff)
          release?.()
        }
        expect(copies).toEqual(cut(input, sizes, chunks))
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks are the same where their bytes are read into the room that the cutter offers', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, cutSizes, chunkSizes, async (input, sizes, chunks) => {
        const copies: Block[] = []
        const cutter = new BlockCutter({ ...sizes, buffers: new BlockBuffers() })
        for await (const { release, ...block } of cutter.cut(readIntoRoom(input, chunks))) {
          copies.push({ ...block, bytes: Buffer.from(block.bytes) })
          // Who gets a block may write behind it too.
          const { buffer, byteOffset, length } = block.bytes
          Buffer.from(buffer, byteOffset, Math.min(length + 256, buffer.byteLength - byteOffset)).fill(0xff)
          release?.()
        }
        expect(copies).toEqual(cut(input, sizes, chunks))
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks of which one is held at a time share one buffer, however many there are', () => {
    const buffers = new BlockBuffers()
    const seen = new Set<unknown>()
    const input = Buffer.from('{"id":"A"}\n'.repeat(500_000))
    for (const block of cutOneByOne(input, { buffers }, [65_536])) {
      seen.add(block.bytes.buffer)
      block.release?.()
    }
    expect(seen.size).toBe(1)
  })

  test('blocks hold the same lines at the same offsets, whatever their size', () => {
    fc.assert(
      fc.property(bytes, size, chunkSizes, (input, blockBytes, chunks) => {
        expect(readLines(input, { blockBytes, maxLineBytes: 1000 }, chunks)).toEqual(splitNaively(input))
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks keep the beginning and the length of a line longer than blockBytes and maxLineBytes', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        const longest = Math.max(sizes.blockBytes, sizes.maxLineBytes)
        const lines = readLines(input, sizes, chunks)
        const expected = splitNaively(input)
        expect(lines).toHaveLength(expected.length)
        for (const [at, line] of lines.entries()) {
          const whole = expected[at]!
          const isShort = whole.lineBytes <= longest
          // A dropped carriage return may or may not belong to the line break.
          const isCounted = line.lineBytes === whole.lineBytes || (!isShort && line.lineBytes === whole.lineBytes + 1)
          expect({ ...line, text: '', lineBytes: isCounted }).toEqual({ ...whole, text: '', lineBytes: true })
          expect(line.text).toBe(isShort ? whole.text : whole.text.slice(0, line.text.length))
          expect(line.text.length).toBeGreaterThanOrEqual(Math.min(whole.lineBytes, longest))
        }
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks hold the same lines where those that have come are flushed after every chunk', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        const flushed = [...cutOneByOne(input, sizes, chunks, (cutter) => cutter.flush())]
        expect(toLines(flushed)).toEqual(readLines(input, sizes, chunks))
        // Each chunk gives all of its whole lines.
        const wide = { blockBytes: 1000, maxLineBytes: 1000 }
        const [first] = [...cutOneByOne(input, wide, [input.length + 1], (cutter) => cutter.flush())]
        expect(first?.unterminated ?? true).toBe(!input.includes('\n'))
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks are no larger than blockBytes and one line', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        const most = sizes.blockBytes + Math.max(sizes.blockBytes, sizes.maxLineBytes) + 4
        for (const block of cut(input, sizes, chunks)) expect(block.bytes.length).toBeLessThanOrEqual(most)
      }),
      { numRuns: cases(300) },
    )
  })

  test('blocks cover the input without a gap', () => {
    fc.assert(
      fc.property(bytes, cutSizes, chunkSizes, (input, sizes, chunks) => {
        const mark = input.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0
        let end = mark
        for (const { bytes: kept, byteOffset, droppedBytes } of cut(input, sizes, chunks)) {
          expect(byteOffset).toBe(end)
          end += kept.length + droppedBytes
        }
        expect(end).toBe(Math.max(input.length, mark))
      }),
      { numRuns: cases(300) },
    )
  })
})

interface SeenLine {
  readonly text: string
  readonly lineBytes: number
  readonly byteOffset: number
  readonly terminated: boolean
}

function cut(input: Buffer, sizes: CutOptions, chunks: readonly number[]): Block[] {
  return [...cutOneByOne(input, sizes, chunks)]
}

function* cutOneByOne(
  input: Buffer,
  sizes: CutOptions,
  chunks: readonly number[],
  flush?: (cutter: BlockCutter) => Iterable<Block>,
): Generator<Block> {
  const cutter = new BlockCutter(sizes)
  for (let at = 0, turn = 0; at < input.length; turn++) {
    const length = chunks[turn % chunks.length]!
    yield* cutter.push(Buffer.from(input.subarray(at, at + length)))
    if (flush !== undefined) yield* flush(cutter)
    at += length
  }
  yield* cutter.end()
}

/** Gives chunks, each in the room that was offered for it, as far as that goes. */
async function* readIntoRoom(input: Buffer, chunks: readonly number[]): ByteChunks {
  let room: Buffer | undefined
  for (let at = 0, turn = 0; at < input.length; turn++) {
    const length = Math.min(chunks[turn % chunks.length]!, room?.length || Number.POSITIVE_INFINITY)
    const chunk = input.subarray(at, at + length)
    const isRead = room !== undefined && room.length > 0 && chunk.copy(room) === chunk.length
    room = yield isRead ? room!.subarray(0, chunk.length) : Buffer.from(chunk)
    at += length
  }
}

function readLines(input: Buffer, sizes: CutOptions, chunks: readonly number[]): SeenLine[] {
  return toLines(cut(input, sizes, chunks))
}

function toLines(blocks: readonly Block[]): SeenLine[] {
  return blocks
    .flatMap((block) => [...linesOf(block)])
    .map(({ bytes: line, lineBytes, byteOffset, terminated }) => {
      return { text: line.toString('latin1'), lineBytes, byteOffset, terminated }
    })
}

/** The lines of the input as a model: split at LF, without one CR at the end, the last one only if it is not empty. */
function splitNaively(input: Buffer): SeenLine[] {
  const mark = input.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0
  const parts = input.subarray(mark).toString('latin1').split('\n')
  let offset = mark
  const lines = parts.map((part, at) => {
    const text = part.endsWith('\r') ? part.slice(0, -1) : part
    const line = { text, lineBytes: text.length, byteOffset: offset, terminated: at < parts.length - 1 }
    offset += part.length + 1
    return line
  })
  return parts.at(-1) === '' ? lines.slice(0, -1) : lines
}
