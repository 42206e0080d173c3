import { Transform } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  contracts,
  flattenRecords,
  parseRecords,
  splitLines,
  validateRecords,
  type DeliveredRecord,
  type TableRow,
  type ValidatedRecord,
} from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'

type Item = ValidatedRecord<(typeof contracts)['v4/product']>

const contract = contracts['v4/product']
const result = '{"id":7,"cnk":12,"status":"active","name":{"nl":"n"},"other":12345678901234567890}'
const line = `{"meta":{"total":1,"index":0},"result":${result}}\n`
const canonical = { id: '7', cnk: '0000012', status: 'active', name: { nl: 'n' }, other: 12345678901234567890n }

describe('items of the stages', () => {
  test('an item of validateRecords is an ordinary object with the record and the text of its line', async () => {
    const [item] = await collect<Item>(toChunks(line), splitLines(), parseRecords(), validateRecords(contract))
    expect({ ...item }).toMatchObject({
      record: canonical,
      text: line.trimEnd(),
      line: 1,
      index: 0,
      total: 1,
      contract,
    })
  })

  test.each([
    ['in a copy', (item: DeliveredRecord) => ({ ...item, delivered: { id: 8 } })],
    ['in its place', (item: DeliveredRecord) => Object.assign(item, { delivered: { id: 8 } })],
    ['in the record itself', (item: DeliveredRecord) => (Object.assign(item.delivered as object, { id: 8 }), item)],
  ])('an item may have its delivered record replaced before validateRecords: %s', async (_where, replace) => {
    const [item] = await collect<Item>(
      toChunks(line),
      splitLines(),
      parseRecords(),
      createStep(replace),
      validateRecords(contract),
    )
    expect(item?.record).toMatchObject({ id: '8' })
  })

  test('validateRecords does not change the delivered record of an item that another step made', async () => {
    const delivered = { id: 8, cnk: 12 }
    const replace = createStep(({ kind, text, ...place }: DeliveredRecord) => ({
      kind,
      text,
      ...place,
      numbers: undefined,
      delivered,
    }))
    const [item] = await collect<Item>(toChunks(line), splitLines(), parseRecords(), replace, validateRecords(contract))
    expect(item?.record).toEqual({ id: '8', cnk: '0000012' })
    expect(delivered).toEqual({ id: 8, cnk: 12 })
  })

  test.each([
    ['in the record itself', (item: Item) => (Object.assign(item.record, { status: 'changed' }), item)],
    ['deep in the record', (item: Item) => (Object.assign(item.record.name!, { nl: 'changed' }), item)],
    ['in its place', (item: Item) => Object.assign(item, { record: { ...item.record, status: 'changed' } })],
    ['in a copy', (item: Item) => ({ ...item, record: { ...item.record, cnk: 'changed' } })],
  ])('an item may have its record changed before flattenRecords: %s', async (_where, change) => {
    const row = await flatten(change)
    expect(Object.values(row!)).toContain('changed')
  })

  test('the column of the delivered record has the text of the line, even if the record was changed', async () => {
    const columns = ['id', { column: 'raw', from: '$', as: 'json' }] as const
    const row = await flatten((item) => (Object.assign(item.record as object, { id: 'other' }), item), [...columns])
    expect(row?.['id']).toBe('other')
    expect(String(row?.['raw'])).toBe(result)
  })
})

function createStep(change: (item: DeliveredRecord & Item) => object): Transform {
  return new Transform({
    objectMode: true,
    transform: (item: DeliveredRecord & Item, _encoding, done) => done(null, change(item)),
  })
}

async function flatten(
  change: (item: Item) => object,
  columns?: Parameters<typeof flattenRecords>[0]['columns'],
): Promise<TableRow | undefined> {
  const rows = flattenRecords({ table: 'products', columns })
  const stages = [splitLines(), parseRecords(), validateRecords(contract), createStep(change), rows]
  const [row] = await collect<TableRow>(toChunks(line), ...stages)
  return row
}
