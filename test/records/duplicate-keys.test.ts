import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contracts, type ContractName } from '../../src/contracts/contracts.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import type { RecordPlan } from '../../src/records/process-block.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases, someOf } from '../depth.ts'
import { compareScan } from '../kernel/scan/compare-scan.ts'
import { createDraw, repeatKeys } from '../kernel/scan/mutate-line.ts'
import { defaultPlan, loadPlan } from '../kernel/scan/scan-plans.ts'
import { toExpectedRepeats } from './expected-repeats.ts'
import { planRecords, processAll } from './plan-records.ts'

const plan = planRecords({ locales: ['nl', 'fr'], tables: { products: { columns: ['id', 'cnk', 'name'] } } })

describe('a key that its object has twice', () => {
  test.each([
    ['a field', '"cnk":"1","cnk":"2"', { cnk: 1 }],
    ['a field three times', '"cnk":"1","cnk":"1","cnk":"2"', { cnk: 2 }],
    ['the id', '"id":"B"', { id: 1 }],
    ['a locale', '"name":{"nl":"a","fr":"b","nl":"c"}', { 'name.nl': 1 }],
    ['a locale without columns', '"name":{"de":null,"de":"c"}', { 'name.de': 1 }],
    ['a field of an element', '"photos":[{},{"formats":{"large":"a","large":"b"}}]', { 'photos[].formats.large': 1 }],
    ['a field that the contract does not list', '"new":1,"new":2', { new: 1 }],
    ['another spelling of it', String.raw`"name":{"nl":"a"},"n\u0061me":{"nl":"b"}`, { name: 1 }],
    ['keys inside of a field that the contract does not list', '"new":{"a":1,"a":2}', {}],
    ['text that looks like a key', String.raw`"cnk":"\"cnk\":1","name":{"nl":":","fr":"\":\""}`, {}],
    ['white space before the colon', '"cnk" : "1" , "cnk"\t: "2"', { cnk: 1 }],
    ['a number of many digits beside', '"publicPrice":9007199254740993,"cnk":"1","cnk":"2"', { cnk: 1 }],
    ['the same value', '"cnk":9007199254740993,"cnk":9007199254740993', { cnk: 1 }],
    [
      'in a value that does not count',
      '"meta":{"createdAt":1,"createdAt":2},"meta":{}',
      { 'meta.createdAt': 1, meta: 1 },
    ],
    ['deep nesting beside', `"new":${'['.repeat(5000)}${']'.repeat(5000)},"cnk":"1","cnk":"2"`, { cnk: 1 }],
    ['__proto__', '"__proto__":1,"__proto__":2', { ['__proto__']: 1 }],
  ])(
    'a key that its object has twice is counted by path, with the engine and without, bare and in an envelope: %s',
    (_what, members, expected) => {
      const record = `{"id":"A",${members}}`
      for (const line of [record, `{"meta":{"total":1,"index":0},"result":${record}}`]) {
        const { counts, drift } = processOne(plan, line)
        expect(counts.accepted).toBe(1)
        expect(new Map(Object.entries(drift.duplicateKeys))).toEqual(new Map(Object.entries(expected)))
        for (const each of [plan, defaultPlan('v4/product'), loadPlan('v4/product', 'filtered')]) {
          expect(compareScan(each)(`${line}\n${line}\n`).lines).toBe(2)
        }
      }
    },
  )

  test('a key that its object has twice has its last value', () => {
    const { rows } = processOne(plan, '{"id":"A","cnk":"0000001","id":"B","cnk":"0000002","name":{"nl":"a","nl":null}}')
    expect(rows[0]).toEqual([['B', '0000002', null, null]])
  })

  test('a key that its object has twice is not counted where unknown fields are ignored and it is one of them', () => {
    const ignoring = planRecords({ contract: { unknownFields: 'ignore' }, tables: { products: { columns: ['id'] } } })
    const line = '{"id":"A","new":1,"new":2,"cnk":"1","cnk":"2"}'
    expect({ ...processOne(ignoring, line).drift.duplicateKeys }).toEqual({ cnk: 1 })
    expect(compareScan(ignoring)(`${line}\n`).lines).toBe(1)
  })

  test('a key that its object has twice is counted only of records that meet their contract', () => {
    const { counts, drift } = processOne(plan, '{"id":"A","cnk":"1","cnk":{}}')
    expect([counts.rejected, { ...drift.duplicateKeys }]).toEqual([1, {}])
  })

  test.each(someOf<ContractName>(['v4/product', 'v3/product', 'v4/media'], 'v4/product'))(
    'a key that its object has twice is counted as an independent reader of JSON counts it: %s',
    (name) => {
      const lines = Buffer.concat([...generateLines({ contract: name, records: 30, seed: 4 })])
        .toString()
        .trimEnd()
        .split('\n')
      const [process, compare] = [defaultPlan(name), compareScan(defaultPlan(name))]
      let repeats = 0
      fc.assert(
        fc.property(fc.constantFrom(...lines), fc.nat(), (given, seed) => {
          const line = repeatKeys(Buffer.from(given), createDraw(seed)).toString()
          const { counts, drift } = processOne(process, line)
          const expected = counts.accepted === 1 ? toExpectedRepeats(contracts[name], line) : {}
          expect({ ...drift.duplicateKeys }).toEqual(expected)
          expect(compare(`${line}\n`).lines).toBe(1)
          repeats += Object.keys(expected).length
        }),
        { numRuns: cases(250, 25) },
      )
      expect(repeats).toBeGreaterThan(cases(50, 2))
    },
  )
})

describe('a line that repeats a key of its envelope', () => {
  const meta = '"meta":{"total":2,"index":1}'
  test.each([
    ['result', `{${meta},"result":{"id":"A"},"result":{"id":"B"}}`, 1],
    ['result', String.raw`{${meta},"result":{"id":"A"},"r\u0065sult":{"id":"A"}}`, 1],
    ['meta', `{${meta},${meta},"result":{"id":"A"}}`, 'unreadable'],
    ['meta', `{"result":{"id":"A"},"result":{"id":"B"},${meta},${meta}}`, 'unreadable'],
    ['meta.index', '{"meta":{"total":2,"index":1,"index":2},"result":{"id":"A"}}', 'unreadable'],
    ['meta.total', '{"meta":{"total":2,"total":3,"index":1},"result":{"id":"A"}}', 'unreadable'],
  ])(
    'a line that repeats a key of its envelope is rejected, as nothing says which %s counts: %s',
    (_path, line, index) => {
      const { counts, rejects, indexes } = processOne(plan, line)
      expect(counts.rejected).toBe(1)
      expect(rejects[0]?.issues).toMatchObject([{ code: 'repeated_key', path: '' }])
      expect(indexes).toEqual([{ first: index, total: index === 'unreadable' ? null : 2, count: 1 }])
      expect(compareScan(plan)(`${line}\n`)).toEqual({ lines: 1, fallbackLines: 1 })
    },
  )

  test('a line has no key twice where an unknown key of the envelope comes again, or meta of a bare record', () => {
    expect(processOne(plan, `{"new":1,"new":2,${meta},"result":{"id":"A"}}`).counts.accepted).toBe(1)
    const { counts, drift } = processOne(plan, '{"id":"A","meta":{},"meta":{}}')
    expect([counts.accepted, { ...drift.duplicateKeys }]).toEqual([1, { meta: 1 }])
  })
})

function processOne(records: RecordPlan, line: string): BlockOutcome {
  const [outcome] = processAll(records, `${line}\n`)
  return outcome as BlockOutcome
}
