import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearStale, type FrameOptions, inFrame } from '../../src/engine/frame.ts'
import { CatalogueError } from '../../src/errors.ts'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { stagingPath } from '../../src/storage/staging-names.ts'

let folder: string
let options: FrameOptions

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frame-'))
  const lock = join(folder, '_manifest.json')
  const unchanged = 'Nothing was saved.'
  options = { name: 'brands', noun: 'run', lock, storage: createLocalStorage(), homes: [lock], unchanged }
})
afterEach(() => rm(folder, { recursive: true }))

const noStorage = () => Promise.reject(new CatalogueError('PEER_MISSING', 'no client'))
const noDisk = () => Promise.reject(new Error('the disk is gone'))

test('inFrame releases the lock and everything opened after work that fails', async () => {
  const released: string[] = []
  const failing = inFrame(options, async ({ releases }) => {
    expect(await readdir(folder)).toEqual(['._manifest.json.lock'])
    releases.push(async () => void released.push('source'))
    throw new CatalogueError('SOURCE_FAILED', 'brands: no line')
  })
  await expect(failing).rejects.toMatchObject({ code: 'SOURCE_FAILED', outputs: 'Nothing was saved.' })
  expect(released).toEqual(['source'])
  expect(await readdir(folder)).toEqual([])
})

test('inFrame releases the lock if the storage cannot be opened', async () => {
  await expect(inFrame({ ...options, storage: noStorage }, () => Promise.resolve(0))).rejects.toMatchObject({
    code: 'PEER_MISSING',
  })
  expect(await readdir(folder)).toEqual([])
})

test('inFrame throws INTERRUPTED when the signal aborts, and mentions staging files that are left', async () => {
  const stop = new AbortController()
  const stopped = inFrame({ ...options, abandon: noDisk, signal: stop.signal }, async () => {
    stop.abort()
    stop.signal.throwIfAborted()
  })
  await expect(stopped).rejects.toMatchObject({
    code: 'INTERRUPTED',
    exitCode: 130,
    message: 'brands: the run was interrupted',
    outputs: 'Nothing was saved. Staging files may be left: the disk is gone. The next run clears them.',
  })
})

test('clearStale keeps the staging files of work under way in this process until it ends', async () => {
  const destination = join(folder, 'brands.csv')
  const staged = (token: string) => stagingPath(destination, { pid: process.pid, token })
  await inFrame({ ...options, lock: undefined, run: 'mine' }, async ({ token }) => {
    for (const each of [token, 'ended']) await writeFile(staged(each), '')
    await clearStale([destination])
    expect(await readdir(folder)).toEqual([`.brands.csv.${process.pid}-mine.staging`])
  })
  await clearStale([destination])
  expect(await readdir(folder)).toEqual([])
})
