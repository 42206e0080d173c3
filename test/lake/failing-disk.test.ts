import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { isDeep } from '../depth.ts'
import { type Operation, watchFileSystem } from '../storage/watched-file-system.ts'
import { LakeRig, product } from './lake-rig.ts'
import { readDelta } from './read-delta.ts'

let rig: LakeRig
afterEach(() => rig.remove())

const odd = [product('A', 'a', ['x']), product('B')]
const even = [product('A', 'a2', ['x', 'y']), product('C')]

test('a load that any operation of the disk fails leaves readable tables, no other file, and nothing undone for the next one', async () => {
  rig = await LakeRig.create('history')
  await rig.night(odd)
  let operations = 0
  const counting = watchFileSystem({ before: ({ index }) => void (operations = index) })
  await rig.night(even, undefined, { storage: createLocalStorage(counting) })
  expect(operations).toBeGreaterThan(40)
  const codes = new Set<string>()
  const all = Array.from({ length: operations }, (_, at) => at + 1)
  for (const [round, failing] of all.filter((index) => isDeep || index % 12 === 0).entries()) {
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
}, 120_000)

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
    const { files } = await readDelta(rig.table(name))
    for (const { path, size } of files) expect((await stat(path)).size).toBe(size)
  }
}

/** There is no file that no version lists. What could not be removed goes with the next load. */
async function checkFolders(): Promise<void> {
  for (const name of tables) {
    const { commits } = await readDelta(rig.table(name))
    const listed = new Set(
      commits.flatMap((actions) => actions.flatMap(({ add }) => (add ? [basename(add.path)] : []))),
    )
    const there = await readdir(rig.table(name))
    expect(there.filter((file) => file !== '_delta_log' && !listed.has(file))).toEqual([])
    const log = await readdir(`${rig.table(name)}/_delta_log`)
    expect(log.filter((file) => file.startsWith('.'))).toEqual([])
  }
}
