import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDrift, emptyDrift } from '../../src/records/drift.ts'
import { listTotals, type BlockOutcome, type LineCounts } from '../../src/records/block-outcome.ts'
import { readIdEntries, toIdText } from '../../src/records/id-entries.ts'
import { cases } from '../depth.ts'
import { listIndexes } from './list-indexes.ts'
import { planRecords, processAll } from './plan-records.ts'

const plan = planRecords({
  where: { status: { not: 'inactive' } },
  locales: ['nl'],
  tables: {
    products: { columns: ['id', 'name', { column: 'content', from: 'packageContent', as: 'integer' }, 'ean'] },
    product_photos: { each: 'photos[]', columns: ['displayOrder'], where: { displayOrder: { from: 2 } } },
  },
})

type LineDecision = Exclude<keyof LineCounts, 'lines'>

interface MadeLine {
  readonly text: string
  readonly decision: LineDecision
}

const id = fc.integer({ min: 1, max: 9 }).map((number) => `M${number}`)
const goodRecord = fc.record(
  {
    id,
    status: fc.constantFrom('active', 'replaced', 'sold out', null),
    name: fc.oneof(fc.string({ unit: 'grapheme' }), fc.record({ nl: fc.string(), de: fc.string() })),
    packageContent: fc.constantFrom('', '12', null),
    ean: fc.oneof(fc.integer({ min: 0 }), fc.array(fc.constantFrom('1', null, 2))),
    photos: fc.array(fc.record({ displayOrder: fc.integer({ min: 1, max: 3 }) }), { maxLength: 3 }),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: ['id'] },
)
const wrap = (record: unknown, index: number | null): string =>
  JSON.stringify(index === null ? record : { meta: { index, total: 99 }, result: record })
const place = fc.option(fc.nat({ max: 98 }))
const madeLine: fc.Arbitrary<MadeLine> = fc.oneof(
  fc.tuple(goodRecord, place).map(([record, index]) => ({ text: wrap(record, index), decision: 'accepted' as const })),
  fc.tuple(goodRecord, place).map(([record, index]) => ({
    text: wrap({ ...record, status: 'inactive' }, index),
    decision: 'filtered' as const,
  })),
  fc.constantFrom('', ' ', '\t \t').map((text) => ({ text, decision: 'blank' as const })),
  fc
    .constantFrom(
      'garbage',
      '{"id":',
      '42',
      'null',
      '[]',
      '{}',
      '{"id":"M1","vat":"x"}',
      '{"meta":{"index":1},"result":null}',
      '{"id":"M1","packageContent":"twelve"}',
      '{"id":"M1","name":{"nl":"\\ud800"}}',
      '{"id":"M1"}{"id":"M2"}',
    )
    .map((text) => ({ text, decision: 'rejected' as const })),
)
const madeLines = fc.array(madeLine, { maxLength: 40 })
const lineBreak = fc.constantFrom('\n', '\r\n')
const blockBytes = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 3000 }))

describe('the outcomes of lines', () => {
  test('a line has one outcome: the ledger balances for every mixture, in blocks of any size', () => {
    fc.assert(
      fc.property(madeLines, lineBreak, fc.boolean(), blockBytes, (lines, end, terminated, size) => {
        const outcomes = processAll(plan, join(lines, end, terminated), size)
        const expected = { lines: 0, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 0 }
        for (const { decision } of lines.slice(0, countLines(lines, terminated))) {
          expected.lines++
          expected[decision]++
        }
        const { counts, rows, rejects } = joinOutcomes(outcomes)
        expect(counts).toEqual(expected)
        expect(rows[0]).toHaveLength(expected.accepted)
        expect(rejects).toHaveLength(expected.rejected)
      }),
      { numRuns: cases(200) },
    )
  })

  test('the outcome of lines is the same in blocks of any size, and for CRLF as for LF', () => {
    fc.assert(
      fc.property(madeLines, blockBytes, (lines, size) => {
        const whole = joinOutcomes(processAll(plan, join(lines, '\n', true)))
        const { rejects, ...rest } = joinOutcomes(processAll(plan, join(lines, '\r\n', true), size))
        expect(rest).toEqual(without(whole, 'rejects'))
        expect(rejects.map((reject) => without(reject, 'byteOffset'))).toEqual(
          whole.rejects.map((reject) => without(reject, 'byteOffset')),
        )
      }),
      { numRuns: cases(200) },
    )
  })

  test('the outcome of lines keeps each reject as it came, with its position', () => {
    fc.assert(
      fc.property(madeLines, lineBreak, blockBytes, (lines, end, size) => {
        const input = join(lines, end, true)
        const { rejects } = joinOutcomes(processAll(plan, input, size))
        const expected = lines.flatMap(({ decision, text }, line) => (decision === 'rejected' ? [{ text, line }] : []))
        expect(rejects.map(({ raw, line }) => ({ ...raw, line }))).toEqual(
          expected.map(({ text, line }) => ({ raw: text, line })),
        )
        for (const { byteOffset, raw } of rejects) {
          const found = Buffer.from(input).subarray(byteOffset).toString()
          expect('raw' in raw && found.startsWith(raw.raw)).toBe(true)
        }
      }),
      { numRuns: cases(200) },
    )
  })

  test('the outcome of lines names every line with its index, its total and its id', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(goodRecord, place), { maxLength: 20 }), blockBytes, (records, size) => {
        const input = records.map(([record, index]) => `${wrap(record, index)}\n`).join('')
        const { indexes, ids } = joinOutcomes(processAll(plan, input, size))
        expect(indexes).toEqual(records.map(([, index]) => index))
        expect(ids).toEqual(records.map(([record]) => record.id))
      }),
      { numRuns: cases(100) },
    )
  })
})

test('an error line ends its block: nothing after it has an outcome', () => {
  const input = '{"id":"M1"}\n{"vat":1}\n{"error":{"status":500,"code":"c","message":"m"}}\n{"id":"M2"}\n'
  const [outcome] = processAll(plan, input)
  expect(outcome).toMatchObject({
    counts: { lines: 2, accepted: 1, rejected: 1 },
    streamError: { lineInBlock: 2, error: { status: 500, code: 'c', message: 'm' } },
  })
})

/** Text of the lines; the last one may lack its line break. */
function join(lines: readonly MadeLine[], end: string, terminated: boolean): string {
  const text = lines.map((line) => line.text + end).join('')
  return terminated ? text : text.slice(0, text.length - end.length)
}

/** A last line without text and without a line break is no line. */
function countLines(lines: readonly MadeLine[], terminated: boolean): number {
  return !terminated && lines.at(-1)?.text === '' ? lines.length - 1 : lines.length
}

/** The outcomes of the blocks together, with line numbers over all of them. */
function joinOutcomes(outcomes: readonly BlockOutcome[]) {
  const counts: LineCounts = { lines: 0, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 0 }
  const drift = emptyDrift()
  const rejects = []
  for (const outcome of outcomes) {
    rejects.push(
      ...outcome.rejects.map(({ lineInBlock, ...reject }) => ({ ...reject, line: counts.lines + lineInBlock })),
    )
    for (const decision of Object.keys(counts) as (keyof LineCounts)[]) counts[decision] += outcome.counts[decision]
    addDrift(drift, outcome.drift)
  }
  return {
    counts,
    rejects,
    drift: JSON.parse(JSON.stringify(drift)) as unknown,
    rows: [0, 1].map((table) => outcomes.flatMap(({ rows }) => rows[table] ?? [])),
    filteredElements: outcomes.reduce((sum, outcome) => sum + (outcome.filteredElements[1] ?? 0), 0),
    indexes: outcomes.flatMap((outcome) => listIndexes(outcome.indexes)),
    totals: [...new Set(outcomes.flatMap((outcome) => listTotals(outcome.indexes)))],
    ids: outcomes.flatMap((outcome) => [...readIdEntries(outcome.ids)].map(({ bytes }) => toIdText(bytes))),
  }
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

describe('a record nested 100,000 deep', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const whole = planRecords({ tables: { products: { columns: ['id', { from: '$', as: 'json' }] } } })

  test.each([
    ['in an unknown field that no column holds', plan, `{"id":"M1","future":${deep}}`, null],
    ['in the record as JSON', whole, `{"id":"M1","future":${deep}}`, 'not_convertible'],
    ['beside a number that JSON.parse would round', whole, `{"id":"M1","a":9007199254740993,"b":${deep}}`, 'too_deep'],
    ['in a known field', plan, `{"id":"M1","photos":${deep}}`, 'invalid_type'],
    ['as the record', plan, deep, 'invalid_type'],
    ['and not closed', plan, `{"id":"M1","future":${deep.slice(0, -1)}}`, 'invalid_json'],
  ])('a record nested 100,000 deep has an outcome like any other: %s', (_, records, line, code) => {
    const { counts, rejects } = joinOutcomes(processAll(records, `${line}\n{"id":"M2"}\n`))
    expect(counts).toMatchObject({ lines: 2, accepted: code === null ? 2 : 1, rejected: code === null ? 0 : 1 })
    expect(rejects.map(({ issues }) => issues[0]?.code)).toEqual(code === null ? [] : [code])
  })
})
