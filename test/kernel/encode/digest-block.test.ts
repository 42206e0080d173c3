import { randomFillSync } from 'node:crypto'
import { createXXHash128 } from 'hash-wasm'
import { describe, expect, test } from 'vitest'
import { createDigest } from '../../../src/kernel/encode/digest-block.ts'
import { MemorySpace } from '../../../src/records/memory/memory-space.ts'

describe('the digest of a block', () => {
  const space = new MemorySpace()
  const digest = createDigest(space)
  const range = space.take(300_000)
  const inPlace = space.view(range)

  test('the digest of a block is the XXH3 of its bytes as another implementation computes it, in any memory', async () => {
    const xxhash = await createXXHash128()
    randomFillSync(inPlace)
    const lengths = [241, 255, 256, 257, 1023, 1024, 1025, 1088, 1089, 2048, 65_537, 299_000]
    for (const length of lengths) {
      for (const start of [0, 1, 13, 64]) {
        const bytes = inPlace.subarray(start, start + length)
        const expected = xxhash.init().update(Buffer.from(bytes)).digest('hex')
        expect(digest(bytes)).toBe(expected)
        expect(digest(Buffer.from(bytes))).toBe(expected)
      }
    }
  })

  test('the digest of a short block is the beginning of its SHA-256', () => {
    expect(digest(Buffer.alloc(0))).toBe('e3b0c44298fc1c149afbf4c8996fb924')
    expect(digest(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223')
  })

  test.each([200, 1000, 3000])('the digest of %i bytes changes with any bit, and if parts change places', (length) => {
    const bytes = Buffer.from(randomFillSync(Buffer.alloc(length)))
    const digests = new Set([digest(bytes), digest(bytes.subarray(1)), digest(bytes.subarray(0, -1))])
    for (let bit = 0; bit < 8 * length; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      digests.add(digest(changed))
    }
    for (let at = 0; at + 128 <= length; at += 64) {
      const parts = [bytes.subarray(0, at), bytes.subarray(at + 64, at + 128), bytes.subarray(at, at + 64)]
      digests.add(digest(Buffer.concat([...parts, bytes.subarray(at + 128)])))
    }
    digests.add(digest(Buffer.concat([bytes, Buffer.alloc(1)])))
    expect(digests.size).toBe(4 + 8 * length + Math.floor(length / 64 - 1))
  })
})
