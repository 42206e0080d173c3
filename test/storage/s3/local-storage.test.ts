import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FileStorage } from '../../../src/storage/file-storage.ts'
import { openStorage } from '../../../src/storage/open-storage.ts'

let folder: string
let storage: FileStorage

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-storage-'))
  storage = await openStorage(join(folder, 'a.csv'), {})
})

afterEach(() => rm(folder, { recursive: true }))

test('local storage keeps the names of files, and removes files that the manifest does not list any more at once', async () => {
  await publish('one', ['a.csv', 'status=active/b.csv'], [])
  await publish('two', ['a.csv'], [join(folder, 'status=active/b.csv'), join(folder, 'never.csv')])
  expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('a.csv of two')
  expect((await readdir(folder)).sort()).toEqual(['_manifest.json', 'a.csv', 'status=active'])
  expect(await readdir(join(folder, 'status=active'))).toEqual([])
  expect(await storage.recover(join(folder, '_manifest.json'))).toBe('none')
})

test('local storage reads, lists and removes files as a bucket does', async () => {
  await publish('one', ['status=active/b.csv', 'a.csv'], [])
  const [a, none] = [join(folder, 'a.csv'), join(folder, 'none', 'none.csv')]
  expect(Buffer.from((await storage.read(a)) ?? []).toString()).toBe('a.csv of one')
  expect([await storage.sizeOf(a), await storage.sizeOf(none), await storage.read(none)]).toEqual([12, null, null])
  const listed: string[] = []
  for await (const { path } of storage.list(folder)) listed.push(path.slice(folder.length + 1))
  expect(listed).toEqual(['_manifest.json', 'a.csv', 'status=active/b.csv'])
  for await (const { path } of storage.list(join(folder, 'none'))) listed.push(path)
  expect(listed).toHaveLength(3)
  expect(await storage.toLocal(a, join(folder, 'copy.csv'))).toBe(a)
  expect(await storage.sizeOf(join(folder, 'copy.csv'))).toBeNull()
  await storage.remove(a)
  await storage.remove(a)
  expect(await storage.sizeOf(a)).toBeNull()
})

async function publish(token: string, names: readonly string[], removals: readonly string[]): Promise<void> {
  const finish = async (name: string, content: string, perRun: boolean) => {
    const file = await storage.openFile(join(folder, name), { token, perRun })
    await file.write(Buffer.from(content))
    const { sha256 } = await file.finish()
    return { path: file.path, destination: file.destination, sha256 }
  }
  const files = []
  for (const name of names) files.push(await finish(name, `${name} of ${token}`, true))
  const manifest = await finish('_manifest.json', 'manifest', false)
  expect(await storage.publish({ files, manifest, home: join(folder, '_manifest.json'), removals })).toEqual([])
}
