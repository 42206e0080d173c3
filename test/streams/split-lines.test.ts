import * as fc from 'fast-check'
import split2 from 'split2'
import { describe, expect, test } from 'vitest'
import { splitLines, type NumberedLine, type SplitLinesOptions } from '../../src/streams.ts'
import { cases } from '../depth.ts'
import { collect, toChunks } from './collect.ts'

describe('splitLines', () => {
  test('splitLines ends a line at LF and CRLF, and the last one at the end of the input', async () => {
    expect(await split('a\nb\r\nc')).toEqual(['1@0 a', '2@2 b', '3@5 c'])
    expect(await split('a\nb\n')).toEqual(['1@0 a', '2@2 b'])
    expect(await split('a\rb\n')).toEqual(['1@0 a\rb'])
    expect(await split('')).toEqual([])
  })

  test('splitLines drops blank lines and counts them', async () => {
    expect(await split('\n\na\n \t\r\nb\n\n')).toEqual(['3@2 a', '5@8 b'])
  })

  test('splitLines leaves out a byte order mark at the start only', async () => {
    expect(await split('\uFEFFa\n\uFEFFb\n')).toEqual(['1@3 a', '2@5 \uFEFFb'])
  })

  test('splitLines gives a line as soon as its line break is there', async () => {
    const stage = splitLines()
    stage.write('{"id":1}\n{"id":')
    expect(String((stage.read() as NumberedLine).bytes)).toBe('{"id":1}')
    expect(stage.read()).toBeNull()
    stage.destroy()
  })

  test('splitLines keeps bytes that are no UTF-8 as they are, and characters that are cut between chunks whole', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0xa9, 0x0a])
    const lines = await collect<NumberedLine>(toChunks(bytes, 1), splitLines())
    expect(lines.map((line) => [line.isUtf8, line.bytes.toString('latin1')])).toEqual([
      [false, 'a\u00FF'],
      [true, '\u00C3\u00A9'],
    ])
  })

  test('splitLines gives the length of a line of which it kept only the beginning', async () => {
    const lines = await collect<NumberedLine>(
      toChunks(`a\n${'b'.repeat(2_000_000)}\nc\n`, 7777),
      splitLines({ maxLineBytes: 10 }),
    )
    expect(lines.map(({ number, lineBytes }) => [number, lineBytes])).toEqual([
      [1, 1],
      [2, 2_000_000],
      [3, 1],
    ])
    expect(lines[1]?.bytes.length).toBe(1024 * 1024 + 1)
  })

  test('splitLines says whether the last line has its line break', async () => {
    const lines = await collect<NumberedLine>(toChunks('a\nb'), splitLines())
    expect(lines.map(({ terminated }) => terminated)).toEqual([true, false])
  })

  test('splitLines gives the lines that split2 gives, in chunks of any size', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 })
    const input = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(input, fc.integer({ min: 1, max: 9 }), async (lines, chunkBytes) => {
        const text = `first\n${lines.flat().join('')}`
        const expected = await collect<string>(toChunks(text, 1000), split2())
        const given = await collect<NumberedLine>(toChunks(text, chunkBytes), splitLines())
        expect(given.map(({ bytes }) => bytes.toString())).toEqual(
          expected.filter((other) => !/^[ \t\r]*$/.test(other)),
        )
      }),
      { numRuns: cases(100) },
    )
  })
})

async function split(text: string, chunkBytes = 3, options: SplitLinesOptions = {}): Promise<string[]> {
  const lines = await collect<NumberedLine>(toChunks(text, chunkBytes), splitLines(options))
  return lines.map(({ number, byteOffset, bytes }) => `${number}@${byteOffset} ${bytes.toString()}`)
}
