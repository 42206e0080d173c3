import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChunkBuffer, dropFreeChunks, releaseChunks } from '../../../src/records/memory/chunk-buffer.ts'
import { cases } from '../../depth.ts'

it('a chunk buffer gives bytes of any lengths as they were added, also in reused chunks', () => {
  const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(500_000)), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 4 }), (cuts) => {
      const buffer = new ChunkBuffer()
      for (const parts of cuts) {
        const added = parts.map((length, at) => Buffer.alloc(length, `${at}: some text, `))
        for (const bytes of added) buffer.add(bytes)
        const cut = buffer.cut()
        expect(Buffer.concat(cut).equals(Buffer.concat(added))).toBe(true)
        for (const bytes of cut) bytes.fill(0xff)
        releaseChunks(cut)
      }
      expect(buffer.cut()).toEqual([])
    }),
    { numRuns: cases(100) },
  )
})

it('a chunk buffer reuses released chunks, and no other memory', () => {
  const buffer = new ChunkBuffer()
  const fill = () => {
    buffer.add(new Uint8Array(1000))
    return buffer.cut()
  }
  const [first, second] = [fill(), fill()]
  expect(first[0]?.buffer).not.toBe(second[0]?.buffer)
  releaseChunks(first)
  expect(fill()[0]?.buffer).toBe(first[0]?.buffer)
  releaseChunks([new Uint8Array(1000)])
  expect(fill()[0]?.buffer).not.toBe(second[0]?.buffer)
})

it('all chunks of 48 MiB are used again, until the run ends', () => {
  const bytes = new Uint8Array(48 * 1024 * 1024)
  const fill = () => {
    const buffer = new ChunkBuffer()
    buffer.add(bytes)
    return buffer.cut()
  }
  const first = fill()
  const buffers = new Set(first.map(({ buffer }) => buffer))
  releaseChunks(first)
  const second = fill()
  expect(second.every(({ buffer }) => buffers.has(buffer))).toBe(true)
  releaseChunks(second)
  dropFreeChunks()
  expect(fill().some(({ buffer }) => buffers.has(buffer))).toBe(false)
})
