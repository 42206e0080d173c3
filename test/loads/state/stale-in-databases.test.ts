import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ScriptedWarehouse } from './scripted-warehouse.ts'

const timeout = 120_000
let warehouse: ScriptedWarehouse

beforeAll(async () => {
  warehouse = await ScriptedWarehouse.create()
})
afterAll(() => warehouse.close())

const soon = Math.floor(Date.now() / 1000) + 86_400

describe('databases that hold a load whose manifest was never published', () => {
  test(
    'databases whose manifest was lost remember what was rejected: it is asked for by id, though it is put right unseen',
    { timeout },
    async () => {
      await startWithLostManifest('contract')
      const { state } = await run()
      expect(state.kind).toBe('delta')
      expect(warehouse.service.filters.at(-1)).toEqual({ id: ['A'] })
      await expectName('second')
    },
  )

  test('databases whose manifest was lost remember that everything has to be read', { timeout }, async () => {
    await startWithLostManifest('json')
    expect((await run()).state.kind).toBe('full')
    await expectName('second')
  })
})

test('databases of an older version get the column that remembers stale records', { timeout }, async () => {
  warehouse.begin()
  warehouse.service.records = [{ id: 'A', updatedAt: 100 }]
  await run()
  for (const column of ['stale', 'table_rows']) await warehouse.change(`ALTER TABLE runs DROP COLUMN ${column}`)
  warehouse.service.records = [{ id: 'A', name: 'second', updatedAt: soon }]
  expect((await run()).state.kind).toBe('delta')
  await warehouse.change('SELECT stale FROM runs')
  await expectName('second')
})

/** Leaves databases with a load that rejected a record, a manifest from before it, and the record put right since. */
async function startWithLostManifest(broken: 'contract' | 'json'): Promise<void> {
  warehouse.begin()
  warehouse.service.records = [{ id: 'A', name: 'first', updatedAt: 100 }]
  await run()
  const manifest = await readFile(warehouse.manifestPath)
  warehouse.service.records = [{ id: 'A', updatedAt: soon, broken }]
  await run()
  await writeFile(warehouse.manifestPath, manifest)
  warehouse.service.records = [{ id: 'A', name: 'second', updatedAt: 100 }]
}

async function expectName(name: string): Promise<void> {
  const rows = Object.values(await warehouse.databaseRows())
  expect(rows.map((ofDatabase) => ofDatabase.map((row) => row[2]))).toEqual(rows.map(() => [name]))
}

function run() {
  return warehouse.run({ outputs: warehouse.outputs().slice(1) })
}
