import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OutputArena, OutputArenas } from '../../src/memory/output-arenas.ts'
import { cases } from '../depth.ts'

const mebibyte = 1024 * 1024

describe('an output arena', () => {
  it('an output arena holds pieces of any lengths as they were added', () => {
    const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(100_000)), { maxLength: 10 })
    const arenas = new OutputArenas()
    let buffer: SharedArrayBuffer | undefined
    fc.assert(
      fc.property(lengths, (pieces) => {
        const arena = arenas.open(buffer)
        const expected = pieces.map((length, at) => Buffer.alloc(length, `${at}: some text, `))
        const added = expected.map((piece) => arena.add(piece))
        expect(added.every((piece, at) => Buffer.compare(piece, expected[at]!) === 0)).toBe(true)
        arenas.learn(arena)
        buffer = arena.buffer
        for (const piece of added) piece.fill(0xff)
      }),
      { numRuns: cases(200) },
    )
  })

  it('an output arena is as large as blocks usually need, not as large as a single one', () => {
    const arenas = new OutputArenas()
    const fill = (arena: OutputArena, bytes: number) => {
      const piece = arena.add(new Uint8Array(bytes))
      arenas.learn(arena)
      return piece.buffer === arena.buffer
    }
    const first = arenas.open(undefined)
    expect(fill(first, mebibyte)).toBe(false)
    const second = arenas.open(first.buffer)
    expect(fill(second, mebibyte)).toBe(true)
    expect(fill(arenas.open(second.buffer), 100 * mebibyte)).toBe(false)
    const last = arenas.open(second.buffer)
    expect(fill(last, mebibyte)).toBe(true)
    expect(last.buffer).toBe(second.buffer)
  })
})
