import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { takeFileLock, lockPathFor } from '../../../src/storage/lock/file-lock.ts'

let folder: string
let lockPath: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipeline-lock-'))
  lockPath = lockPathFor(join(folder, 'brands/_manifest.json'))
  await writeFile(join(folder, 'input.ndjson'), '{"id":1,"name":{"nl":"A"}}\nnot JSON\n')
})
afterAll(() => rm(folder, { recursive: true }))

const run = (options: RunOptions = {}) =>
  runPipeline(
    {
      name: 'brands',
      source: { files: [join(folder, 'input.ndjson')], contract: 'v4/brand' },
      rejects: { limit: 1 },
      outputs: [{ format: 'csv', path: join(folder, 'brands/{table}.csv') }],
    },
    options,
  )
const list = () => readdir(join(folder, 'brands'))

test('a run holds the lock under its name while it reads, and releases it', async () => {
  let said = ''
  await run({ run: 'mine', onSource: () => (said = 'asked') })
  expect(said).toBe('asked')
  let holder: unknown
  const onProgress = () => void readFile(lockPath, 'utf8').then((text) => (holder = JSON.parse(text)))
  await run({ run: 'mine', onProgress })
  expect(holder).toMatchObject({ run: 'mine', pid: process.pid })
  expect((await list()).toSorted()).toEqual([
    '_manifest.json',
    '_profile.json',
    '_rejects.ndjson',
    '_report.html',
    '_runs.ndjson',
    'brands.csv',
  ])
})

test('the second of two runs in one process is refused, or waits', async () => {
  const results = await Promise.allSettled([run(), run(), run({ wait: true }), run({ wait: 60_000 })])
  const codes = results.map((result) =>
    result.status === 'rejected' ? (result.reason as { code: string }).code : 'ok',
  )
  expect(codes.slice(0, 2).toSorted()).toEqual(['LOCKED', expect.stringMatching(/ok|LOCKED/)])
  expect(codes.slice(2)).toEqual(['ok', 'ok'])
  expect(await list()).toHaveLength(6)
})

test('a refused run touches nothing, not even stale staging files', async () => {
  const stale = join(folder, 'brands/.brands.csv.2147483646-dead.staging')
  await writeFile(stale, 'stale')
  const held = await takeFileLock(lockPath, { subject: 'brands', run: 'other' })
  await expect(run()).rejects.toMatchObject({ code: 'LOCKED', exitCode: 6 })
  expect(await readFile(stale, 'utf8')).toBe('stale')
  await held.release()
  await run()
  await expect(readFile(stale)).rejects.toThrow('ENOENT')
})

test('a run that has lost its lock publishes nothing, rejects included', async () => {
  await run()
  const before = await Promise.all((await list()).map((name) => readFile(join(folder, 'brands', name), 'utf8')))
  let other: Promise<{ release: () => Promise<void> }> | null = null
  const onProgress = () => void (other ??= takeOver())
  await expect(run({ onProgress })).rejects.toMatchObject({
    code: 'LOCKED',
    title: 'Another run has taken over',
    outputs: 'Nothing was saved; the earlier outputs are as they were.',
  })
  await (await other!).release()
  expect(await Promise.all((await list()).map((name) => readFile(join(folder, 'brands', name), 'utf8')))).toEqual(
    before,
  )
})

async function takeOver() {
  await rm(lockPath)
  return takeFileLock(lockPath, { subject: 'brands', run: 'other' })
}
