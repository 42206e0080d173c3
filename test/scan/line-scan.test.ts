import { describe, expect, test } from 'vitest'
import { contractNames } from '../../src/contracts/contracts.ts'
import type { RecordPlan } from '../../src/records/process-block.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases } from '../depth.ts'
import { compareLines } from './compare-line.ts'
import { createDraw, mutateLine } from './mutate-line.ts'
import { defaultPlan, scanPlans } from './scan-plans.ts'

describe('what a scan of one line is sure of is what parsing, validation and flattening give', () => {
  test.each(contractNames)('for generated lines of %s, all of which it is sure of', (contract) => {
    const compare = compareLines(defaultPlan(contract))
    const lines = generate(contract, cases(30, 10))
    expect(lines.map(compare)).toEqual(lines.map(() => 'rows'))
  })

  test.each(contractNames)('for damaged lines of %s', (contract) => {
    const compare = compareLines(defaultPlan(contract))
    const found = new Set(damage(generate(contract, 6), cases(60)).map(compare))
    expect(found).toContain('nothing')
  })

  test.each(scanPlans)('for $name', ({ plan, contract }) => {
    const compare = compareLines(plan)
    const lines = generate(contract, 10)
    expect(new Set(lines.map(compare))).toEqual(new Set(['rows']))
    const found = damage(lines, cases(150, 40)).map(compare)
    expect(found).toContain('nothing')
    expect(found).toContain('rows')
  })

  test.each([
    ['a number beyond 2^53', '{"id":1,"other":12345678901234567}'],
    ['a number that no float holds', '{"id":1,"other":1e400}'],
    ['a line break', '{"id":1}\n{"id":2}'],
    ['a line break as white space', '{"id":1,\n"name":null}'],
    ['half a character', '{"id":1,"name":"\\ud800"}'],
    ['a key that comes again', '{"id":1,"name":{"nl":"a"},"name":{"nl":"a"}}'],
    ['a key that comes again, in what no contract knows', '{"id":1,"other":[{"a":{"b":1,"c":{},"b":1}}]}'],
    ['a key of no letters that comes again', '{"id":1,"other":{"":1,"":2}}'],
    ['an escape in a key', String.raw`{"id":1,"other":{"\u0061":1}}`],
    ['an error', '{"error":{"code":"x"}}'],
    ['no record', '{"result":null}'],
    ['no id', '{"name":null}'],
    ['no JSON', '{"id":1'],
    ['nothing', ''],
    ['deep nesting', `{"id":1,"other":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('and of %s it is not sure', (_what, line) => {
    expect(compareLines(defaultPlan('v4/product'))(Buffer.from(line))).toBe('nothing')
  })

  test('also where a line takes more room than those before it', () => {
    const compare = compareLines(scanPlans[0]!.plan)
    const photos = Array.from({ length: 15_000 }, () => ({ locales: ['nl', 'fr'] }))
    const lines: object[] = [{ id: 'M1' }, { id: 'M2', name: '\u0007'.repeat(50_000), photos }, { id: 'M3' }]
    expect(lines.map((line) => compare(Buffer.from(JSON.stringify(line))))).toEqual(['rows', 'rows', 'rows'])
  })
})

/** Without their line breaks, in envelopes and bare. */
function generate(contract: RecordPlan['contract'], records: number): readonly Buffer[] {
  const key = `${records} of ${contract}`
  const made = generated.get(key)
  if (made !== undefined) return made
  const chunks = [true, false].flatMap((envelope) => [...generateLines({ contract, records, seed: 3, envelope })])
  const texts = Buffer.concat(chunks).toString().split('\n').slice(0, -1)
  const lines = texts.map((line) => Buffer.from(line))
  generated.set(key, lines)
  return lines
}

/** Most plans are of few contracts. */
const generated = new Map<string, readonly Buffer[]>()

function damage(lines: readonly Buffer[], count: number): Buffer[] {
  const draw = createDraw(7)
  return Array.from({ length: count }, () => mutateLine(lines[draw(lines.length)]!, draw))
}
