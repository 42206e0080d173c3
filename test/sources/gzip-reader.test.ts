import { constants, gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseKernel } from '../../src/records/memory/load-kernel.ts'
import { type GzipError, GzipReader } from '../../src/sources/gzip-reader.ts'
import { cases } from '../depth.ts'

/** Reads bytes that come in chunks of this size. */
async function read(bytes: Buffer, chunkBytes = bytes.length): Promise<Buffer> {
  const reader = new GzipReader()
  const pieces: Buffer[] = []
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      for await (const piece of reader.push(bytes.subarray(at, at + chunkBytes))) pieces.push(Buffer.from(piece))
    reader.end()
    return Buffer.concat(pieces)
  } finally {
    await reader.close()
  }
}

/** The content, or the code of zlib and its message. */
async function judge(content: () => Buffer | Promise<Buffer>): Promise<string | Buffer> {
  try {
    return await content()
  } catch (error) {
    const { code, message } = error as GzipError
    return `${code} ${message}`
  }
}

const contents = fc
  .array(
    fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('{"id":', 'x'.repeat(70_000), 'lorem ipsum '.repeat(30))),
    {
      maxLength: 30,
    },
  )
  .map((parts) => Buffer.from(parts.join('')))

describe.runIf(chooseKernel().target === 'native')('gzip', () => {
  test('is read as zlib reads it, at any level, in any chunks, in several members', async () => {
    const members = fc.array(fc.record({ content: contents, level: fc.integer({ min: 0, max: 9 }) }), {
      minLength: 1,
      maxLength: 3,
    })
    const strategies = fc.constantFrom(
      constants.Z_DEFAULT_STRATEGY,
      constants.Z_FIXED,
      constants.Z_HUFFMAN_ONLY,
      constants.Z_RLE,
    )
    await fc.assert(
      fc.asyncProperty(members, strategies, fc.integer({ min: 1, max: 5000 }), async (parts, strategy, chunkBytes) => {
        const bytes = Buffer.concat(parts.map(({ content, level }) => gzipSync(content, { level, strategy })))
        const whole = Buffer.concat(parts.map(({ content }) => content))
        expect((await read(bytes, chunkBytes)).equals(whole)).toBe(true)
      }),
      { numRuns: cases(200) },
    )
  })

  test('of many megabytes is read in pieces', async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `{"id":${index},"name":"${(index * 7919) % 1000}"}\n`)
    const content = Buffer.from(lines.join(''))
    expect((await read(gzipSync(content), 65_536)).equals(content)).toBe(true)
  })

  test('with every field of its header is read, wherever it is cut', async () => {
    const plain = gzipSync('content')
    const extra = Buffer.from([3, 0, 1, 2, 3])
    const flags = Buffer.from([0x1f, 0x8b, 8, 0x1c, 0, 0, 0, 0, 0, 3])
    const bytes = Buffer.concat([flags, extra, Buffer.from('a name\0a comment\0'), plain.subarray(10)])
    for (let chunkBytes = 1; chunkBytes < 40; chunkBytes++)
      expect((await read(bytes, chunkBytes)).toString()).toBe('content')
  })

  test('that is cut, damaged or followed by something is judged as zlib judges it', async () => {
    const whole = gzipSync(Buffer.from(Array.from({ length: 300 }, (_, index) => `line ${index * 37}\n`).join('')))
    const damages = fc.record({
      cut: fc.option(fc.nat(whole.length), { nil: whole.length }),
      behind: fc.constantFrom('', '\0\0\0', '\0x', 'stray bytes', '\n', '\u001F'),
      at: fc.nat(whole.length - 1),
      byte: fc.option(fc.nat(255), { nil: null }),
    })
    await fc.assert(
      fc.asyncProperty(damages, fc.integer({ min: 1, max: 2000 }), async ({ cut, behind, at, byte }, chunkBytes) => {
        const bytes = Buffer.concat([whole.subarray(0, cut), Buffer.from(behind)])
        if (byte !== null && at < bytes.length) bytes[at] = byte
        fc.pre(bytes.length > 0)
        expect(await judge(() => read(bytes, chunkBytes))).toEqual(await judge(() => gunzipSync(bytes)))
      }),
      { numRuns: cases(2000) },
    )
  })

  test('whose header never ends is refused', async () => {
    const header = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])
    const bytes = Buffer.concat([header, Buffer.alloc(3_000_000, 'n')])
    expect(await judge(() => read(bytes, 65_536))).toBe('Z_DATA_ERROR header too long')
  })
})
