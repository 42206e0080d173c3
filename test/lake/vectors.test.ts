import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { cases, fewOf, isFull } from '../depth.ts'
import { toRows } from '../loads/databases/load-model.ts'
import { LakeRig, product } from './lake-rig.ts'
import { findDisagreeing } from './readers/other-readers.ts'
import { query, readDelta, selectRows } from './readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const many = Array.from({ length: 400 }, (_, at) => product(`P${at}`, `name ${at}`, [`x${at}`]))
/** So many that a table of Delta has a checkpoint, in deep. */
const nights = cases(12, 4)

/** Five products have another name and photos. */
const edited = (night: number) =>
  many.map((each, at) => (at % 97 === night ? product(each.id, `night ${night}`, ['y']) : each))
const showFiles = async () => (await rig.read()).files.map(({ deleted }) => deleted.length)

describe.each(['delta', 'iceberg'] as const)('deleted rows in a table of %s', (format) => {
  test('a night leaves the data files as they are, and writes the new rows alone', async () => {
    rig = await LakeRig.create('merge', null, format, 'vectors')
    await rig.night(many)
    const [before] = (await rig.read()).files
    await rig.night(edited(1))
    const { files } = await rig.read()
    expect(files.find(({ path }) => path === before?.path)).toMatchObject({ size: before?.size })
    expect(new Set(await showFiles())).toEqual(new Set([0, 5]))
    const added = files.filter(({ path }) => path !== before?.path)
    expect(await query(`SELECT count(*)::INTEGER FROM (${selectRows(added)})`)).toEqual([[5]])
  })

  test('a night writes of the state the records that changed alone, also if they come back or were only touched', async () => {
    rig = await LakeRig.create('merge', null, format, 'vectors')
    const [first, ...others] = many
    await rig.night(many)
    await rig.night(others)
    await rig.night([product('P0', 'back', [], 5), ...others])
    await rig.night([product('P0', 'back', [], 6), ...others])
    const { files } = await rig.read('_catalogue_etl/nightly')
    expect(files.map(({ deleted }) => String(deleted.length)).toSorted()).toEqual(['0', '1'])
    const counts = `SELECT count(*)::INTEGER, count(updated_at)::INTEGER FROM (${selectRows(files)})`
    expect(await query(counts)).toEqual([[many.length, 1]])
    await rig.night([first ?? product('P0'), ...others])
    expect(rig.warnings).toEqual([])
  })

  test('a file of which more than a tenth of the rows are deleted is written anew', async () => {
    rig = await LakeRig.create('merge', null, format, 'vectors')
    await rig.night(many)
    await rig.night(many.slice(40))
    expect(await showFiles()).toEqual([40])
    await rig.night(many.slice(41))
    expect(await showFiles()).toEqual([0])
    await rig.night([product('Q')])
    expect(await showFiles()).toEqual([0])
  })

  test.skipIf(!isFull && format === 'iceberg').each(fewOf(['merge', 'append'] as const, 'append'))(
    'more than 16 small files become one, mode %s',
    async (mode) => {
      rig = await LakeRig.create(mode, null, format, 'vectors')
      const records = [...many]
      for (let night = 0; night < 17; night++) {
        await rig.night(records)
        expect(await showFiles()).toHaveLength(night + 1)
        records.push(product(`new ${night}`))
      }
      await rig.night(records)
      expect(await showFiles()).toEqual([0])
    },
  )

  test('a table gets vectors once the config says so, and none again once it does not', async () => {
    rig = await LakeRig.create('history', null, format)
    await rig.night(many)
    const vectors = { ...rig.plan, target: { ...rig.plan.target, deletes: 'vectors' } } as const
    await rig.load(rig.nextLoad(), toRows(edited(1)), { plan: vectors })
    rig.remember(edited(1))
    await rig.compare()
    expect(await showFiles()).toContain(5)
    await rig.night(edited(2))
    expect(await showFiles()).not.toContain(5)
  })

  test.each(['merge', 'history'] as const)('a killed load of mode %s is undone by the next one', async (mode) => {
    rig = await LakeRig.create(mode, null, format, 'vectors')
    await rig.night(many)
    for (const commits of [1, 2]) await rig.killedLoad([...edited(3), product('lost', 'lost', ['e'])], commits)
    await rig.night(edited(1))
    for (const commits of [3, 4]) await rig.killedLoad(edited(2), commits)
    await rig.night(many.slice(5))
    expect(rig.warnings).toEqual([])
  })

  test('other engines read what is left, also after many nights', async () => {
    rig = await LakeRig.create('history', null, format, 'vectors')
    for (let night = 0; night < nights; night++) await rig.night(edited(night % 5))
    expect(rig.warnings).toEqual([])
    const { files, columns } = await rig.read()
    expect((await showFiles()).filter((deleted) => deleted > 0)).not.toEqual([])
    const file = join(rig.folder, 'whole.parquet')
    await query(`COPY (${selectRows(files)}) TO '${file}' (FORMAT parquet)`)
    expect(findDisagreeing([{ lake: rig.table(), file, columns }])).toEqual([])
  })

  test('a merged table that lost its list of deleted rows is written anew', async () => {
    rig = await LakeRig.create('merge', null, format, 'vectors')
    await rig.night(many)
    await rig.night(edited(1))
    const lists = (await readdir(rig.table(), { recursive: true })).filter((name) =>
      /(?:^|\/)delet[^/]*(?:bin|parquet)$/.test(name),
    )
    expect(lists).toHaveLength(1)
    await rm(join(rig.table(), lists[0] ?? ''))
    if (format === 'delta') return rig.night(edited(2))
    expect(await rig.fail(edited(2))).toMatchObject({
      code: 'TARGET_MISMATCH',
      message: `${rig.table()}: expected the metadata of an Iceberg table, got version 2 without its manifests or delete files`,
    })
  })
})

test('a table of Delta with vectors has their feature, and keeps those that it had', async () => {
  rig = await LakeRig.create('merge', null, 'delta', 'vectors')
  await rig.night(many)
  const { commits } = await readDelta(rig.table())
  expect(commits[0]).toContainEqual({
    protocol: {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ['deletionVectors'],
      writerFeatures: ['appendOnly', 'invariants', 'deletionVectors'],
    },
  })
})

test.each(['append', 'snapshot'] as const)(
  'a table of mode %s has no vectors, whatever the config says',
  async (mode) => {
    rig = await LakeRig.create(mode, null, 'delta', 'vectors')
    await rig.night(many)
    const { commits } = await readDelta(rig.table())
    expect(commits[0]).toContainEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } })
  },
)

test('a load with vectors that another engine overtakes plans again, and leaves no vectors that nobody lists', async () => {
  rig = await LakeRig.create('merge', null, 'delta', 'vectors')
  await rig.night(many)
  await rig.night(edited(1), () => rig.commit([{ commitInfo: { operation: 'OPTIMIZE' } }]))
  const listed = await query(`SELECT count(*)::INTEGER FROM glob('${join(rig.table(), 'deletion_vector_*.bin')}')`)
  expect(listed).toEqual([[1]])
})

test('the summary of a snapshot of Iceberg counts deletes', async () => {
  rig = await LakeRig.create('merge', null, 'iceberg', 'vectors')
  await rig.night(many)
  await rig.night(edited(1))
  await rig.night(edited(2))
  const table = await rig.read()
  const summary = 'metadata' in table ? table.metadata.snapshots.at(-1)?.summary : {}
  expect(summary).toMatchObject({
    operation: 'overwrite',
    'added-delete-files': '1',
    'added-position-deletes': '10',
    'removed-delete-files': '1',
    'removed-position-deletes': '5',
    'total-delete-files': '1',
    'total-position-deletes': '10',
  })
})
