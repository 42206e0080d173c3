import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatProgressLine } from '../../src/cli/progress/progress-line.ts'
import { fitText, padText, splitAt, widthOf } from '../../src/text/text-width.ts'
import { wrapLines } from '../../src/cli/render/wrap-lines.ts'
import { cutText } from '../../src/text/cut-text.ts'
import { cases } from '../depth.ts'

const texts = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll(/\p{Cc}/gu, ' '))

describe('the width of text on a terminal', () => {
  test.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['語', 2],
    ['😀', 2],
    ['👨‍👩‍👧', 2],
    ['\u001b[1mab\u001b[22m', 2],
  ])('the width of %j is %d columns', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  test('fitText fits the width, ends with an ellipsis, and never cuts a character in half', () => {
    expect(fitText('abcdef', 4)).toBe('abc…')
    expect(fitText('語語語', 4)).toBe('語…')
    expect(fitText('a👨‍👩‍👧b', 3)).toBe('a…')
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, width) => {
        const shown = fitText(text, width)
        expect(widthOf(shown)).toBeLessThanOrEqual(width)
        expect(shown.isWellFormed()).toBe(true)
        expect(widthOf(text) <= width ? shown === text : shown.endsWith('…')).toBe(true)
        expect(widthOf(padText(shown, width))).toBe(width)
      }),
      { numRuns: cases(1000) },
    )
  })

  test('the two parts of splitAt joined are the whole text', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 40 }), (text, width) => {
        const [start, rest] = splitAt(text, width)
        expect(start + rest).toBe(text)
        expect(widthOf(start)).toBeLessThanOrEqual(width)
      }),
      { numRuns: cases(1000) },
    )
  })

  test('a value in a message is not cut within a character', () => {
    expect(cutText('ab😀', 3)).toBe('ab…')
    expect(cutText('ab😀', 4)).toBe('ab😀')
  })
})

describe('lines that are too wide for a terminal', () => {
  test('lines that are too wide for a terminal are wrapped to where their last cell began', () => {
    expect(wrapLines('  lines     one two three four five six seven eight nine', 40)).toBe(
      '  lines     one two three four five six\n            seven eight nine',
    )
  })

  test('lines that are too wide for a terminal keep their words whole', () => {
    const path = `/data/${'long/'.repeat(20)}x.csv`
    expect(wrapLines(`  files     1 csv in ${path}`, 60)).toBe(`  files     1 csv in ${path}`)
  })

  test('lines that are too wide for a terminal lose nothing but blanks, and are as narrow as their words allow', () => {
    const words = fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), { maxLength: 40 })
    fc.assert(
      fc.property(words, fc.integer({ min: 40, max: 120 }), (parts, width) => {
        const text = parts.join(' ').replaceAll('|', '!')
        const wrapped = wrapLines(text, width)
        expect(wrapped.replaceAll(/\s+/g, '')).toBe(text.replaceAll(/\s+/g, ''))
        for (const line of wrapped.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }),
      { numRuns: cases(1000) },
    )
  })

  test('a line of a config stays above the mark in the line below', () => {
    const marked = `    2 | ${'x '.repeat(50)}\n      | ${' '.repeat(60)}^`
    expect(wrapLines(marked, 80)).toBe(marked)
  })
})

describe('the progress of a run', () => {
  const state = { name: 'products', counts: '12,345 lines, 120 MB/s', share: 0.5, secondsLeft: 200 }

  test('the progress of a run has a bar as long as there is room for', () => {
    expect(formatProgressLine(state, 79)).toBe(
      'products  12,345 lines, 120 MB/s  ██████████████░░░░░░░░░░░░░  50 %, 4 min left',
    )
    expect(formatProgressLine(state, 50)).toBe('products  12,345 lines, 120 MB/s  50 %, 4 min left')
    expect(formatProgressLine(state, 40)).toBe('products  50 %, 4 min left')
    expect(formatProgressLine({ ...state, share: null }, 79)).toBe('products  12,345 lines, 120 MB/s')
    expect(formatProgressLine({ ...state, secondsLeft: Number.NaN }, 60)).toContain('50 %, ? left')
  })

  test('the progress of a run never needs more columns than there are', () => {
    fc.assert(
      fc.property(
        texts,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 10, max: 200 }),
        (name, share, width) => {
          expect(widthOf(formatProgressLine({ ...state, name, share }, width))).toBeLessThanOrEqual(width)
        },
      ),
      { numRuns: cases(1000) },
    )
  })
})
