import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inflateAhead } from '../../src/engine/reading/inflate-ahead.ts'
import { BlockBuffers } from '../../src/memory/block-buffers.ts'
import type { Source } from '../../src/sources/source.ts'

interface TestFile {
  readonly onDisk: Buffer
  /** The size that the file says it has. */
  readonly expected: number
}

function toFile(lines: Buffer | string): TestFile {
  return { onDisk: gzipSync(lines), expected: lines.length }
}

/** Sources that hold gzip files; `reads` gets the names of those that were read. */
function toSources(files: readonly (TestFile | null)[], reads: string[] = []): Source[] {
  return files.map((file, at) => ({
    name: `${at}`,
    canBeReadAgain: true,
    read: () => expect.unreachable(),
    ...(file && {
      readCompressed(room: Buffer) {
        reads.push(`${at}`)
        if (file.onDisk.length >= room.length) return null
        file.onDisk.copy(room)
        return { onDisk: file.onDisk.length, bytes: file.expected }
      },
    }),
  }))
}

async function collect(sources: readonly Source[], signal = new AbortController().signal) {
  const all: (string | null)[] = []
  const names: string[] = []
  for await (const { source, inflated } of inflateAhead(sources, { buffers: new BlockBuffers(), signal })) {
    names.push(source.name)
    all.push(inflated === null ? null : inflated.bytes.toString())
  }
  expect(names).toEqual(sources.map(({ name }) => name))
  return all
}

describe('inflateAhead', () => {
  test('small gzip files come decompressed, in their order, and others as they are', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at}\n`.repeat(20_000))
    const files = texts.map((text, at) => (at % 9 === 4 ? null : toFile(text)))
    expect(await collect(toSources(files))).toEqual(texts.map((text, at) => (at % 9 === 4 ? null : text)))
    expect(await collect([])).toEqual([])
  })

  const good = toFile('good\n')
  const wrong: [string, TestFile][] = [
    ['cut off', { ...good, onDisk: good.onDisk.subarray(0, -5) }],
    ['damaged', { ...good, onDisk: Buffer.from(good.onDisk.with(14, 255)) }],
    ['followed by stray bytes', { ...good, onDisk: Buffer.concat([good.onDisk, Buffer.from('stray')]) }],
    ['followed by zeros that hide as many bytes of the next', { onDisk: pad(good.onDisk), expected: 0 }],
    ['of two members', { onDisk: Buffer.concat([good.onDisk, good.onDisk]), expected: 5 }],
    ['larger than it says', { onDisk: gzipSync(Buffer.alloc(50_000_000)), expected: 100 }],
    ['smaller than it says', { ...good, expected: 1000 }],
  ]
  test.each(wrong)('a file that is %s leaves those beside it to be read alone', async (_, file) => {
    expect(await collect(toSources([good, file, good]))).toEqual([null, null, null])
    // Files of another kind end a stream of members.
    expect(await collect(toSources([good, null, good, file, null, good]))).toEqual([
      'good\n',
      null,
      null,
      null,
      null,
      'good\n',
    ])
  })

  test('a file that does not fit behind others is decompressed with those after it', async () => {
    const texts = [300_000, 700_000, 100_000, 1_000_000, 1_048_575].map((length, at) => `${at}`.repeat(length))
    expect(await collect(toSources(texts.map(toFile)))).toEqual(texts)
  })

  test('files are read some MiB ahead, no more', async () => {
    const reads: string[] = []
    const sources = toSources(
      Array.from({ length: 1000 }, () => toFile('0123456789\n'.repeat(10_000))),
      reads,
    )
    const seen: number[] = []
    for await (const { source } of inflateAhead(sources, options())) {
      seen.push(new Set(reads).size - Number(source.name))
      if (seen.length === 500) break
    }
    expect(Math.max(...seen)).toBeLessThan(60)
    const { length } = reads
    await new Promise(setImmediate)
    expect(reads).toHaveLength(length)
  })

  test('nothing more is read after an abort', async () => {
    const reads: string[] = []
    const sources = toSources(
      Array.from({ length: 1000 }, () => good),
      reads,
    )
    const stop = new AbortController()
    for await (const { source } of inflateAhead(sources, { ...options(), signal: stop.signal })) {
      if (source.name === '3') stop.abort()
      if (stop.signal.aborted) break
    }
    expect(reads.length).toBeLessThan(1000)
  })
})

function options() {
  return { buffers: new BlockBuffers(), signal: new AbortController().signal }
}

/** Zeros behind a file are ignored by every reader of gzip, and so is what comes behind the zeros. */
function pad(file: Buffer): Buffer {
  const padded = Buffer.concat([file, Buffer.alloc(8)])
  expect(gunzipSync(padded).length).toBeGreaterThan(0)
  return padded
}
