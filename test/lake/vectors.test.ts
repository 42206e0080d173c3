import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { toRows } from '../loads/databases/load-model.ts'
import { LakeRig, product } from './lake-rig.ts'
import { findDisagreeing } from './other-readers.ts'
import { query, readDelta } from './read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const many = Array.from({ length: 400 }, (_, at) => product(`P${at}`, `name ${at}`, [`x${at}`]))
const edited = (night: number) =>
  many.map((each, at) => (at % 97 === night ? product(each.id, `night ${night}`, ['y']) : each))

test('a night with vectors leaves the data files as they are, and writes the new rows alone', async () => {
  rig = await LakeRig.create('merge', null, 'vectors')
  await rig.night(many)
  const [first] = (await readDelta(rig.table())).files
  await rig.night(edited(1))
  const { files, commits } = await readDelta(rig.table())
  expect(files.map(({ path, deleted }) => [path === first?.path, deleted.length])).toEqual(
    expect.arrayContaining([
      [true, 5],
      [false, 0],
    ]),
  )
  expect(commits[0]).toContainEqual({
    protocol: {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ['deletionVectors'],
      writerFeatures: ['appendOnly', 'invariants', 'deletionVectors'],
    },
  })
  const added = files.filter(({ path }) => path !== first?.path)
  expect(added.map(({ stats }) => (JSON.parse(stats) as { numRecords: number }).numRecords)).toEqual([5])
})

test('a file whose rows are all deleted goes, and rows are deleted of files with vectors again', async () => {
  rig = await LakeRig.create('merge', null, 'vectors')
  await rig.night(many)
  for (const night of [1, 2, 1, 3]) await rig.night(edited(night))
  await rig.night([product('Q')])
  expect((await readDelta(rig.table())).files).toHaveLength(1)
})

test('a table that files were rewritten of gets vectors once the config says so, and none again once it does not', async () => {
  rig = await LakeRig.create('history')
  await rig.night(many)
  const vectors = { ...rig.plan, target: { ...rig.plan.target, deletes: 'vectors' } } as const
  await rig.load(rig.nextLoad(), toRows(edited(1)), { plan: vectors })
  rig.remember(edited(1))
  await rig.compare()
  expect((await readDelta(rig.table())).files.map(({ deleted }) => deleted.length)).toContain(5)
  await rig.night(edited(2))
  await rig.night(edited(1))
})

test.each(['merge', 'history'] as const)(
  'a killed load with vectors of mode %s is undone by the next one',
  async (mode) => {
    rig = await LakeRig.create(mode, null, 'vectors')
    await rig.night(many)
    for (const tables of [1, 2]) await rig.killedLoad([...edited(3), product('lost', 'lost', ['e'])], tables)
    await rig.night(edited(1))
    await rig.killedLoad(edited(2), 2)
    await rig.night(many.slice(5))
    expect((await rig.versions())[2]).toBe(2)
  },
)

test('a load with vectors that another engine overtakes plans again, and leaves no vectors that nobody lists', async () => {
  rig = await LakeRig.create('merge', null, 'vectors')
  await rig.night(many)
  await rig.night(edited(1), () => rig.commit([{ commitInfo: { operation: 'OPTIMIZE' } }]))
  const listed = await query(`SELECT count(*)::INTEGER FROM glob('${join(rig.table(), 'deletion_vector_*.bin')}')`)
  expect(listed).toEqual([[1]])
})

test('other engines read tables with vectors as they are, also from a checkpoint', async () => {
  rig = await LakeRig.create('history', null, 'vectors')
  for (let night = 0; night < 12; night++) await rig.night(edited(night % 5))
  expect(rig.warnings).toEqual([])
  const { files, columns } = await readDelta(rig.table())
  const parts = files.map(
    ({ path, deleted }) =>
      `SELECT * FROM read_parquet('${path}') WHERE file_row_number NOT IN (${[-1, ...deleted].join(', ')})`,
  )
  const file = join(rig.folder, 'whole.parquet')
  await query(`COPY (${parts.join(' UNION ALL BY NAME ')}) TO '${file}' (FORMAT parquet)`)
  expect(findDisagreeing([{ lake: rig.table(), file, columns }])).toEqual([])
})
