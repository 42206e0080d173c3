import { afterEach, expect, test } from 'vitest'
import type { LakeOutputPlan } from '../../src/lake/lake-plan.ts'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import type { Row } from '../../src/records/flatten/column.ts'
import { column } from '../formats/every-type.ts'
import { toRows } from '../loads/databases/load-model.ts'
import { LakeRig, product } from './lake-rig.ts'
import { query, readDelta, selectRows } from './readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

interface Expected {
  readonly mode: LakeOutputPlan['mode']
  readonly names: readonly string[]
  readonly select: string
  readonly rows: readonly (readonly unknown[])[]
}

const current = ['id', 'title', 'updated_at', 'photos', 'price']
const replaced = {
  names: current,
  select: 'id, title, price',
  rows: [
    ['A', 'a', '12.50'],
    ['B', 'b2', '12.50'],
  ],
}

test.each<Expected>([
  { mode: 'merge', ...replaced },
  { mode: 'snapshot', ...replaced },
  {
    mode: 'append',
    names: [...current, 'name', 'run_date', 'run_id'],
    select: 'id, name, title, price',
    rows: [
      ['A', 'a', null, null],
      ['B', 'b', null, null],
      ['B', null, 'b2', '12.50'],
    ],
  },
  {
    mode: 'history',
    names: [...current, 'name', 'valid_from', 'valid_to', 'is_current'],
    select: 'id, title, name, price, is_current',
    rows: [
      // The version that goes on keeps the value of the column that is no more.
      ['A', 'a', 'a', '12.50', true],
      ['B', 'b2', null, '12.50', true],
      ['B', null, 'b', null, false],
    ],
  },
])(
  'a new and a renamed column appear in a table of mode $mode, with what was loaded since',
  async ({ mode, names, select, rows }) => {
    rig = await LakeRig.create(mode)
    await rig.night([product('A', 'a'), product('B', 'b')])
    const [products, photos] = rig.plan.tables as [KeyedTable, KeyedTable]
    const columns = [
      column('id', 'text'),
      column('title', 'text'),
      column('updated_at', 'timestamp'),
      column('photos', 'text', true),
      column('price', { kind: 'decimal', precision: 12, scale: 2 }),
    ]
    const plan: LakeOutputPlan = { ...rig.plan, tables: [{ ...products, columns }, photos] }
    const [loaded = [], ...others] = toRows([product('A', 'a'), product('B', 'b2')])
    const priced = loaded.map((row): Row => [...row, 1250])
    const startedAt = new Date('2026-03-05T00:00:00Z')
    await rig.load(rig.nextLoad({ configHash: 'config-2', runId: 'edited', startedAt }), [priced, ...others], { plan })
    const table = await readDelta(rig.table())
    expect(table.columns).toEqual(names)
    expect(table.version).toBe(1)
    const from = `read_parquet([${table.files.map(({ path }) => `'${path}'`).join(', ')}], union_by_name = true)`
    expect(await query(`SELECT ${select} FROM ${from} ORDER BY ALL NULLS LAST`)).toEqual(rows)
    // The next night has the same config.
    const next = { configHash: 'config-2', runId: 'next', startedAt: new Date('2026-03-06T00:00:00Z') }
    const [again = [], ...rest] = toRows([product('A', 'a3'), product('B', 'b2')])
    const { changes } = await rig.load(rig.nextLoad(next), [again.map((row): Row => [...row, 1250]), ...rest], { plan })
    expect(changes).toMatchObject({ changed: 1, unchanged: 1 })
  },
)

test('a table that the config has for the first time is filled by a full load', async () => {
  rig = await LakeRig.create('merge')
  const [products] = rig.plan.tables as [KeyedTable, KeyedTable]
  const records = [product('A', 'a', ['x', 'y']), product('B')]
  const [rows = [], , state = []] = toRows(records)
  await rig.load(rig.nextLoad(), [rows, state], { plan: { ...rig.plan, tables: [products] } })
  const { details } = await rig.load(rig.nextLoad(), toRows(records))
  expect(details).toMatchObject({ changes: { unchanged: 2 }, rowsWritten: [0, 2] })
  expect(await rig.versions()).toEqual([0, 0, 1])
})

test('columns have descriptions, in the log of the table', async () => {
  rig = await LakeRig.create('merge')
  const meanings = [
    { description: 'One row a product.', columns: { name: 'Its name' } },
    { description: '', columns: {} },
  ]
  await rig.load(rig.nextLoad(), toRows([product('A')]), { plan: { ...rig.plan, meanings } })
  const { commits } = await readDelta(rig.table())
  const metaData = commits[0]?.find((action) => action.metaData)?.metaData
  expect(metaData).toMatchObject({ description: 'One row a product.' })
  const { fields } = JSON.parse(metaData?.schemaString ?? '') as { fields: { name: string; metadata: object }[] }
  expect(fields.find(({ name }) => name === 'name')?.metadata).toEqual({
    comment: 'Its name',
    'catalogue-etl.type': 'text',
  })
})

test('records that an earlier config has marked as removed are gone once the config drops them', async () => {
  rig = await LakeRig.create('merge')
  const plan: LakeOutputPlan = { ...rig.plan, removed: 'mark' }
  await rig.load(rig.nextLoad(), toRows([product('A'), product('B')]), { plan })
  await rig.load(rig.nextLoad({ runId: 'second' }), toRows([product('B')]), { plan })
  await rig.load(rig.nextLoad({ runId: 'third', configHash: 'config-2' }), toRows([product('B')]))
  const { files, columns } = await readDelta(rig.table())
  expect(columns).not.toContain('_removed_at')
  expect(await query(`SELECT id FROM (${selectRows(files)})`)).toEqual([['B']])
})

test.each(['delta', 'iceberg'] as const)(
  'appended files of %s that are written anew keep the values of a column that the config no longer has',
  async (format) => {
    rig = await LakeRig.create('append', null, format)
    const records = [product('A', 'name of A')]
    for (let night = 0; night < 17; night++) {
      await rig.load(rig.nextLoad({ runId: `night-${night}` }), toRows(records))
      records.push(product(`new ${night}`))
    }
    const [products, photos] = rig.plan.tables as [KeyedTable, KeyedTable]
    const columns = products.columns.filter(({ name }) => name !== 'name')
    const plan: LakeOutputPlan = { ...rig.plan, tables: [{ ...products, columns }, photos] }
    const [rows = [], ...others] = toRows(records)
    const cut = rows.map((row) => row.toSpliced(1, 1))
    await rig.load(rig.nextLoad({ runId: 'cut', configHash: 'config-2' }), [cut, ...others], { plan })
    const { files } = await rig.read()
    expect(files).toHaveLength(1)
    const named = await query(
      `SELECT id, name FROM (${selectRows(files)}) WHERE id IN ('A', 'new 15', 'new 16') ORDER BY ALL`,
    )
    expect(named).toEqual([
      ['A', 'name of A'],
      ['new 15', 'new 15'],
      ['new 16', null],
    ])
  },
  60_000,
)
