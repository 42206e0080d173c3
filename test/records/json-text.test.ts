import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mayLoseDigits, parseExactly } from '../../src/types/json-text.ts'
import { cases } from '../depth.ts'

const number = fc.stringMatching(/^-?(0|1[0-9]{0,40})([.][0-9]{1,30})?([eE][+-]?[0-9]{1,4})?$/)
const holder = fc.constantFrom('#', ' #', '{"a":#}', '{"a": #, "b":1}', '[1,#]', '["a,",\t#\n]', '[[#]]')

describe('mayLoseDigits', () => {
  test('mayLoseDigits is true for every text with a number that JSON.parse rounds', () => {
    fc.assert(
      fc.property(holder, number, fc.nat({ max: 40 }), (text, written, before) => {
        const json = `${' '.repeat(before)}${text.replace('#', written)}`
        expect(mayLoseDigits(json) || isDeepStrictEqual(parseExactly(json), JSON.parse(json))).toBe(true)
      }),
      { numRuns: cases(2000) },
    )
  })

  test('mayLoseDigits is false for digits in words and for long numbers that a float holds', () => {
    expect(mayLoseDigits('{"a":"https://example.com/1234567890123456789/3e4567","b":0.30000000000000004}')).toBe(false)
    expect(mayLoseDigits('{"a":"f00d1e999","b":123456789012345,"c":1.000000000000000000,"d":12e34}')).toBe(false)
    expect(mayLoseDigits('{"a":0.12345678901234567890}')).toBe(true)
    expect(mayLoseDigits('{"a":1234567.1234567891}')).toBe(true)
    expect(mayLoseDigits('{"a":1e-400}')).toBe(true)
    expect(mayLoseDigits('{"a":12345678901234567}')).toBe(true)
    expect(mayLoseDigits('[0,-1.5E+400]')).toBe(true)
  })
})
