import { Readable, Transform } from 'node:stream'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  contracts,
  flattenRecords,
  parseRecords,
  splitLines,
  validateRecords,
  type TableRow,
  type ValidatedRecord,
} from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'

type Item = ValidatedRecord<(typeof contracts)['v4/product']>

const contract = contracts['v4/product']
const line = '{"meta":{"total":1,"index":0},"result":{"id":7,"cnk":12,"status":"active","name":{"nl":"n"}}}\n'
const canonical = { id: '7', cnk: '0000012', status: 'active', name: { nl: 'n' } }

const changedRecord = ({ record }: Item): Item['record'] => ({ ...record, status: 'changed' })

describe('the record of a line that nobody had to parse', () => {
  test('is made for whoever looks at it, once', async () => {
    const [item] = await collect<Item>(toChunks(line), splitLines(), parseRecords(), validateRecords(contract))
    expect(item?.record).toEqual(canonical)
    expect(item?.record).toBe(item?.record)
    expect(item?.delivered).toEqual({ id: 7, cnk: 12, status: 'active', name: { nl: 'n' } })
    expect(Object.keys(item!)).toEqual(['record', 'line', 'index', 'total', 'rawLine', 'contract', 'delivered'])
    expect(structuredClone(item!.record)).toEqual(canonical)
  })

  test('is shown by whatever prints or copies the item', async () => {
    const [item] = await collect<Item>(toChunks(line), splitLines(), parseRecords(), validateRecords(contract))
    expect(inspect(item)).toContain("cnk: '0000012'")
    expect(JSON.stringify(item)).toContain('"cnk":"0000012"')
    expect({ ...item }).toMatchObject({ record: canonical, line: 1, index: 0, total: 1 })
    const [parsed] = await collect<object>(toChunks(line), splitLines(), parseRecords())
    expect(inspect(parsed)).toContain('cnk: 12')
    expect(Object.getOwnPropertyDescriptor({ ...parsed }, 'text')?.value).toBe(line.trimEnd())
  })

  test.each([
    ['in the record itself', (item: Item) => (Object.assign(item.record, { status: 'changed' }), item)],
    ['deep in the record', (item: Item) => (Object.assign(item.record.name!, { nl: 'changed' }), item)],
    ['in its place', (item: Item) => Object.assign(item, { record: { ...item.record, status: 'changed' } })],
    ['in a copy', (item: Item) => ({ ...item, record: { ...item.record, cnk: 'changed' } })],
    ['by a property of its own', (item: Item) => Object.defineProperty(item, 'record', { value: changedRecord(item) })],
    ['in a child', (item: Item) => Object.assign(Object.create(item) as Item, { record: changedRecord(item) })],
    [
      'in a proxy',
      (item: Item) =>
        new Proxy(item, {
          get: (target, name, receiver) =>
            name === 'record' ? changedRecord(target) : (Reflect.get(target, name, receiver) as unknown),
        }),
    ],
  ])('may be changed before it is flattened: %s', async (_where, change) => {
    expect(Object.values((await flatten(change))!)).toContain('changed')
  })

  test('is flattened as it is when somebody has only looked at it', async () => {
    const untouched = await flatten((item) => item)
    expect(untouched).toMatchObject({ id: '7', cnk: '0000012', status: 'active', name_nl: 'n' })
    expect(await flatten((item) => (void item.record.status, item))).toEqual(untouched)
    expect(await flatten((item) => (void item.delivered, item))).toEqual(untouched)
  })

  test('gives the column of what was delivered as somebody has left that', async () => {
    const columns = [{ column: 'raw', from: '$', as: 'json' }] as const
    expect(String((await flatten((item) => item, [...columns]))?.['raw'])).toBe(
      '{"id":7,"cnk":12,"status":"active","name":{"nl":"n"}}',
    )
    expect(
      String((await flatten((item) => Object.assign(item, { delivered: { id: 8 } }), [...columns]))?.['raw']),
    ).toBe('{"id":8}')
  })

  test('is the same for however many records somebody looks at', async () => {
    const lines = Array.from({ length: 400 }, (_, id) => `{"id":${id + 1},"new":${id},"name":{"nl":"n"}}\n`).join('')
    const counted: unknown[] = []
    const options = { onDrift: (drift: unknown) => void counted.push(drift) }
    const look = new Transform({
      objectMode: true,
      transform: (item: Item, _encoding, done) => done(null, { ...item, seen: item.record.id }),
    })
    const stages = [splitLines(), parseRecords(), validateRecords(contract, options), look]
    const items = await collect<Item & { readonly seen: string }>(toChunks(lines), ...stages)
    expect(items.map(({ seen }) => seen)).toEqual(Array.from({ length: 400 }, (_, id) => String(id + 1)))
    expect(items.at(-1)).toMatchObject({
      record: { id: '400', new: 399, name: { nl: 'n' } },
      delivered: { id: 400, new: 399, name: { nl: 'n' } },
    })
    expect(counted).toMatchObject([{ unknownFields: { new: 400 } }])
  })

  test('may come from several sources, one after the other', async () => {
    const items = await Promise.all(
      ['1', '2'].map((id) => collect<object>(toChunks(line.replace('7', id)), splitLines(), parseRecords())),
    )
    const stages = [validateRecords(contract), flattenRecords({ table: 'products', columns: ['id'] })]
    const input = Readable.from(items.flat())
    expect(await collect<TableRow>(input, ...stages)).toEqual([{ id: '1' }, { id: '2' }])
  })

  test('and that of a line with drift is counted once', async () => {
    const counted: unknown[] = []
    const options = { onDrift: (drift: unknown) => void counted.push(drift), locales: ['fr'] }
    const stages = [splitLines(), parseRecords(), validateRecords(contract, options)]
    const [item] = await collect<Item>(toChunks(line.replace('"cnk"', '"new":1,"cnk"')), ...stages)
    expect(item?.record).toMatchObject({ new: 1 })
    expect(counted).toMatchObject([{ unknownFields: { new: 1 }, otherLocales: { nl: 1 } }])
  })
})

async function flatten(
  change: (item: Item) => object,
  columns?: Parameters<typeof flattenRecords>[0]['columns'],
): Promise<TableRow | undefined> {
  const stage = new Transform({
    objectMode: true,
    transform: (item: Item, _encoding, done) => done(null, change(item)),
  })
  const rows = flattenRecords({ table: 'products', ...(columns === undefined ? {} : { columns }) })
  const stages = [splitLines(), parseRecords(), validateRecords(contract), stage, rows]
  const [row] = await collect<TableRow>(toChunks(line), ...stages)
  return row
}
