import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { toRows } from '../loads/databases/load-model.ts'
import { fewOf } from '../depth.ts'
import { LakeRig, product } from './lake-rig.ts'
import { query, readDelta } from './readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const stateTable = '_catalogue_etl/nightly'
const modes = fewOf(['merge', 'history', 'append', 'snapshot'] as const, 'history', 'append')
const first = [product('A', 'a', ['x']), product('B'), product('C', 'c', ['y', 'z'])]
const second = [product('A', 'a2', ['x']), product('C', 'c', ['y', 'z']), product('D')]
const third = [product('A', 'a3'), product('B'), product('D')]

describe.each(modes)('a lake of mode %s', (mode) => {
  test(`a table of mode ${mode} that another engine has optimized goes on from its new files`, async () => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.optimize()
    await rig.night(second)
    await rig.optimize()
    await rig.optimize('product_photos')
    await rig.night(third)
    expect(rig.warnings).toEqual([])
  })

  test(`a load of mode ${mode} that is killed after its first table leaves nothing behind in the next one`, async () => {
    rig = await LakeRig.create(mode)
    await rig.killedLoad(second, 1)
    await rig.night(first)
    for (const tables of [1, 2]) await rig.killedLoad([product('A', 'lost'), product('E', 'lost', ['e'])], tables)
    await rig.night(second)
    await rig.killedLoad([product('F', 'lost', ['f'])], 2)
    await rig.night(third)
    const [products = 0, , state] = await rig.versions()
    expect([products > 5, state]).toEqual([true, 2])
  })

  test(`a table of mode ${mode} from which another engine has deleted rows gets them back`, async () => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.replaceRows("SELECT * FROM t WHERE id <> 'A'")
    await rig.night(second)
    await rig.replaceRows("SELECT * FROM t WHERE id <> 'C'")
    await rig.night(third)
    expect(await rig.versions()).toMatchObject([4, expect.any(Number), 2])
  })

  test(`a table of mode ${mode} whose rows another engine has updated gets them back, with a warning`, async () => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.replaceRows("SELECT * REPLACE ('forged' AS name) FROM t")
    await rig.night(second)
    expect(rig.warnings).toEqual([expect.stringContaining('others have changed rows of products since the last load')])
  })

  test(`a table of mode ${mode} to which another engine has added rows of our records loses them`, async () => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.addRows("SELECT * REPLACE ('forged' AS name) FROM t WHERE id <> 'B'")
    await rig.night(second)
    expect(await rig.versions()).toMatchObject([2, expect.any(Number), 1])
  })

  test(`rows that another engine has added to a table of mode ${mode} stay if no load knows their ids`, async () => {
    rig = await LakeRig.create(mode)
    await rig.night(first)
    await rig.addRows("SELECT * REPLACE ('foreign' AS id) FROM t WHERE id = 'A' UNION ALL FROM t WHERE id = 'C'")
    const ids = async () => {
      const { files } = await readDelta(rig.table())
      const from = `read_parquet([${files.map(({ path }) => `'${path}'`).join(', ')}], union_by_name = true)`
      return (await query(`SELECT id FROM ${from} ORDER BY id`)).flat()
    }
    await rig.load(rig.nextLoad(), toRows(second))
    expect((await ids()).filter((id) => id === 'foreign')).toHaveLength(1)
    await rig.load(rig.nextLoad({ runId: 'again' }), toRows(third))
    expect((await ids()).filter((id) => id === 'foreign')).toHaveLength(1)
  })
})

test('a load that another engine overtakes plans again on the newer version', async () => {
  rig = await LakeRig.create('merge')
  await rig.night(first)
  await rig.night(second, async () => {
    await rig.optimize()
    await rig.commit([{ commitInfo: { operation: 'OPTIMIZE' } }])
  })
  expect(await rig.versions()).toEqual([3, 1, 1])
  const files = (await readDelta(rig.table())).files.map(({ path }) => path)
  const left = (await readdir(rig.table()))
    .filter((name) => name.startsWith('part-'))
    .map((name) => join(rig.table(), name))
  // The first night's, and the one that counts: that of the plan before is gone.
  expect(left).toHaveLength(2)
  expect(left).toEqual(expect.arrayContaining(files))
})

test('rows of a killed load that another engine has optimized are there once after the next load of mode append', async () => {
  rig = await LakeRig.create('append')
  await rig.night(first)
  await rig.killedLoad([...first, product('E', 'e', ['x'])], 2)
  await rig.optimize()
  await rig.optimize('product_photos')
  await rig.night([...first, product('E', 'e', ['x'])])
  expect(await rig.versions()).toEqual([3, 3, 1])
})

test('a load keeps to an OPTIMIZE of the table of its state', async () => {
  rig = await LakeRig.create('merge')
  await rig.night(first)
  await rig.night(second, () => rig.optimize(stateTable))
  await rig.night(second, () => rig.optimize(stateTable))
  expect(await rig.versions()).toEqual([1, 1, 4])
  await rig.night(third)
})

test('a delta that finds the rows before it gone when it commits fails, and the next full load brings all', async () => {
  rig = await LakeRig.create('merge')
  const since = rig.nextLoad().startedAt
  await rig.night(first)
  const delta = rig.nextLoad({ kind: 'delta', since })
  const [file] = (await readDelta(rig.table())).files
  const meanwhile = async () => {
    await rig.commit([{ commitInfo: { operation: 'OPTIMIZE' } }])
    await rm(file?.path ?? '')
  }
  await expect(rig.load(delta, toRows([product('A', 'a2')]), { meanwhile })).rejects.toMatchObject({
    code: 'TARGET_FAILED',
    message: expect.stringContaining(`table "products": a data file is gone, ${file?.path}`) as string,
  })
  await rig.night(second)
})

test('of two loads of one pipeline at the same time the later one fails, and the lake holds the other', async () => {
  rig = await LakeRig.create('merge')
  await rig.night(first)
  const slow = await rig.begin(rig.nextLoad(), third)
  await rig.night(second)
  await expect(slow.commit()).rejects.toMatchObject({ code: 'LOCKED' })
  await slow.discard()
  await rig.compare()
})
