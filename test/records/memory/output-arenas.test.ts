import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MemoryRange, MemorySpace } from '../../../src/records/memory/memory-space.ts'
import { type OutputArena, OutputArenas } from '../../../src/records/memory/output-arenas.ts'
import { cases } from '../../depth.ts'

const mebibyte = 1024 * 1024

describe('an output arena', () => {
  it('an output arena holds pieces of any lengths as they were added or written', () => {
    const lengths = fc.array(fc.record({ length: fc.oneof(fc.nat(100), fc.nat(100_000)), inPlace: fc.boolean() }), {
      maxLength: 10,
    })
    const space = new MemorySpace()
    const arenas = new OutputArenas(space)
    let room: MemoryRange | undefined
    fc.assert(
      fc.property(lengths, (pieces) => {
        const arena = arenas.open(room)
        const expected = pieces.map(({ length }, at) => Buffer.alloc(length, `${at}: some text, `))
        const added = expected.map((piece, at) => {
          if (pieces[at]?.inPlace !== true || arena.end + piece.length > arena.limit) return arena.add(piece)
          space.bytes.set(piece, arena.end)
          return arena.addWritten(piece.length)
        })
        expect(added.every((piece, at) => Buffer.compare(piece, expected[at]!) === 0)).toBe(true)
        arenas.learn(arena)
        room = arena.room
        for (const piece of added) piece.fill(0xff)
      }),
      { numRuns: cases(200) },
    )
  })

  it('an output arena is as large as blocks usually need, not as large as a single one', () => {
    const space = new MemorySpace()
    const arenas = new OutputArenas(space)
    const fill = (arena: OutputArena, bytes: number) => {
      const piece = arena.add(new Uint8Array(bytes))
      arenas.learn(arena)
      return space.find(piece) !== null
    }
    const first = arenas.open(undefined)
    expect(fill(first, mebibyte)).toBe(false)
    const second = arenas.open(first.room)
    expect(fill(second, mebibyte)).toBe(true)
    expect(fill(arenas.open(second.room), 100 * mebibyte)).toBe(false)
    const last = arenas.open(second.room)
    expect(fill(last, mebibyte)).toBe(true)
    expect(last.room).toBe(second.room)
  })

  it('room that is too small for an output arena is handed out again', () => {
    const space = new MemorySpace()
    const arenas = new OutputArenas(space)
    const small = arenas.open(undefined)
    small.add(new Uint8Array(mebibyte))
    arenas.learn(small)
    arenas.open(small.room)
    expect(space.take(1).address).toBe(small.room.address)
  })
})
