import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { isFull } from '../depth.ts'
import { type Operation, watchFileSystem } from '../storage/watched-file-system.ts'
import { LakeRig, product } from './lake-rig.ts'
import { readDelta } from './readers/read-delta.ts'
import { readIceberg } from './readers/read-iceberg.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const odd = [product('A', 'a', ['x']), product('B')]
const even = [product('A', 'a2', ['x', 'y']), product('C')]

test.each(['delta', 'iceberg'] as const)(
  'a load that any operation of the disk fails leaves readable tables of %s, no other file, and nothing undone for the next one',
  async (format) => {
    rig = await LakeRig.create('history', null, format)
    await rig.night(odd)
    let operations = 0
    const counting = watchFileSystem({ before: ({ index }) => void (operations = index) })
    await rig.night(even, undefined, { storage: createLocalStorage(counting) })
    expect(operations).toBeGreaterThan(40)
    const codes = new Set<string>()
    const all = Array.from({ length: operations }, (_, at) => at + 1)
    for (const [round, failing] of all.filter((index) => isFull || index % 12 === 0).entries()) {
      // Each load reads what all before it left.
      if (round % 24 === 23) await beginAgain(format, round % 2 === 0 ? even : odd)
      const storage = createLocalStorage(watchFileSystem({ before: (operation) => failAt(operation, failing) }))
      const records = round % 2 === 0 ? odd : even
      const before = await rig.versions()
      const code = await rig.fail(records, { storage }).then(
        (error) => error.code,
        () => null,
      )
      codes.add(code ?? 'none')
      const after = await rig.versions()
      // It may fail after all is done.
      if (after[2] !== before[2]) rig.remember(records)
      expect([code === null, after[2] === before[2]]).not.toEqual([true, true])
      await checkFiles()
      await rig.night(records)
      await checkFiles()
      await checkFolders()
    }
    // Operations that only tidy up end no load.
    expect([...codes].toSorted()).toEqual(expect.arrayContaining(['OUTPUT_FAILED']))
    expect([...codes].filter((code) => !['OUTPUT_FAILED', 'none'].includes(code))).toEqual([])
  },
  600_000,
)

async function beginAgain(format: 'delta' | 'iceberg', records: Parameters<LakeRig['night']>[0]): Promise<void> {
  await rig.remove()
  rig = await LakeRig.create('history', null, format)
  await rig.night(records)
}

function failAt({ index }: Operation, failing: number): void {
  if (index === failing)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
      errno: -28,
    })
}

const tables = ['products', 'product_photos', '_catalogue_etl/nightly']

async function checkFiles(): Promise<void> {
  for (const name of tables) {
    const { files } = await rig.read(name)
    for (const { path, size } of files) expect((await stat(path)).size).toBe(size)
  }
}

/** There is no file that no version lists. What could not be removed goes with the next load. */
async function checkFolders(): Promise<void> {
  for (const name of tables) {
    if (rig.plan.target.format === 'delta') await checkDelta(rig.table(name))
    else await checkIceberg(rig.table(name))
  }
}

async function checkDelta(table: string): Promise<void> {
  const { commits } = await readDelta(table)
  const listed = new Set(commits.flatMap((actions) => actions.flatMap(({ add }) => (add ? [basename(add.path)] : []))))
  const there = await readdir(table)
  expect(there.filter((file) => file !== '_delta_log' && !listed.has(file))).toEqual([])
  const log = await readdir(`${table}/_delta_log`)
  expect(log.filter((file) => file.startsWith('.'))).toEqual([])
}

async function checkIceberg(table: string): Promise<void> {
  const { version, metadata } = await readIceberg(table)
  const names = await readdir(`${table}/metadata`)
  expect(names.filter((name) => name.startsWith('.'))).toEqual([])
  // Each snapshot has a list, and a manifest if it changed files.
  const lists = metadata.snapshots.map((snapshot) => basename(snapshot['manifest-list']))
  const manifests = metadata.snapshots.filter(({ summary }) => changesFiles(summary)).length
  const others = names.filter((name) => !lists.includes(name) && !/^v\d+\.metadata\.json$/.test(name))
  expect(others.filter((name) => name.endsWith('-m0.avro'))).toHaveLength(manifests)
  expect(names).toHaveLength(version + lists.length + manifests + 1)
}

function changesFiles(summary: Readonly<Record<string, string>>): boolean {
  return summary['added-data-files'] !== '0' || summary['deleted-data-files'] !== '0'
}
