import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CatalogueError } from '../../../src/errors.ts'
import { takeFileLock, lockPathFor, type FileLockOptions } from '../../../src/storage/lock/file-lock.ts'
import type { Lock } from '../../../src/storage/lock/wait-for-lock.ts'
import { formatHolder, readOwnHolder, type LockHolder } from '../../../src/storage/lock/lock-holder.ts'
import { clearStaleStaging } from '../../../src/storage/stale-staging.ts'
import { buildChild } from '../../built-child.ts'
import { cases } from '../../depth.ts'

let folder: string
let path: string
let script: string

beforeAll(async () => {
  script = await buildChild('lock-child.ts')
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
  path = join(folder, '._manifest.json.lock')
  return () => rm(folder, { recursive: true })
})

let runs = 0
const take = (options: Partial<FileLockOptions> = {}): Promise<Lock> =>
  takeFileLock(path, { subject: 'products', run: `run${++runs}`, ...options })

async function refusal(options: Partial<FileLockOptions> = {}): Promise<CatalogueError> {
  const error: unknown = await take(options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CatalogueError)
  return error as CatalogueError
}

/** Leaves a lock, as another process would have. */
async function leave(holder: Partial<LockHolder>, ageMs = 0): Promise<void> {
  const since = '2026-01-02T03:04:05.678Z'
  await writeFile(path, formatHolder({ ...(await readOwnHolder('left')), since, ...holder }))
  const seconds = (Date.now() - ageMs) / 1000
  await utimes(path, seconds, seconds)
}

const otherMachine = { host: 'elsewhere', processes: 'another boot pid:[1]', pid: 77 }

describe('a lock', () => {
  test('a lock is held by one run at a time, and leaves no file', async () => {
    const first = await take()
    expect(await refusal()).toMatchObject({ code: 'LOCKED', exitCode: 6 })
    await first.confirm()
    await first.release()
    await (await take()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a lock that is held is refused with its holder, the time, and what to do', async () => {
    const lock = await take({ run: 'abc' })
    const { message, fix, outputs } = await refusal()
    expect(message).toMatch(
      new RegExp(
        `^products: expected no other run of it at the same time, got process ${process.pid} on ".+", run abc, since \\d{4}-.+Z$`,
      ),
    )
    expect(fix).toContain('`--wait`')
    expect(outputs).toBe('This run read nothing and published nothing.')
    await lock.release()
  })

  test('a lock is waited for as long as waitMs', async () => {
    const first = await take()
    const messages: string[] = []
    const second = take({ waitMs: Infinity, onWait: (message) => messages.push(message) })
    expect(await refusal({ waitMs: 60 })).toMatchObject({ code: 'LOCKED' })
    await first.release()
    await (await second).release()
    expect(messages).toEqual([expect.stringMatching(/^waits for process \d+ on /)])
  })

  test('a lock is not waited for any more after an abort', async () => {
    const first = await take()
    const signal = AbortSignal.timeout(30)
    expect(await refusal({ waitMs: Infinity, signal })).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    await first.release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a lock creates its folder, or fails naming it', async () => {
    const deep = join(folder, 'a/b/.m.lock')
    await (await takeFileLock(deep, { subject: 's', run: 'r' })).release()
    await writeFile(join(folder, 'file'), '')
    const blocked = takeFileLock(join(folder, 'file/.m.lock'), { subject: 's', run: 'r' })
    await expect(blocked).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
      message: `${join(folder, 'file')}: expected a folder, got a file`,
    })
  })

  test('the lock of a file is beside it', () => {
    expect(lockPathFor('out/_manifest.json')).toBe(join('out', '._manifest.json.lock'))
  })
})

describe('the lock of a dead holder', () => {
  test('a lock whose holder was killed is taken over', async () => {
    const process = start(path, '0')
    await once(process.stdout, 'data')
    expect(await refusal()).toMatchObject({ message: expect.stringContaining(`process ${process.pid} `) })
    process.kill('SIGKILL')
    await once(process, 'exit')
    await (await take()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test("a lock whose holder's pid another process has now is taken over", async () => {
    await leave({ startTicks: '1' })
    const lock = await take()
    await expect(lock.confirm()).resolves.toBeUndefined()
    await lock.release()
  })

  test('a lock whose holder died as it took the lock over is taken over', async () => {
    await leave({ startTicks: '1', run: 'first' })
    const heir = { ...(await readOwnHolder('second')), startTicks: '1' }
    await writeFile(join(folder, `._manifest.json.${process.pid}-first_heir.partial`), formatHolder(heir))
    await (await take()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a candidate that a dead holder of a lock left is cleared by the next run', async () => {
    const candidate = join(folder, '._manifest.json.2147483646-dead_lock.partial')
    await writeFile(candidate, '')
    expect(await clearStaleStaging([join(folder, '_manifest.json')], new Set())).toEqual([candidate])
  })
})

describe('a holder of a lock on another machine', () => {
  test('a holder on another machine keeps the lock while it gives signs of life', async () => {
    await leave(otherMachine, 30_000)
    const { message, fix } = await refusal()
    expect(message).toMatch(
      /got process 77 on "elsewhere", run left, since 2026-01-02T03:04:05.678Z, which can't be seen from here; its last sign of life is 30 s old$/,
    )
    expect(fix).toBe(
      `Wait for it with \`--wait\`: after 120 s without a sign of life it counts as dead. If you know that it is, delete "${path}".`,
    )
  })

  test('a holder on another machine counts as dead after the lease without a sign of life', async () => {
    await leave(otherMachine, 121_000)
    await (await take()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a lock that is an empty file is refused until its lease has ended', async () => {
    await writeFile(path, '')
    expect((await refusal()).message).toMatch(/got a lock that does not name its holder, which can't be seen/)
    await utimes(path, 1, 1)
    await (await take()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a holder of a lock gives signs of life by itself', async () => {
    const lock = await take({ leaseMs: 120 })
    const asElsewhere = (await readFile(path, 'utf8')).replace(/"processes":"[^"]*"/, '"processes":"elsewhere"')
    // In place, so that the holder continues to write to it.
    await writeFile(path, asElsewhere, { flag: 'r+' })
    await sleep(250)
    expect(await refusal({ leaseMs: 120 })).toMatchObject({ code: 'LOCKED' })
    await lock.release()
  })

  test('a holder that was suspended finds that it has lost the lock, and does not remove that of the other', async () => {
    const slow = await take({ run: 'slow' })
    await rm(path)
    const other = await take({ run: 'quick' })
    await expect(slow.confirm()).rejects.toMatchObject({
      code: 'LOCKED',
      message: expect.stringContaining('run quick'),
    })
    await slow.release()
    await other.confirm()
    await other.release()
  })
})

test('processes that start at once, some of which are killed, have the lock one at a time', async () => {
  const processes = 2 * cases(10, 3)
  const ended = Array.from({ length: processes }, async (_, index) => {
    const process = start(path, '6', index % 2 === 0 ? '' : `${150 + index * 25}`)
    let said = ''
    process.stdout.on('data', (text: Buffer) => (said += text.toString()))
    const [code] = (await once(process, 'close')) as [number | null]
    return { code, said }
  })
  const ends = await Promise.all(ended)
  expect(ends.map(({ said }) => said).join('')).toBe('')
  expect(ends.filter((_, index) => index % 2 === 0).map(({ code }) => code)).toEqual(Array(processes / 2).fill(0))
  expect((await readFile(`${path}.log`, 'utf8')).length).toBeGreaterThanOrEqual(3 * processes)
  await (await take()).release()
})

function start(...args: string[]) {
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
