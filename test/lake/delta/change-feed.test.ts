import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { listLakeColumns } from '../../../src/lake/lake-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import { stagingPath } from '../../../src/storage/staging-names.ts'
import { type ModelRecord, modelTables, toRows } from '../../loads/databases/load-model.ts'
import { cases, fewOf } from '../../depth.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { skipsReaders } from '../readers/other-readers.ts'
import { readFeed, replayFeed } from '../readers/read-feed.ts'
import { readDelta } from '../readers/read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const products = modelTables[0] as KeyedTable
const day = 86_400_000
const kinds = [
  { mode: 'merge', deletes: 'rewrite' },
  { mode: 'merge', deletes: 'vectors' },
  { mode: 'history', deletes: 'rewrite' },
  { mode: 'history', deletes: 'vectors' },
  { mode: 'append', deletes: 'rewrite' },
  { mode: 'snapshot', deletes: 'rewrite' },
] as const

const createRig = (mode: (typeof kinds)[number]['mode'], deletes: (typeof kinds)[number]['deletes']) =>
  LakeRig.create(mode, null, 'delta', deletes, true)

/** Each night some records change, with their photos or without, are touched, are gone, or have returned. */
function recordsOf(night: number): ModelRecord[] {
  const all = Array.from({ length: 90 + night }, (_, at): ModelRecord => {
    const change = at % 31 === night % 31 ? night : Math.max(0, night - ((night - at) % 31))
    const photos = Array.from({ length: (at + change) % 3 }, (__, photo) => `${at}/${photo < 1 ? 0 : change}`)
    return product(`P${at}`, `version ${at % 2 === 0 ? change : 0}`, photos, (at % 5) * day + night)
  })
  return all.filter((_, at) => (at + night) % 23 !== 0)
}

/** What the feed makes of a table is the table at each version that is known. */
async function checkFeed(known: ReadonlyMap<number, string[]>, table: KeyedTable): Promise<void> {
  const folder = rig.table(table.name)
  const versionColumns = rig.plan.mode === 'history' ? ['valid_from'] : []
  const names = listLakeColumns(rig.plan, table).map(({ name }) => name)
  const key = [table.idColumn, ...table.positionColumns, ...versionColumns].map((name) => names.indexOf(name))
  const changes = readFeed(folder)
  const { commits } = await readDelta(folder)
  // Others tell all rows of the files that they write anew.
  const after = replayFeed(changes, key, [], (version) => commits[version]?.some(({ txn }) => txn) === true)
  for (const [version, lines] of known) expect(after.get(version), `${table.name}, ${version}`).toEqual(lines)
  const [half = 0] = [...known.keys()].slice(Math.floor((known.size - 1) / 2))
  expect(readFeed(folder, half + 1).toSorted(byText)).toEqual(
    changes.filter(({ version }) => version > half).toSorted(byText),
  )
}

const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

class Watched {
  readonly #known = new Map(modelTables.map((table) => [table, new Map<number, string[]>()]))

  async note(): Promise<void> {
    for (const [table, known] of this.#known) {
      const { version, commits } = await readDelta(rig.table(table.name))
      const isChange = (commits[version] ?? []).some(({ add, remove }) => (add ?? remove) !== undefined)
      if (isChange && !known.has(version)) known.set(version, await rig.readLines(table))
    }
  }

  async check(): Promise<void> {
    for (const [table, known] of this.#known) await checkFeed(known, table)
  }
}

/** The changes of versions, as types and ids. */
function showChanges(since: number, until = Infinity): string[] {
  const changes = readFeed(rig.table(), since).filter(({ version }) => version <= until)
  return changes.map(({ type, line }) => `${type} ${String((JSON.parse(line) as unknown[])[0])}`)
}

/** The names of all files of change feeds, and of those that a commit lists. */
async function listFeedFiles(): Promise<{ readonly there: string[]; readonly listed: string[] }> {
  const { commits } = await readDelta(rig.table())
  const listed = commits.flat().flatMap(({ cdc }) => cdc?.path ?? [])
  const there = await readdir(join(rig.table(), '_change_data')).catch(() => [])
  return { there: there.map((name) => `_change_data/${name}`).toSorted(), listed: listed.toSorted() }
}

const nights = cases(20, 5)

describe.skipIf(skipsReaders)('the change feed', () => {
  test.each(fewOf(kinds, kinds[1], kinds[2]))(
    'tells each change of many nights once, as deltalake reads it, with mode $mode ($deletes)',
    async ({ mode, deletes }) => {
      rig = await createRig(mode, deletes)
      const watched = new Watched()
      for (let night = 0; night < nights; night++) {
        await rig.night(recordsOf(night))
        if (night % 4 === 3) await watched.note()
      }
      await watched.check()
      const { there, listed } = await listFeedFiles()
      expect(there).toEqual(listed)
    },
    120_000,
  )

  test.each(fewOf(kinds, kinds[1]))(
    'tells what killed loads did, and how the next one undid it, with mode $mode ($deletes)',
    async ({ mode, deletes }) => {
      rig = await createRig(mode, deletes)
      const watched = new Watched()
      for (let night = 0; night < 5; night++) {
        for (const tables of night === 0 ? [] : [1, 2]) await rig.killedLoad(recordsOf(night + tables), tables)
        await rig.night(recordsOf(night))
        await watched.note()
      }
      await watched.check()
      // The storage of a killed load takes no checkpoint, either.
      expect(rig.warnings.filter((warning) => !warning.endsWith('has no checkpoint: killed'))).toEqual([])
    },
    120_000,
  )

  test.each(['rewrite', 'vectors'] as const)(
    'tells what others changed and what the next load put back (%s)',
    async (deletes) => {
      rig = await createRig('merge', deletes)
      const watched = new Watched()
      await rig.night(recordsOf(0))
      await rig.replaceRows("SELECT * FROM t WHERE id <> 'P1'")
      await rig.night(recordsOf(0))
      await watched.note()
      await rig.replaceRows("SELECT * REPLACE (CASE WHEN id = 'P2' THEN 'forged' ELSE name END AS name) FROM t")
      await rig.addRows("SELECT * FROM t WHERE id = 'P3'")
      await rig.night(recordsOf(1))
      await watched.note()
      await watched.check()
      const { version } = await readDelta(rig.table())
      expect(showChanges(2, 2)).toEqual(['insert P1'])
      expect(showChanges(version)).toEqual(
        expect.arrayContaining(['update_preimage P2', 'update_postimage P2', 'delete P3']),
      )
    },
    60_000,
  )

  test.each([
    { mode: 'merge', told: ['update_preimage P3', 'update_postimage P3', 'insert new', 'delete P5'] },
    { mode: 'append', told: ['insert P3', 'insert new'] },
  ] as const)(
    'has no change of rows that a compaction writes anew, with mode $mode',
    async ({ mode, told }) => {
      rig = await createRig(mode, 'vectors')
      const records = Array.from({ length: 100 }, (_, at) => product(`P${at}`))
      for (let night = 0; night < 17; night++) {
        await rig.night(records)
        records.push(product(`more ${night}`))
      }
      const changed = records
        .filter(({ id }) => id !== 'P5')
        .map((each) => (each.id === 'P3' ? product('P3', 'p3') : each))
      await rig.night([...changed.filter(({ id }) => id !== 'more 16'), product('new')])
      const { files, version } = await readDelta(rig.table())
      expect(files).toHaveLength(1)
      expect(showChanges(version).toSorted()).toEqual(told.toSorted())
    },
    60_000,
  )

  test('has no change of rows that another config writes anew as they are', async () => {
    rig = await createRig('merge', 'rewrite')
    const records = [product('A', 'a', ['x']), product('B', 'b')]
    await rig.night(records)
    await rig.load(rig.nextLoad({ configHash: 'config-2' }), toRows(records))
    rig.remember(records)
    await rig.compare()
    const { commits } = await readDelta(rig.table())
    expect(commits[1]?.flatMap(({ add, remove }) => (add ?? remove)?.dataChange ?? [])).toEqual([false, false])
    expect(readFeed(rig.table(), 1)).toEqual([])
    const edited = [product('A', 'a2', ['x']), product('B', 'b')]
    await rig.load(rig.nextLoad({ configHash: 'config-3' }), toRows(edited))
    expect(readFeed(rig.table(), 2).map(({ type }) => type)).toEqual(['update_preimage', 'update_postimage'])
    expect(readFeed(rig.table('product_photos'), 2)).toEqual([])
  }, 60_000)

  test('tells of a table that lost a data file what is known, and its other rows as new ones', async () => {
    rig = await createRig('merge', 'rewrite')
    await rig.night([product('A')])
    await rig.night([product('A'), product('B')])
    const { files } = await readDelta(rig.table())
    await rm(files[0]?.path ?? '')
    await rig.night([product('A'), product('B', 'b')])
    expect(showChanges(2)).toEqual(['insert A', 'update_preimage B', 'update_postimage B'])
  })

  test('begins once the config says so, ends once it does not, and begins again', async () => {
    rig = await createRig('merge', 'rewrite')
    const withFeed = (changeFeed: boolean) => ({ ...rig.plan, target: { ...rig.plan.target, changeFeed } })
    const lines: string[][] = []
    const load = async (night: number, changeFeed: boolean) => {
      await rig.load(rig.nextLoad(), toRows(recordsOf(night)), { plan: withFeed(changeFeed) })
      rig.remember(recordsOf(night))
      await rig.compare()
      lines.push(await rig.readLines(products))
    }
    for (const [night, changeFeed] of [false, true, true, false, false, true].entries()) await load(night, changeFeed)
    const { commits } = await readDelta(rig.table())
    expect(commits.map((actions) => actions.some(({ cdc }) => cdc))).toEqual([false, true, true, false, false, true])
    const on = commits.map(
      (actions) => actions.find(({ metaData }) => metaData)?.metaData?.configuration['delta.enableChangeDataFeed'],
    )
    expect(on).toEqual([undefined, 'true', undefined, 'false', undefined, 'true'])
    expect(commits.flatMap((actions) => actions.flatMap(({ protocol }) => protocol ?? []))).toEqual([
      { minReaderVersion: 1, minWriterVersion: 2 },
      { minReaderVersion: 1, minWriterVersion: 4 },
    ])
    expect(replayFeed(readFeed(rig.table(), 5), [0], lines[4]).get(5)).toEqual(lines[5])
  })
})

test('a table with vectors and a change feed has the features of both', async () => {
  rig = await createRig('merge', 'vectors')
  await rig.night(recordsOf(0))
  const { commits } = await readDelta(rig.table())
  expect(commits[0]).toContainEqual({
    protocol: {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ['deletionVectors'],
      writerFeatures: ['appendOnly', 'invariants', 'deletionVectors', 'changeDataFeed'],
    },
  })
})

test('a load with a change feed that another engine overtakes, or whose commit fails, leaves no file of the feed that nobody lists', async () => {
  rig = await createRig('merge', 'vectors')
  await rig.night(recordsOf(0))
  await rig.night(recordsOf(1), () => rig.commit([{ commitInfo: { operation: 'OPTIMIZE' } }]))
  await rig.killedLoad(recordsOf(2), 0)
  const { there, listed } = await listFeedFiles()
  expect(listed).toHaveLength(1)
  expect(there).toEqual(listed)
})

test('staging files of killed loads go from the folder of a change feed, too', async () => {
  rig = await createRig('merge', 'rewrite')
  await rig.night(recordsOf(0))
  await rig.night(recordsOf(1))
  const [file = ''] = (await listFeedFiles()).listed
  await writeFile(stagingPath(join(rig.table(), file), { pid: 2 ** 22 + 1, token: 'killed' }), '')
  await rig.night(recordsOf(2))
  const { there, listed } = await listFeedFiles()
  expect(there).toEqual(listed)
})
