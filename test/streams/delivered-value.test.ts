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

const contract = contracts['v4/product']
const line = '{"meta":{"total":1,"index":0},"result":{"id":7,"cnk":12,"name":"n","other":12345678901234567890}}\n'
const asDelivered = { id: 7, cnk: 12, name: 'n', other: 12345678901234567890n }
const canonical = { id: '7', cnk: '0000012', name: { '*': 'n' }, other: 12345678901234567890n }

describe('what was delivered', () => {
  test('is there after the record was made of it, each of its own', async () => {
    const [item] = await collect<ValidatedRecord>(
      toChunks(line),
      splitLines(),
      parseRecords(),
      validateRecords(contract),
    )
    expect(item?.record).toEqual(canonical)
    expect(item?.delivered).toEqual(asDelivered)
    expect(item?.delivered).toBe(item?.delivered)
    expect({ ...item }).toMatchObject({ record: canonical, delivered: asDelivered, line: 1, contract })
  })

  test('stays with whoever has looked at it before', async () => {
    const seen: unknown[] = []
    const look = createStage((item) => {
      seen.push(item.delivered)
      return item
    })
    const [item] = await validate(look)
    expect(item?.record).toEqual(canonical)
    expect(seen).toEqual([asDelivered])
    expect(item?.delivered).toBe(seen[0])
  })

  test('may be looked at later through the item of the stage before', async () => {
    const items: DeliveredRecord[] = []
    const keep = createStage((item) => {
      items.push(item)
      return item
    })
    const [item] = await validate(keep)
    expect(items[0]?.delivered).toEqual(asDelivered)
    expect(item?.record).toEqual(canonical)
  })

  test.each([
    ['in a copy', (item: DeliveredRecord) => ({ ...item, delivered: { id: 8 } })],
    ['in its place', (item: DeliveredRecord) => Object.assign(item, { delivered: { id: 8 } })],
    ['in the record itself', (item: DeliveredRecord) => (Object.assign(item.delivered as object, { id: 8 }), item)],
  ])('can be replaced before it is validated: %s', async (_where, replace) => {
    const [item] = await validate(createStage(replace))
    expect(item?.record).toMatchObject({ id: '8' })
    expect(item?.delivered).toMatchObject({ id: 8 })
  })

  test('becomes a column, whatever was done to the record', async () => {
    const rename = new Transform({
      objectMode: true,
      transform(item: ValidatedRecord, _encoding, done) {
        Object.assign(item.record as object, { id: 'other' })
        done(null, item)
      },
    })
    const columns = ['id', { column: 'raw', from: '$', as: 'json' }] as const
    const rows = flattenRecords({ table: 'products', columns: [...columns] })
    const [row] = await collect<TableRow>(
      toChunks(line),
      splitLines(),
      parseRecords(),
      validateRecords(contract),
      rename,
      rows,
    )
    expect(row?.['id']).toBe('other')
    expect(String(row?.['raw'])).toBe('{"id":7,"cnk":12,"name":"n","other":12345678901234567890}')
  })
})

function validate(stage: Transform): Promise<ValidatedRecord<typeof contract>[]> {
  return collect(toChunks(line), splitLines(), parseRecords(), stage, validateRecords(contract))
}

function createStage(change: (item: DeliveredRecord) => DeliveredRecord): Transform {
  return new Transform({
    objectMode: true,
    transform: (item: DeliveredRecord, _encoding, done) => done(null, change(item)),
  })
}
