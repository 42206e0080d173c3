import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWide } from '../../src/records/json/parse-wide.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { createDraw, mutateLine } from '../kernel/scan/mutate-line.ts'
import { cases } from '../depth.ts'

const long = 'x'.repeat(5000)

describe('parseWide', () => {
  test('parseWide gives what JSON.parse gives, also for damaged long lines', () => {
    const lines = [true, false].flatMap((envelope) => {
      const chunks = [...generateLines({ contract: 'v4/product', records: 20, seed: 3, envelope })]
      return Buffer.concat(chunks).toString().trimEnd().split('\n')
    })
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), fc.nat({ max: 2 }), (line, seed, mutations) => {
        let bytes: Buffer = Buffer.from(line)
        const draw = createDraw(seed)
        for (let times = 0; times < mutations && hasMembers.test(outcome(JSON.parse, bytes).json ?? ''); times++)
          bytes = mutateLine(bytes, draw)
        expect(outcome(parseWide, bytes)).toEqual(outcome(JSON.parse, bytes))
      }),
      { numRuns: cases(400) },
    )
  })

  test.each([
    `{"":1,"a":"${long}"}`,
    `{"\u007f":1,"a":"${long}"}`,
    `{"\\u007f":1,"a":"${long}"}`,
    `{"\\u007F":1,"a":"${long}","\u007f":2}`,
    `{"a":"${long}","" : 1}`,
    `{"a":"${long}","":{"":2}}`,
    `{"meta":{"total":1,"index":0},"result":{"a":"${long}","\\u0061":2}}`,
    `{"meta":{"total":1,"index":0},"result":{"a":"${long}"},"result":5}`,
    `{"meta":{"total":1,"index":0},"result":{"a":"${long}"},"result":{"b":1}}`,
    `{"meta":{},"result":{"result":{"b":"${long}"}}}`,
    `{"meta":{"a":"\\"},\\"result\\":{"},"result":{"b":"${long}"}}`,
    `{"meta":{"total":1},"result":{}, "c":"${long}"}`,
    `{"c":"${long}","result":{"d":1}}`,
    `{"c":"${long}"`,
    `{"1":2,"c":"${long}","__proto__":3}`,
    `["${long}"]`,
    `"${long}"`,
  ])('parseWide takes nothing away and adds nothing: %#', (text) => {
    expect(outcome(parseWide, text)).toEqual(outcome(JSON.parse, text))
  })
})

/** With the order of the members, or the message. */
function outcome(parse: (text: string) => unknown, text: Buffer | string) {
  try {
    return { json: JSON.stringify(parse(text.toString())), message: null }
  } catch (error) {
    return { json: null, message: (error as Error).message }
  }
}

const hasMembers = /^[{[][^}\]]/
