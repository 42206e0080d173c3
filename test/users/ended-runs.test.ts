import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { appendFile, readFile, rm, truncate } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildChild } from '../built-child.ts'
import { type Clock, systemClock } from '../../src/service/http/clock.ts'
import { createRequestBudget } from '../../src/service/http/request-budget.ts'
import { Forwarder } from './forwarder.ts'
import { listCreated, toAddresses, toCsv } from './user-files.ts'
import { UserRig } from './user-rig.ts'

let rig: UserRig

beforeEach(async () => {
  rig = await UserRig.start()
})
afterEach(() => rig[Symbol.asyncDispose]())

const script = await buildChild('creating-child.ts')

describe('a run that creates users and ends early', () => {
  test('lets running requests end after an interruption, and keeps their results', async () => {
    const interrupted = new AbortController()
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(12)), {
      signal: interrupted.signal,
      onProgress: ({ done }) => done >= 2 && interrupted.abort(),
    })
    expect(report.stopped).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(report).toMatchObject({ failed: 0, created: report.users.length, unsent: 12 - report.users.length })
    expect(report.created).toBeLessThan(7)
    expect(await listCreated(rig.sandbox)).toHaveLength(report.created)
    expect(await rig.folder.names()).not.toContain('users.csv.results.ndjson.sending')
    expect(await rig.create(rig.folder.at('users.csv'))).toMatchObject({
      created: 12 - report.created,
      skipped: report.created,
    })
  })

  test('ends at once if it is interrupted while it waits for its turn', async () => {
    const interrupt = new AbortController()
    const clock: Clock = {
      ...systemClock,
      sleep(milliseconds, signal) {
        setImmediate(() => interrupt.abort())
        return systemClock.sleep(milliseconds, signal)
      },
    }
    const budget = createRequestBudget({ clock })
    budget.pauseUntil(clock.now() + 3_600_000)
    const { signal } = interrupt
    const report = await rig.create(await rig.folder.write('users.csv', toCsv(3)), { signal }, { budget })
    expect(report).toMatchObject({ created: 0, failed: 0, unsent: 3, stopped: { code: 'INTERRUPTED' } })
    expect(await rig.folder.names()).not.toContain('users.csv.results.ndjson.sending')
  })

  test('replaces an incomplete result line that a killed run left', async () => {
    const file = await rig.folder.write('users.csv', toCsv(3))
    await rig.create(file)
    const results = rig.folder.at('users.csv.results.ndjson')
    const text = await readFile(results, 'utf8')
    await truncate(results, text.lastIndexOf('\n', text.length - 2) + 30)
    await appendFile(`${results}.sending`, '{"baseUrl":"http://127')
    // The journal of a killed run would name the user. Without it, the service refuses the address.
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 2, failed: 1 })
    expect((await rig.folder.readResults()).map(({ status }) => status)).toEqual([
      'created',
      'created',
      'skipped',
      'skipped',
      'failed',
    ])
  })

  test('counts a last result line without a line break', async () => {
    const file = await rig.folder.write('users.csv', toCsv(2))
    await rig.create(file)
    const results = rig.folder.at('users.csv.results.ndjson')
    await truncate(results, (await readFile(results)).length - 1)
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 2 })
    expect(await rig.folder.readResults()).toHaveLength(4)
  })

  test('is refused while another run creates the users of the same file', async () => {
    const file = await rig.folder.write('users.csv', toCsv(4))
    const runs = await Promise.allSettled([rig.create(file), rig.create(file)])
    const refused = runs.filter((run) => run.status === 'rejected')
    expect(refused.map(({ reason }) => reason as unknown)).toEqual([
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining('another run is using these results') as string,
      }),
    ])
    expect(await listCreated(rig.sandbox)).toEqual(toAddresses(4))
    expect(await rig.create(file)).toMatchObject({ created: 0, skipped: 4 })
  })

  test("ends if results can't be written, and the next run finds who was created", async () => {
    const file = await rig.folder.write('users.csv', toCsv(8))
    const results = rig.folder.at('results.ndjson')
    const report = await rig.create(file, {
      results,
      onProgress: ({ done }) => {
        // A directory in place of the file: nothing can be appended.
        if (done !== 2) return
        rmSync(results)
        mkdirSync(results)
      },
    })
    expect(report.stopped).toMatchObject({ code: 'OUTPUT_REFUSED', exitCode: 2 })
    expect(report.unsent).toBeGreaterThan(0)
    const created = await listCreated(rig.sandbox)
    await rm(results, { recursive: true })
    const before = rig.creations.length
    const next = await rig.create(file, { results })
    expect(next).toMatchObject({ failed: 2, created: 6 })
    expect(rig.creations.length - before).toBe(8 - created.length + 2)
    expect(await listCreated(rig.sandbox)).toEqual(toAddresses(8))
  })

  test(
    'leaves nobody out and sends nobody twice, though it is killed again and again',
    { timeout: 60_000 },
    async () => {
      await using forwarder = await Forwarder.start(rig.sandbox.baseUrl)
      const file = await rig.folder.write('users.csv', toCsv(24))
      // The worst time: the service has created a user but not yet answered.
      for (const fulfilled of [1, 3, 5]) {
        const child = spawn(process.execPath, [script, forwarder.url, file])
        let count = 0
        forwarder.onFulfilled((path) => {
          if (path === '/v4/users/create' && ++count === fulfilled) child.kill('SIGKILL')
        })
        expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
        expect(await rig.folder.names()).toContain('users.csv.results.ndjson.sending')
      }
      forwarder.onFulfilled(() => undefined)
      const service = { ...rig.sandbox, baseUrl: forwarder.url }
      const report = await rig.create(file, { service })
      expect(report).toMatchObject({ failed: 0, unsent: 0, stopped: null })
      expect(report.created + report.skipped).toBe(24)
      expect(report.users.filter(({ note }) => note?.includes('the service lists'))).not.toEqual([])
      expect(await listCreated(rig.sandbox)).toEqual(toAddresses(24))
      expect(rig.creations.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200))
      expect(await rig.create(file, { service })).toMatchObject({ created: 0, skipped: 24 })
    },
  )
})
