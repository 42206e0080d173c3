import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileSystem } from '../../src/storage/file-system.ts'
import { publish } from '../../src/storage/publication.ts'
import { recoverPublication } from '../../src/storage/recover-publication.ts'
import { clearStaleStaging } from '../../src/storage/stale-staging.ts'
import { stagingPath } from '../../src/storage/staging-names.ts'
import { cases, stride } from '../depth.ts'
import { buildChild } from '../built-child.ts'
import { OutputFolder } from './output-folder.ts'
import { never, refuseLink, systemError, watchFileSystem, type Operation, type Watch } from './watched-file-system.ts'

const timeout = 60_000

describe('a process killed while it publishes', () => {
  const fileCount = 6
  let script: string

  beforeAll(async () => {
    script = await buildChild('publication-child.ts')
  }, timeout)

  test(
    'a process killed while it publishes leaves the old version or the new one, before any of its operations',
    { timeout },
    async () => {
      const operations = await countOperations(fileCount)
      expect(operations).toBeGreaterThan(50)
      const ends = new Set<string>()
      const stops = Array.from({ length: operations }, (_, index) => index).filter(
        (index) => index % stride(12) === 0 || index > operations - 3,
      )
      await inFolders(fileCount, stops.length, async (folder, at) => {
        const index = stops[at]!
        // Every other time, some outputs are there for the first time.
        const before = index % 2 === 0 ? folder.destinations : folder.destinations.slice(2)
        await folder.reset('A', before)
        const child = startChild(script, folder, `${index + 1}`)
        expect(await child.signal).toBe('SIGKILL')
        ends.add(await expectWholeVersion(folder, before))
      })
      expect([...ends].sort()).toEqual(['finished B', 'none A', 'none B'])
    },
  )

  test(
    'a process killed while it publishes leaves the old version or the new one, at any time',
    { timeout },
    async () => {
      const random = createRandom(20)
      const delaysMs = Array.from({ length: cases(24, 3) }, () => random() * 50)
      await inFolders(fileCount, delaysMs.length, async (folder, index) => {
        await folder.reset('A')
        const child = startChild(script, folder, 'loop')
        await child.ready
        await sleep(delaysMs[index])
        child.kill()
        expect(await child.signal).toBe('SIGKILL')
        await expectWholeVersion(folder, folder.destinations)
      })
    },
  )
})

/** Simulates the end of the process: from one operation on, none returns. Fast enough for two ends in a row. */
describe('a publication that stops anywhere, and whose recovery stops anywhere', () => {
  let folder: OutputFolder

  beforeAll(async () => {
    folder = await OutputFolder.create(2)
  })
  afterAll(() => rm(folder.path, { recursive: true }))

  test(
    'a recovery that stops anywhere leaves the old version or the new one when it finishes a publication',
    { timeout },
    async () => {
      const ends = await stopTwice(async (fs) => publish(await folder.stage('B', 'token'), fs))
      expect(ends).toEqual(['finished B', 'none A', 'none B'])
    },
  )

  test(
    'a recovery that stops anywhere leaves the old version or the new one when a staging file is lost',
    { timeout },
    async () => {
      const ends = await stopTwice(
        async (fs) => publish(await folder.stage('B', 'token'), fs),
        () => rm(stagingPath(folder.manifest, { pid: process.pid, token: 'token' }), { force: true }),
        refuseLink,
      )
      expect(ends).toEqual(['finished B', 'none A', 'none B', 'undone A'])
    },
  )

  test(
    'a recovery that stops anywhere leaves the old version or the new one when a failed rename is undone',
    { timeout },
    async () => {
      const ends = await stopTwice(async (fs) => {
        const failing = refuseFirstRenameTo(folder.manifest, fs)
        // Not `expect(…).rejects`: the test would wait for the runs that stopped.
        const failure: unknown = await publish(await folder.stage('B', 'token'), failing).catch(
          (thrown: unknown) => thrown,
        )
        expect(failure).toMatchObject({ code: 'OUTPUT_FAILED' })
      })
      expect(ends).toEqual(['finished B', 'none A', 'none B'])
    },
  )

  /**
   * Stops a run and then its recovery before each of their operations; resolves with the results of the next recovery.
   */
  async function stopTwice(
    run: (fs: FileSystem) => Promise<unknown>,
    between = async () => {},
    before?: Watch['before'],
  ): Promise<string[]> {
    const previous = folder.destinations.slice(1)
    const ends = new Set<string>()
    for (let [stop, stopped] = [1, true]; stopped; stop += stride(5)) {
      // Every third end of the recovery, from another one on each time.
      for (let [stopRecovery, recoveryStopped] = [1 + (stop % 3), true]; recoveryStopped; stopRecovery += 3) {
        await folder.reset('A', previous)
        stopped = await runUntil(stop, run, before)
        await between()
        recoveryStopped = await runUntil(stopRecovery, (fs) => recoverPublication(folder.journal, fs), before)
        ends.add(await expectWholeVersion(folder, previous))
      }
    }
    return [...ends].sort()
  }
})

/** Checks what a stopped publication of B leaves, what recovery makes of it, and that no other file is left. */
async function expectWholeVersion(folder: OutputFolder, before: readonly string[]): Promise<string> {
  const old = folder.destinations.map((path) => (before.includes(path) ? 'A' : 'absent'))
  const found = await folder.versions()
  for (const [index, version] of found.entries()) expect(['A', 'B', old[index]]).toContain(version)

  const outcome = await recoverPublication(folder.journal)
  const recovered = await folder.versions()
  expect(outcome === 'none' ? recovered : await folder.leftOvers()).toEqual(outcome === 'none' ? found : [])
  const isNew = recovered.at(-1) === 'B'
  const hasSuperseded = await folder.hasSuperseded()
  expect(isNew && hasSuperseded).toBe(false)
  expect(recovered).toEqual(isNew ? recovered.map(() => 'B') : old)

  await clearStaleStaging(folder.destinations, new Set())
  expect(await folder.leftOvers()).toEqual([])
  expect(await recoverPublication(folder.journal)).toBe('none')
  expect(await folder.versions()).toEqual(recovered)
  return `${outcome} ${isNew ? 'B' : hasSuperseded ? 'A' : 'A without a file'}`
}

/** True if the run was stopped before this operation; it may have ended earlier. */
async function runUntil(
  stop: number,
  run: (fs: FileSystem) => Promise<unknown>,
  refuse?: Watch['before'],
): Promise<boolean> {
  const handles: FileHandle[] = []
  const isStopped = await new Promise<boolean>((resolve, reject) => {
    const before = async (operation: Operation): Promise<void> => {
      if (operation.index < stop) return refuse?.(operation)
      resolve(true)
      await never()
    }
    const fs = watchFileSystem({ before, opened: (handle) => handles.push(handle), skipsSync: true })
    run(fs).then(() => resolve(false), reject)
  })
  for (const handle of handles) await handle.close()
  return isStopped
}

function refuseFirstRenameTo(destination: string, fs: FileSystem): FileSystem {
  let isFirst = true
  const before = ({ name, path }: Operation) => {
    if (name !== 'rename' || path !== destination || !isFirst) return
    isFirst = false
    throw systemError('EIO', -5, 'rename')
  }
  return watchFileSystem({ before }, fs)
}

function startChild(script: string, folder: OutputFolder, kill: string) {
  const args = [script, folder.path, `${folder.outputs.length}`, kill]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    ready: once(child.stdout, 'data'),
    signal: ended.then(([exitCode, signal]) => signal ?? exitCode),
    kill: () => child.kill('SIGKILL'),
  }
}

/** Runs the numbered cases four at a time, each in a folder of its own. */
async function inFolders(
  fileCount: number,
  count: number,
  runCase: (folder: OutputFolder, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const runCases = async () => {
    const folder = await OutputFolder.create(fileCount)
    try {
      while (next < count) await runCase(folder, next++)
    } finally {
      await rm(folder.path, { recursive: true })
    }
  }
  await Promise.all(Array.from({ length: 4 }, runCases))
}

async function countOperations(fileCount: number): Promise<number> {
  const folder = await OutputFolder.create(fileCount)
  const operations: Operation[] = []
  const fs = watchFileSystem({ before: (operation) => void operations.push(operation) })
  await publish(await folder.stage('A', 'count'), fs)
  await rm(folder.path, { recursive: true })
  return operations.length
}

/** Random numbers in [0, 1), equal for an equal seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
