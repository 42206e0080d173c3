import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { findSyntaxFault } from '../../src/records/json/find-syntax-fault.ts'
import { cases } from '../depth.ts'

it.each([
  ['{"a":1', 6],
  ['{"a":1}}', 7],
  ['{"a":1,}', 7],
  ['{"a":01}', 6],
  ['{"a":tru}', 8],
  ['{"a":"x\ty"}', 7],
  ['{"a":"\\q"}', 6],
  ['{"a":"\\u12g4"}', 6],
  ['{"a":1.}', 7],
  ['{"a":-}', 6],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['\ufeff{}', 0],
  ['', 0],
])('finds the fault in %j', (text, fault) => {
  expect(findSyntaxFault(text)).toBe(fault)
})

it('finds no fault in JSON, and the end of JSON that was cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const start = JSON.stringify([json]).slice(0, at % (json.length + 1))
      const cutEscape = /\\(?:u[\da-f]{0,3})?$/.test(start)
      expect(findSyntaxFault(json)).toBe(json.length)
      expect(cutEscape || findSyntaxFault(start) === start.length).toBe(true)
    }),
    { numRuns: cases(1000) },
  )
})

it('agrees with JSON.parse on what is wrong', () => {
  const signs = fc.constantFrom(...Array.from('{}[]:,"\\ -+.01eEtrufalsn\t'), '"a"', '"b":', 'true', 'null')
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      expect(findSyntaxFault(text) < text.length && isJson(text)).toBe(false)
    }),
    { numRuns: cases(10_000) },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
