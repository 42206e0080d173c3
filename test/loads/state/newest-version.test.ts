import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import type { ScriptedRecord } from './scripted-service.ts'
import { ScriptedWarehouse, toWarehouseRow, type WarehouseRow } from './scripted-warehouse.ts'

let warehouse: ScriptedWarehouse

beforeAll(async () => {
  warehouse = await ScriptedWarehouse.create()
})
afterAll(() => warehouse.close())

const timeout = 240_000

describe('several versions of a record in one read', () => {
  test(
    'of several versions of a record in one read, the one with the newest cursor is published, of equal cursors the last',
    { timeout },
    async () => {
      warehouse.begin()
      warehouse.service.records = [
        { id: 'A', name: 'newest first', updatedAt: 300 },
        { id: 'A', name: 'older', updatedAt: 200 },
        { id: 'B', name: 'no cursor first', updatedAt: null },
        { id: 'B', name: 'any cursor', updatedAt: 0 },
        { id: 'B', name: 'no cursor last', updatedAt: null },
        { id: 'C', name: 'first of equals', updatedAt: 100 },
        { id: 'C', name: 'last of equals', updatedAt: 100 },
      ]
      const { ledger } = await warehouse.run()
      expect(ledger).toMatchObject({ accepted: 3, duplicate: 4, repeatedIds: 4 })
      const names = { A: 'newest first', B: 'any cursor', C: 'last of equals' }
      for (const rows of Object.values(await warehouse.rows()))
        expect(Object.fromEntries(rows.map(([id, , name]) => [id, name]))).toEqual(names)
    },
  )

  test('a newest version of a record that has left the filter removes it in a delta', { timeout }, async () => {
    warehouse.begin()
    const now = Math.floor(Date.now() / 1000)
    warehouse.service.records = [{ id: 'A', updatedAt: 100 }]
    await warehouse.run()
    warehouse.service.records = [
      { id: 'A', status: 'inactive', updatedAt: now + 3600 },
      { id: 'A', updatedAt: now + 3000 },
    ]
    await warehouse.run()
    for (const rows of Object.values(await warehouse.rows())) expect(rows).toEqual([])
  })

  test('any mix of versions and rejects over several reads leaves what plain maps say', { timeout }, async () => {
    const version: fc.Arbitrary<ScriptedRecord> = fc.record({
      id: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      name: fc.constantFrom('one', 'two', 'three', 'four'),
      updatedAt: fc.constantFrom(null, 100, 200, 300),
      broken: fc.constantFrom(undefined, undefined, undefined, 'contract' as const),
    }) as fc.Arbitrary<ScriptedRecord>
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(version, { maxLength: 12 }), { minLength: 2, maxLength: 3 }),
        async (reads) => {
          warehouse.begin()
          let expected = new Map<string, WarehouseRow>()
          for (const records of reads) {
            warehouse.service.records = records
            await warehouse.run({}, { fullRefresh: true })
            expected = toExpected(records, expected)
            for (const rows of Object.values(await warehouse.rows())) expect(rows).toEqual(sortById(expected))
          }
        },
      ),
      { numRuns: cases(10, 3), endOnFailure: true },
    )
  })
})

/** After a full read: records of which every version was rejected stay as they were. */
function toExpected(records: readonly ScriptedRecord[], before: ReadonlyMap<string, WarehouseRow>) {
  const after = new Map<string, WarehouseRow>()
  for (const { id, broken } of records) {
    const row = before.get(id)
    if (broken !== undefined && row !== undefined) after.set(id, row)
  }
  const newest = new Map<string, ScriptedRecord>()
  for (const record of records) {
    const other = newest.get(record.id)
    const isNewest = other === undefined || (record.updatedAt ?? -1) >= (other.updatedAt ?? -1)
    if (record.broken === undefined && isNewest) newest.set(record.id, record)
  }
  for (const [id, record] of newest) after.set(id, toWarehouseRow(record))
  return after
}

function sortById(rows: ReadonlyMap<string, WarehouseRow>): WarehouseRow[] {
  return [...rows.values()].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
