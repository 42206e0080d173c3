import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { toRows } from '../loads/databases/load-model.ts'
import { LakeRig, product } from './lake-rig.ts'
import { query, readDelta, selectRows } from './readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const many = Array.from({ length: 400 }, (_, at) => product(`P${at}`, `name ${at}`, [`x${at}`]))
const edited = (night: number) => many.map((each, at) => (at === night ? product(each.id, 'edited') : each))
const load = (runId: string, records: typeof many) => rig.load(rig.nextLoad({ runId }), toRows(records))
const readNames = async (where: string) => {
  const { files } = await rig.read()
  return (await query(`SELECT id, name FROM (${selectRows(files)}) WHERE ${where} ORDER BY ALL`)).map(String)
}
const foreign = (ids: readonly string[]) =>
  ids.map((id) => `SELECT * REPLACE ('${id}' AS id) FROM t WHERE id = 'P1'`).join(' UNION ALL ')

describe.each(['rewrite', 'vectors'] as const)('rows of others with ids that no load knows, deletes: %s', (deletes) => {
  test('they stay if a killed load has written their file anew', async () => {
    rig = await LakeRig.create('merge', null, 'delta', deletes)
    await rig.night(many)
    await rig.addRows(`${foreign(['Z1', 'Z2'])} UNION ALL FROM t WHERE id = 'P3'`)
    await rig.killedLoad(edited(7), 1)
    await load('next', edited(7))
    expect(await readNames("id LIKE 'Z%'")).toEqual(['Z1,name 1', 'Z2,name 1'])
    expect(await readNames("id IN ('P3', 'P7')")).toEqual(['P3,name 3', 'P7,edited'])
  })

  test('they are as another engine has changed them since, and none twice', async () => {
    rig = await LakeRig.create('merge', null, 'delta', deletes)
    await rig.night(many)
    await rig.addRows(foreign(['Z1', 'Z2', 'Z3']))
    await load('second', edited(7))
    await replaceFile("SELECT * REPLACE (if(id = 'Z2', 'new', name) AS name) FROM t WHERE id <> 'Z1'")
    await load('third', edited(7))
    expect(await readNames("id LIKE 'Z%'")).toEqual(['Z2,new', 'Z3,name 1'])
  })
})

test('rows of others are there once after a killed load and an OPTIMIZE', async () => {
  rig = await LakeRig.create('merge', null, 'delta')
  await rig.night(many)
  await rig.addRows(foreign(['Z1']))
  await load('second', edited(1))
  await rig.killedLoad(edited(2), 1)
  await rig.optimize()
  await load('third', edited(3))
  expect(await readNames("id LIKE 'Z%'")).toEqual(['Z1,name 1'])
})

test.each(['merge', 'append'] as const)(
  'rows of a killed load of mode %s that an OPTIMIZE has moved are gone if the next load does not have them',
  async (mode) => {
    rig = await LakeRig.create(mode)
    await rig.night(many)
    await rig.killedLoad([...many, product('lost', 'lost')], 1)
    await rig.optimize()
    await load('next', edited(7))
    await load('again', many)
    expect(await readNames("id = 'lost'")).toEqual([])
  },
)

/** Puts the rows of a query of `t`, the file of others, into a new file in its place. */
async function replaceFile(sql: string): Promise<void> {
  const { files } = await readDelta(rig.table())
  const path = files.find((file) => file.path.includes('/other-'))?.path ?? ''
  await query(`COPY (WITH t AS (FROM '${path}') ${sql}) TO '${join(rig.table(), 'replaced.parquet')}' (FORMAT parquet)`)
  const { length } = await readFile(join(rig.table(), 'replaced.parquet'))
  const facts = { partitionValues: {}, size: length, modificationTime: 0, dataChange: true }
  await rig.commit([
    { commitInfo: { operation: 'UPDATE' } },
    { remove: { path: path.slice(rig.table().length + 1), deletionTimestamp: 0, dataChange: true } },
    { add: { path: 'replaced.parquet', ...facts } },
  ])
}
