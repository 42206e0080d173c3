import { expect, test } from 'vitest'
import { type Contract } from '../../../src/contracts/contracts.ts'
import { extendContract } from '../../../src/contracts/extended/extend-contract.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { emptyDrift } from '../../../src/records/drift.ts'
import { mayLoseDigits } from '../../../src/types/json-text.ts'
import { parseText } from '../../../src/records/parse-line.ts'
import type { RecordPlan } from '../../../src/records/process-block.ts'
import { toRecordTable } from '../../../src/records/record-table.ts'
import { compileValidation } from '../../../src/records/validate/validate-record.ts'
import { createRecordWriter } from '../../../src/sandbox/data/record-writer.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { cases } from '../../depth.ts'
import { planRecords } from '../../records/plan-records.ts'
import { compareScan } from './compare-scan.ts'
import { createDraw, mutateLine } from './mutate-line.ts'

const extra = {
  artgId: 'text',
  pzn: 'code',
  shelfLife: 'integer',
  rating: 'float',
  pbs: 'boolean',
  recalledAt: 'timestamp',
  slogan: 'localized',
  'names[]': 'text',
  'cip13[]': 'code',
  'meta.touchedAt': 'timestamp',
  'photos[].credits.name': 'text',
  'photos[].credits.links[].url': 'text',
  'productFamilies[].id': 'integer',
  'productFamilies[].name': 'localized',
  'productFamilies[].members[].code': 'code',
  'weightWithUnit.tare': 'float',
  'photos[].organizations[].vat': 'text',
} as const

const contract: Contract = extendContract('v4/product', extra)
const lines = generate(contract, cases(40, 15))

test('the fast path gives what the reference path gives for fields beyond the contract, without fallback lines', () => {
  const compare = compareScan(planRecords({ contract: { extra } }), 100_000)
  expect(compare(Buffer.concat(lines))).toEqual({ lines: lines.length, fallbackLines: 0 })
})

test.each<Partial<PipelineConfig>>([
  {},
  { contract: { unknownFields: 'reject' } },
  { contract: { unknownFields: 'ignore' }, locales: ['fr'] },
  {
    where: { pzn: { not: '7' }, 'productFamilies[].id': { not: [1] }, shelfLife: { from: 3 }, pbs: true },
    tables: {
      products: {
        columns: [
          'id',
          'pzn',
          { column: 'line', from: 'slogan', locale: 'nl', fallback: 'spec' },
          { column: 'life', from: 'shelfLife', as: 'text' },
          { column: 'recall_day', from: 'recalledAt', as: 'date', timezone: 'Europe/Brussels' },
          { column: 'families', from: 'productFamilies', as: 'json' },
          { column: 'credit', from: 'photos[].credits.name', locale: 'nl', fallback: 'spec' },
          { column: 'first_link', from: 'photos[0].credits.links[0].url' },
        ],
      },
      links: { each: 'photos[].credits.links[]', columns: 'all', where: { url: { not: null } } },
      codes: { each: 'cip13[]', columns: [{ column: 'code', from: '$' }] },
    },
  },
])(
  'the fast path gives what the reference path gives for damaged lines with fields beyond the contract: %j',
  (config) => {
    const compare = compareScan(withRecords(planRecords({ ...config, contract: { ...config.contract, extra } })))
    const draw = createDraw(7)
    for (let round = 0; round < cases(20, 2); round++) {
      const damaged = lines.map((line) => Buffer.concat([mutateLine(line.subarray(0, -1), draw), Buffer.from('\n')]))
      expect(compare(Buffer.concat(damaged)).lines).toBeGreaterThan(0)
    }
  },
)

test('only lines with a value of type json fall back to the reference path', () => {
  const compare = compareScan(planRecords({ contract: { extra: { gs1: 'json', 'photos[].tags[]': 'json' } } }))
  const texts = [
    '{"id":"A"}',
    '{"id":"B","gs1":{"b":[1,{"a":null}],"a":"x"}}',
    '{"id":"C","gs1":12345678901234567890.5}',
    '{"id":"D","gs1":null,"photos":[{"tags":[1,"a",null,{"b":[]}]},{"tags":"one"}]}',
  ]
  const { lines: all, fallbackLines } = compare(texts.map((text) => `${text}\n`).join(''))
  expect(all).toBe(4)
  expect(fallbackLines).toBeGreaterThanOrEqual(2)
  expect(compare('{"id":"A"}\n')).toEqual({ lines: 1, fallbackLines: 0 })
})

test('the fast check accepts what zod accepts of fields beyond the contract, in the same form', () => {
  const validate = compileValidation(
    extendContract('v4/product', { ...extra, gs1: 'json' }),
    { unknownFields: 'report', unknownValues: 'report', invalidValues: 'reject' },
    ['nl', 'fr'],
  )
  const draw = createDraw(3)
  let accepted = 0
  for (let round = 0; round < cases(120, 60); round++) {
    const text = mutateLine((lines[draw(lines.length)] ?? Buffer.of()).subarray(0, -1), draw).toString()
    const [first, second] = [parseText(text, true), parseText(text, true)]
    if (first.kind !== 'record' || second.kind !== 'record' || mayLoseDigits(text)) continue
    const fast = validate(first.delivered, emptyDrift(), true)
    const exact = validate(second.delivered, emptyDrift(), false)
    expect(fast.record).toStrictEqual(exact.record)
    expect(fast.issues).toEqual(exact.issues)
    if (fast.isChanged) accepted++
  }
  expect(accepted).toBeGreaterThan(0)
})

test('a plan with an empty list of extra fields has the same program as one without', () => {
  const [plain, empty] = [{}, { contract: { extra: {} } }].map((config) => compileScan(planRecords(config)))
  expect(empty).toEqual(plain)
})

/** Adds the table of records of a load, which has content hashes. */
function withRecords(plan: RecordPlan): RecordPlan {
  const records = toRecordTable(contract, 'meta.updatedAt')
  return { ...plan, tables: [...plan.tables, records], tombstones: { table: plan.tables.length, kinds: ['filtered'] } }
}

function generate(of: Contract, records: number): readonly Buffer[] {
  const write = createRecordWriter(of, { seed: 5 })
  return Array.from({ length: records }, (_, index) => Buffer.from(`${write(index)}\n`))
}
