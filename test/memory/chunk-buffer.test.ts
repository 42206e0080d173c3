import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { releaseChunks, ChunkBuffer } from '../../src/memory/chunk-buffer.ts'
import { cases } from '../depth.ts'

it('bytes come out as they went in, of whatever lengths, and in memory that others had before', () => {
  const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(500_000)), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 4 }), (cuts) => {
      const kept = new ChunkBuffer()
      for (const parts of cuts) {
        const added = parts.map((length, at) => Buffer.alloc(length, `${at}: some text, `))
        for (const bytes of added) kept.add(bytes)
        const cut = kept.cut()
        expect(Buffer.concat(cut).equals(Buffer.concat(added))).toBe(true)
        for (const bytes of cut) bytes.fill(0xff)
        releaseChunks(cut)
      }
      expect(kept.cut()).toEqual([])
    }),
    { numRuns: cases(100) },
  )
})

it('what is given back is used again, and only that', () => {
  const kept = new ChunkBuffer()
  const keep = () => {
    kept.add(new Uint8Array(1000))
    return kept.cut()
  }
  const [first, second] = [keep(), keep()]
  expect(first[0]?.buffer).not.toBe(second[0]?.buffer)
  releaseChunks(first)
  expect(keep()[0]?.buffer).toBe(first[0]?.buffer)
  releaseChunks([new Uint8Array(1000)])
  expect(keep()[0]?.buffer).not.toBe(second[0]?.buffer)
})
