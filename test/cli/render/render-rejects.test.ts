import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderExcerpt } from '../../../src/cli/render/render-rejects.ts'
import { widthOf } from '../../../src/text/text-width.ts'
import { toExcerpt } from '../../../src/sources/rejects/reject-groups.ts'
import { cases } from '../../depth.ts'

function render(raw: string, path: string, width: number): string[] {
  const { text, mark } = renderExcerpt(toExcerpt(raw, { code: 'invalid_type', path }), width)
  return [text, mark]
}

it('an excerpt has the mark below the value on the line that holds it', () => {
  expect(render('{"id":"A","cnk":{},"x":1}', 'cnk', 80)).toEqual(['{"id":"A","cnk":{},"x":1}', '                ^^'])
})

it('an excerpt of a long line is cut on both sides of the value', () => {
  const raw = `{"a":"${'x'.repeat(500)}","cnk":{},"b":"${'y'.repeat(500)}"}`
  const [text, mark] = render(raw, 'cnk', 40) as [string, string]
  expect(text).toMatch(/^…x*","cnk":\{\},"b":"y*…$/)
  expect(widthOf(text)).toBe(40)
  expect(mark.indexOf('^')).toBe(text.indexOf('{}'))
})

it('an excerpt has the mark in the right column after wide characters, emoji, accents and escaped control characters', () => {
  expect(render('{"n":"東京","c":0}', 'c', 80)).toEqual(['{"n":"東京","c":0}', '                ^'])
  expect(render('{"n":"👍🏽","c":0}', 'c', 80)).toEqual(['{"n":"👍🏽","c":0}', '              ^'])
  expect(render('{"n":"e\u0301","c":0}', 'c', 80)).toEqual(['{"n":"e\u0301","c":0}', '             ^'])
  expect(render('{"n":"\u0085","c":0}', 'c', 80)).toEqual(['{"n":"\\u{85}","c":0}', '                  ^'])
})

it('an excerpt is never wider than the terminal, and always has a mark', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', minLength: 200, maxLength: 900 }))
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 20, max: 120 }), (before, value, after, width) => {
      const [line, mark] = render(JSON.stringify({ before, value, after }), 'value', width) as [string, string]
      expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(mark).toMatch(/^ *\^+$/)
      expect(mark.length).toBeLessThanOrEqual(Math.max(1, widthOf(line)))
    }),
    { numRuns: cases(300) },
  )
})
