import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { StagedSet } from '../../src/storage/staged-set.ts'

const place = { storage: createLocalStorage(), token: 'set' }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'staged-set-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('StagedSet publishes all of its files but those that are discarded, and leaves no staging file', async () => {
  await StagedSet.begin(place, async (set) => {
    const open = await set.open(join(folder, 'open.csv'))
    await open.write(Buffer.from('a\n'))
    await set.write(join(folder, 'whole.csv'), 'b\n', Buffer.from('c\n'))
    await (await set.write(join(folder, 'gone.csv'), 'd\n')).discard()
    await set.publish({ manifest: await set.write(join(folder, 'manifest.json'), '{}') })
  })
  expect(await readdir(folder)).toEqual(['manifest.json', 'open.csv', 'whole.csv'])
  expect(await readFile(join(folder, 'whole.csv'), 'utf8')).toBe('b\nc\n')
})

test('StagedSet publishes one file alone, and discards the others with what writes into them first', async () => {
  const order: string[] = []
  const set = new StagedSet(place)
  const kept = await set.write(join(folder, 'rejects.ndjson'), '{}\n')
  const other = await set.open(join(folder, 'other.csv'))
  set.keep({
    discard: async () => {
      order.push(...(await readdir(folder)).map((name) => name.replace(/\d+/, 'PID')))
      await other.discard()
    },
  })
  await set.publish({ files: [], manifest: kept, home: join(folder, 'manifest.json') })
  await set.discard()
  expect(order).toEqual(['.other.csv.PID-set.staging', 'rejects.ndjson'])
  expect(await readdir(folder)).toEqual(['rejects.ndjson'])
})

test('StagedSet discards everything if what fills it fails', async () => {
  const filling = StagedSet.begin(place, async (set) => {
    await set.write(join(folder, 'whole.csv'), 'a\n')
    throw new Error('out of paper')
  })
  await expect(filling).rejects.toThrow('out of paper')
  expect(await readdir(folder)).toEqual([])
})
