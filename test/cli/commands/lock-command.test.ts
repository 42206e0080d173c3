import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockPathFor, takeFileLock } from '../../../src/storage/lock/file-lock.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string
let lockPath: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 5)
  config = await folder.config('brands', 'brands.ndjson')
  await runInMemory(['run', config, '--out', folder.out, '--workers', '0'])
  lockPath = lockPathFor(folder.at('out/brands/_manifest.json'))
})
afterAll(() => folder.remove())

const lock = (...args: string[]) => runInMemory(['lock', config, '--out', folder.out, ...args])

/** The lock of a process that nobody can see from here. */
async function writeForeign(): Promise<void> {
  const holder = {
    run: 'far',
    pid: 7,
    startTicks: '1',
    host: 'far',
    processes: 'far',
    since: '2026-01-02T03:04:05.000Z',
  }
  await writeFile(lockPath, `${JSON.stringify({ format: 'catalogue-etl lock 1', ...holder })}\n`)
}

test('lock says that nobody has the lock of a pipeline, with exit code 0', async () => {
  expect(await lock()).toMatchObject({ exitCode: 0, stdout: 'brands: free\n' })
  const { stdout } = await lock('--json')
  expect(JSON.parse(stdout)).toMatchObject({ pipeline: 'brands', isHeld: false, lock: null })
})

test('lock names the run on this machine that has the lock, with exit code 6, and does not break that', async () => {
  const held = await takeFileLock(lockPath, { subject: 'brands', run: 'mine' })
  const { exitCode, stdout } = await lock()
  expect({ exitCode, stdout }).toEqual({
    exitCode: 6,
    stdout: expect.stringMatching(
      new RegExp(`^brands: process ${process.pid} on ".+", run mine, since .+Z\n$`),
    ) as string,
  })
  const refused = await lock('--break')
  expect(refused.exitCode).toBe(6)
  expect(refused.stderr).toContain('LOCKED')
  await held.confirm()
  await held.release()
})

test('lock --break takes the lock from a run on another machine, and the next run goes ahead', async () => {
  await writeForeign()
  const { exitCode, stdout } = await lock()
  expect({ exitCode, stdout }).toEqual({
    exitCode: 6,
    stdout: expect.stringMatching(
      /process 7 on "far", run far, .*without a sign of life it loses the lock in \d/,
    ) as string,
  })
  expect((await runInMemory(['run', config, '--out', folder.out])).exitCode).toBe(6)
  expect(await lock('--break')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('taken from process 7') as string,
  })
  expect(await lock('--break')).toMatchObject({ exitCode: 0, stdout: 'brands: free\n' })
  expect((await runInMemory(['run', config, '--out', folder.out, '--workers', '0'])).exitCode).toBe(0)
})
