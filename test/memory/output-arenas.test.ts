import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OutputArena, OutputArenas } from '../../src/memory/output-arenas.ts'
import { cases } from '../depth.ts'

const mebibyte = 1024 * 1024

describe('room for pieces', () => {
  it('holds them as they were, of whatever lengths', () => {
    const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(100_000)), { maxLength: 10 })
    const rooms = new OutputArenas()
    let buffer: SharedArrayBuffer | undefined
    fc.assert(
      fc.property(lengths, (pieces) => {
        const room = rooms.open(buffer)
        const expected = pieces.map((length, at) => Buffer.alloc(length, `${at}: some text, `))
        const added = expected.map((piece) => room.add(piece))
        expect(added.every((piece, at) => Buffer.compare(piece, expected[at]!) === 0)).toBe(true)
        rooms.learn(room)
        buffer = room.buffer
        for (const piece of added) piece.fill(0xff)
      }),
      { numRuns: cases(200) },
    )
  })

  it('is as large as blocks need, whatever a single one needs', () => {
    const rooms = new OutputArenas()
    const fill = (room: OutputArena, bytes: number) => {
      const piece = room.add(new Uint8Array(bytes))
      rooms.learn(room)
      return piece.buffer === room.buffer
    }
    const first = rooms.open(undefined)
    expect(fill(first, mebibyte)).toBe(false)
    const second = rooms.open(first.buffer)
    expect(fill(second, mebibyte)).toBe(true)
    expect(fill(rooms.open(second.buffer), 100 * mebibyte)).toBe(false)
    const last = rooms.open(second.buffer)
    expect(fill(last, mebibyte)).toBe(true)
    expect(last.buffer).toBe(second.buffer)
  })
})
