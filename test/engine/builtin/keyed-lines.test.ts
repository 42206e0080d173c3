import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesPerBlock } from '../../../src/engine/builtin/computation.ts'
import { KeyedLines, splitLines } from '../../../src/engine/builtin/keyed-lines.ts'
import { cases } from '../../depth.ts'

const anyRecord = fc.array(fc.option(fc.integer({ min: 1, max: 30 }).map(String)), { maxLength: 4 })

/** Lines that say which record they are of. */
function keep(records: readonly (readonly (string | null)[])[], mostBytes?: number): KeyedLines {
  const lines = new KeyedLines(mostBytes)
  for (const [record, keys] of records.entries()) lines.add(keys.map((key) => ({ text: `${record} ${key}`, key })))
  return lines
}

describe('KeyedLines', () => {
  it('takes up the lines whose key several records have, and no other, in the order in which they came', () => {
    const property = fc.property(fc.array(anyRecord, { maxLength: 20 }), (records) => {
      const holders = (key: string | null) => records.filter((keys) => key !== null && keys.includes(key)).length
      const expected = records.flatMap((keys, record) => keys.map((key) => ({ text: `${record} ${key}`, key })))
      const lines = keep(records)
      const shared = expected.flatMap(({ text, key }) => (holders(key) > 1 ? [text] : []))
      expect([...lines.listShared()]).toEqual(shared)
      const replaced = [...lines.replaceShared((text) => `shared ${text}`)].flatMap(splitLines)
      expect(replaced).toEqual(expected.map(({ text, key }) => (holders(key) > 1 ? `shared ${text}` : text)))
    })
    fc.assert(property, { numRuns: cases(1000, 100) })
  })

  it('gives the same blocks whether bytes are compressed or not, full ones but for the last', () => {
    const records = Array.from({ length: linesPerBlock + 1000 }, (_, at) => [`a ${at}`, `b ${at % 5900}`])
    const read = (mostBytes: number) => [...keep(records, mostBytes).replaceShared((text) => `shared ${text}`)]
    const isSame = (others: readonly Buffer[]) =>
      blocks.every((block, at) => block.equals(others[at] ?? Buffer.alloc(0)))
    const blocks = read(Number.POSITIVE_INFINITY)
    expect(blocks.map((block) => splitLines(block).length)).toEqual([linesPerBlock, linesPerBlock, 2000])
    expect(isSame(read(0))).toBe(true)
    expect(isSame(read(blocks[0]?.length ?? 0))).toBe(true)
    expect(blocks.flatMap(splitLines).filter((line) => line.startsWith('shared'))).toHaveLength(200)
  })
})
