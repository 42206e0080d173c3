import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type VacuumOptions, vacuumLake } from '../../../src/lake/vacuum-lake.ts'
import type { FileStorage } from '../../../src/storage/file-storage.ts'
import { createLocalStorage } from '../../../src/storage/local-storage.ts'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient } from '../../../src/storage/s3/object-client.ts'
import { fewOf, isFull, stride } from '../../depth.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { LakeRig, product } from '../lake-rig.ts'
import { python, skipsReaders } from '../readers/other-readers.ts'
import { readDelta } from '../readers/read-delta.ts'
import { readFeed } from '../readers/read-feed.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const day = 86_400_000
const lakes = fewOf(
  [
    { format: 'delta', deletes: 'vectors' },
    { format: 'iceberg', deletes: 'vectors' },
    { format: 'delta', deletes: 'rewrite' },
    { format: 'iceberg', deletes: 'rewrite' },
  ] as const,
  { format: 'delta', deletes: 'vectors' },
  { format: 'iceberg', deletes: 'vectors' },
)

const others = Array.from({ length: 60 }, (_, at) => product(`O${at}`, null, ['o']))
const nights = [
  [...others, product('A', 'a', ['x']), product('B')],
  [...others, product('A', 'a2', ['x']), product('C')],
  [...others, product('A', 'a3'), product('D')],
  [...others, product('A', 'a4'), product('E')],
]
const idsOf = (night: number) =>
  (nights[night] ?? [])
    .map(({ id }) => id)
    .toSorted()
    .join()

const anyVacuum = { olderThan: 7 * day, dryRun: false, token: 'vacuum', now: Date.now }

function vacuum(options: Partial<VacuumOptions> = {}) {
  return vacuumLake(rig.plan, { ...anyVacuum, ...options })
}

/** All files of the lake, by their paths in it. */
async function listFiles(): Promise<string[]> {
  const entries = await readdir(rig.folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((file) => file.slice(rig.folder.length + 1)).toSorted()
}

/** Lets ten days pass: all that the lake has is older then. */
async function passDays(): Promise<void> {
  for (const file of await listFiles()) {
    const path = join(rig.folder, file)
    const { mtimeMs } = await stat(path)
    if (file.endsWith('.json')) {
      const text = await readFile(path, 'utf8')
      const earlier = (_: string, name: string, time: string) => `"${name}":${Number(time) - 10 * day}`
      await writeFile(path, text.replaceAll(/"(deletionTimestamp|timestamp-ms|last-updated-ms)":(\d+)/g, earlier))
    }
    await utimes(path, new Date(mtimeMs - 10 * day), new Date(mtimeMs - 10 * day))
  }
}

/** Loads the nights, of which the first three are more than a week ago. */
async function load({ format, deletes }: (typeof lakes)[number]): Promise<void> {
  rig = await LakeRig.create('merge', null, format, deletes)
  for (const [at, records] of nights.entries()) {
    if (at === 3) await passDays()
    await rig.night(records)
  }
}

type Read = Readonly<Record<string, readonly string[] | null>>

function readVersions<Answer = Read>(versions: readonly (number | 'vacuum')[]): Answer[] {
  const input = JSON.stringify(versions.map((version) => ({ path: rig.table(), version })))
  return JSON.parse(
    execFileSync(python, [join(import.meta.dirname, 'read-versions.py')], { input, encoding: 'utf8' }),
  ) as Answer[]
}

/** Files of others, and one that a killed run has left. */
const strange = [
  'README.md',
  '_delta_index/a.parquet',
  '.trash/a.parquet',
  '_own.parquet',
  'data/.b.parquet',
  'metadata/note.txt',
]

const ofOthers = /^(?:README|data|metadata|_delta_index|deletion_vector)/

describe.each(lakes)('vacuum of a lake of $format with deletes: $deletes', (lake) => {
  const { format, deletes } = lake
  const first = format === 'delta' ? 0 : 1
  const data = format === 'delta' ? '' : 'data/'

  test('removes files of versions that were replaced a week ago, and what killed runs have left since before', async () => {
    rig = await LakeRig.create('merge', null, format, deletes)
    for (const records of nights.slice(0, 3)) await rig.night(records)
    const left = [...strange, `${data}part-killed.parquet`].map((name) => rig.table() + `/${name}`)
    for (const path of left) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, 'left')
    }
    await passDays()
    await rig.night(nights[3] ?? [])
    const young = rig.table() + `/${data}part-young.parquet`
    await writeFile(young, 'written by a load that has not committed yet')
    const before = await listFiles()
    const expected = format === 'delta' && !skipsReaders ? readVersions<string[]>(['vacuum'])[0] : undefined
    const dry = await vacuum({ dryRun: true })
    expect(await listFiles()).toEqual(before)

    const found = await vacuum()
    const after = await listFiles()
    const removed = before.filter((file) => !after.includes(file))
    expect(found).toEqual(dry)
    expect(found.map(({ name }) => name)).toEqual(['products', 'product_photos', '_catalogue_etl/nightly'])
    expect(removed).toHaveLength(found.reduce((sum, { files }) => sum + files, 0))
    expect(found[0]?.bytes).toBeGreaterThan(0)
    const ofProducts = removed
      .filter((file) => file.startsWith('products/'))
      .map((file) => file.slice('products/'.length))
    expect(ofProducts).toContain(`${data}part-killed.parquet`)
    // Delta's own VACUUM also takes what is no data file. deltalake does not see which deletion vectors a version needs.
    const dataFiles = ofProducts.filter((name) => !name.endsWith('.bin'))
    expect(dataFiles).toEqual(expected?.filter((name) => !ofOthers.test(name)) ?? dataFiles)
    for (const name of strange) expect(after).toContain(`products/${name}`)
    expect(after).toContain(`products/${data}part-young.parquet`)
    await rig.compare()
    if (skipsReaders) return
    const [gone, ...kept] = readVersions([first + 1, first + 2, first + 3])
    expect(Object.values(gone ?? {})).toEqual([null, null])
    expect(kept.map((read) => [...new Set(Object.values(read).map((ids) => ids?.join()))])).toEqual([
      [idsOf(2)],
      [idsOf(3)],
    ])
  })

  test('finds nothing a second time, and does no harm to later loads', async () => {
    await load(lake)
    expect((await vacuum()).some(({ files }) => files > 0)).toBe(true)
    const after = await listFiles()
    for (const { files, bytes } of await vacuum()) expect([files, bytes]).toEqual([0, 0])
    expect(await listFiles()).toEqual(after)
    await rig.night(nights[0] ?? [])
    await passDays()
    await vacuum()
    await rig.night(nights[1] ?? [])
  })

  test('keeps the version that the state names, which the load after a killed one begins with', async () => {
    rig = await LakeRig.create('history', null, format, deletes)
    await rig.night(nights[0] ?? [])
    await rig.night(nights[1] ?? [])
    await rig.killedLoad(nights[2] ?? [], format === 'delta' ? 1 : 3)
    await passDays()
    await vacuum()
    await expect(rig.night(nights[3] ?? [])).resolves.toBeUndefined()
  })

  test('survives a kill at any moment: what is kept can be read, and the next vacuum removes the rest', async () => {
    await load(lake)
    const backup = `${rig.folder}-backup`
    await cp(rig.folder, backup, { recursive: true, preserveTimestamps: true })
    const dry = { count: 0 }
    await vacuum({ storage: killAfter(0, dry), dryRun: true })
    const all = { count: 0 }
    await vacuum({ storage: killAfter(Infinity, all) })
    const whole = await listFiles()
    expect(all.count).toBeGreaterThan(2)
    for (let kill = 0; kill < all.count; kill += stride(20)) {
      await rm(rig.folder, { recursive: true })
      await cp(backup, rig.folder, { recursive: true, preserveTimestamps: true })
      await expect(vacuum({ storage: killAfter(kill, { count: 0 }) })).rejects.toThrow('killed')
      await rig.compare()
      const killed = skipsReaders || (kill > 0 && !isFull) ? [] : readVersions([first + 2, first + 3])
      expect(killed.flatMap((read) => Object.values(read).map((ids) => ids?.join()))).toEqual(
        killed.length === 0 ? [] : [idsOf(2), idsOf(2), idsOf(3), idsOf(3)],
      )
      await vacuum()
      await rig.compare()
      expect((await listFiles()).length).toBe(whole.length)
    }
    await rm(backup, { recursive: true })
  })

  test('refuses tables of others and a table without its files, and removes nothing', async () => {
    await load(lake)
    const before = await listFiles()
    await expect(vacuumLake({ ...rig.plan, pipeline: 'other' }, anyVacuum)).rejects.toThrow(
      'expected a table of pipeline "other", got one of pipeline "nightly"',
    )
    expect(await listFiles()).toEqual(before)
    const { files } = await rig.read()
    await rm(files[0]?.path ?? '')
    const less = await listFiles()
    await expect(vacuum()).rejects.toThrow(
      /products: expected the files of the newest version, got none at \S+\.parquet/,
    )
    expect(await listFiles()).toEqual(less)
  })
})

/** A storage of a process that is killed after a number of changes. */
function killAfter(most: number, changes: { count: number }): FileStorage {
  const local = createLocalStorage()
  const count = () => {
    if (changes.count++ >= most) throw new Error('killed')
  }
  return {
    ...local,
    create: async (path, bytes) => (count(), local.create(path, bytes)),
    place: async (file) => (count(), local.place(file)),
    remove: async (path) => (count(), local.remove(path)),
  }
}

test('removes files of a change feed that are more than a week old, and leaves the others', async () => {
  rig = await LakeRig.create('merge', null, 'delta', 'rewrite', true)
  for (const [at, records] of nights.entries()) {
    if (at === 3) await passDays()
    await rig.night(records)
  }
  const fed = (await readDelta(rig.table())).commits.map((actions) => actions.flatMap(({ cdc }) => cdc?.path ?? []))
  expect(fed.map(({ length }) => length)).toEqual([0, 1, 1, 1])
  await writeFile(join(rig.table(), '_change_data/_own.parquet'), 'of others')
  await utimes(join(rig.table(), '_change_data/_own.parquet'), 0, 0)
  await vacuum()
  const there = (await listFiles()).filter((file) => file.startsWith('products/_change_data/'))
  expect(there.toSorted()).toEqual([`products/${fed[3]?.[0]}`, 'products/_change_data/_own.parquet'].toSorted())
  const read = skipsReaders ? [3] : readFeed(rig.table(), 3).map(({ version }) => version)
  expect(new Set(read)).toEqual(new Set([3]))
})

test.each(lakes)(
  'vacuum of a lake of $format in a bucket removes objects, and the uploads of killed runs',
  async ({ format, deletes }) => {
    const server = await startS3()
    try {
      rig = await LakeRig.create('merge', server, format, deletes)
      for (const records of nights.slice(0, 3)) await rig.night(records)
      const client = createObjectClient(await connectS3(server.env, 'test'))
      await client.begin('s3://warehouse/lake/products/part-killed.parquet', null)
      client.close()
      const now = () => Date.now() + 8 * day
      const before = await server.keys()
      expect(
        (await vacuum({ env: server.env, olderThan: 9 * day, now })).map(({ files, uploads }) => files + uploads),
      ).toEqual([0, 0, 0])
      const found = await vacuum({ env: server.env, now })
      const after = await server.keys()
      expect(found[0]?.uploads).toBe(1)
      expect(await server.openUploads()).toEqual([])
      const removed = before.filter((key) => !after.includes(key))
      expect(removed).toHaveLength(found.reduce((sum, { files }) => sum + files, 0))
      expect(removed.length).toBeGreaterThan(2)
      await rm(rig.table(), { recursive: true })
      await rm(rig.table('product_photos'), { recursive: true })
      await rig.compare()
      await rig.night(nights[3] ?? [])
    } finally {
      await server.close()
    }
  },
)
