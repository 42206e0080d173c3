import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createLineCount } from '../../src/kernel/encode/digest-block.ts'
import { BlockBuffers } from '../../src/records/memory/block-buffers.ts'
import { MemorySpace } from '../../src/records/memory/memory-space.ts'
import { BlockCutter } from '../../src/records/block.ts'
import { divideBlock, mostLinesOf } from '../../src/records/divide-block.ts'
import { cases } from '../depth.ts'
import { planRecords } from './plan-records.ts'

describe('a block of very short lines', () => {
  it('a block of very short lines becomes blocks of as many lines as it may have, whose bytes and places are the same', () => {
    const lines = fc.array(fc.constantFrom('{}', '', '{"id":"1"}', 'x'.repeat(300)), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 70 }),
        fc.boolean(),
        fc.boolean(),
        (texts, most, isEnded, isShared) => {
          const space = new MemorySpace()
          const buffers = isShared ? new BlockBuffers(space, createLineCount(space)) : new BlockBuffers()
          const input = Buffer.from(`\ufeff${texts.join('\n')}${isEnded ? '\n' : ''}`)
          const cutter = new BlockCutter({ buffers, maxLineBytes: 1_048_576 })
          const found = [...cutter.push(input), ...cutter.end()].flatMap((block) => [
            ...divideBlock(block, most, buffers),
          ])
          expect(Buffer.concat(found.map(({ bytes }) => bytes)).equals(input.subarray(3))).toBe(true)
          for (const [at, { bytes, byteOffset, unterminated }] of found.entries()) {
            const isLast = at === found.length - 1
            expect(input.indexOf(bytes, byteOffset)).toBe(byteOffset)
            expect(unterminated).toBe(isLast && !isEnded && bytes.length > 0 && bytes.at(-1) !== 0x0a)
            const breaks = bytes.toString().split('\n').length - 1
            expect(isLast ? Math.max(breaks, most) : breaks).toBe(most)
          }
        },
      ),
      { numRuns: cases(300) },
    )
  })

  test('a block has as many lines as fill 262,144 cells of the tables that have a row a record', () => {
    const columns = Array.from({ length: 100 }, (_, at) => ({ column: `c${at}`, from: 'id' }))
    const photos = { each: 'photos[]', columns: ['id'] }
    expect(mostLinesOf(planRecords({ tables: { products: { columns }, photos } }))).toBe(2621)
    expect(mostLinesOf(planRecords({ tables: { products: { columns }, again: { columns } } }))).toBe(1310)
    expect(mostLinesOf({ tables: [] })).toBe(262_144)
  })
})
