import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalPathFor } from '../../../src/storage/publication-journal.ts'
import type { LandingManifest } from '../../../src/manifest/manifest.ts'
import { ServiceStub, type Answer } from '../../service/read/service-stub.ts'
import { cases } from '../../depth.ts'
import { BuiltCli, type CliProcess } from '../built-cli.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

type Version = 'active' | 'inactive'

/** When a fetch is killed: so long after its request arrived, or after it began to put its files in place. */
interface Moment {
  readonly after: 'request' | 'journal'
  readonly delayMs: number
}

const kills = cases(12, 4)
const lanes = 2
const lines = 3000
const file = 'data.ndjson.gz'
const journal = basename(journalPathFor(`${file}.manifest.json`))

let cli: BuiltCli
let folder: RunFolder
let stub: ServiceStub
let config: string

beforeAll(async () => {
  ;[cli, folder, stub] = await Promise.all([BuiltCli.build(), RunFolder.create(), ServiceStub.start(answerSlowly)])
  const source = { endpoint: 'v4/products/stream', baseUrl: stub.url, keyId: 'key', keySecret: 'secret' }
  const tables = { ids: { columns: ['id'] } }
  config = await folder.write('k.yaml', JSON.stringify({ name: 'k', source, tables, outputs: [{ format: 'csv' }] }))
})
afterAll(() => Promise.all([folder.remove(), stub[Symbol.asyncDispose]()]))

describe('a fetch that is killed while it replaces one file by another', () => {
  test(
    `a fetch that is killed while it replaces a file leaves one that can be run, ${kills} times`,
    { timeout: 120_000 },
    async () => {
      const moments = chooseMoments()
      const perLane = kills / lanes
      const seen = await Promise.all(
        Array.from({ length: lanes }, (_, lane) =>
          runLane(folder.at(`lane-${lane}`), moments.slice(lane * perLane, (lane + 1) * perLane)),
        ),
      )
      // Otherwise the times of the kills were not those that matter.
      const left = seen.flat()
      expect(left.filter((names) => names.some((name) => name.endsWith('.staging'))).length).toBeGreaterThan(
        cases(2, 0),
      )
      expect(left.filter((names) => names.includes(journal)).length).toBeGreaterThanOrEqual(cases(1, 0))
    },
  )
})

/** Kills fetches one after the other in one folder; resolves with the file names that each left. */
async function runLane(path: string, moments: readonly Moment[]): Promise<string[][]> {
  await mkdir(path)
  await land('active', path)
  const left: string[][] = []
  for (const [index, moment] of moments.entries()) {
    const [before, after]: Version[] = index % 2 === 0 ? ['active', 'inactive'] : ['inactive', 'active']
    await killFetch(after!, path, moment)
    left.push(await readdir(path))
    const isBetween = left.at(-1)!.includes(journal)
    expect([before, after]).toContain(isBetween ? before : await readVersion(path))
    await runFrom(path)
    // A run finishes what the fetch began, or finds what was there before.
    expect([before, after]).toContain(await readVersion(path))
    await land(after!, path)
  }
  return left
}

async function killFetch(version: Version, path: string, { after, delayMs }: Moment): Promise<void> {
  const journalled = watchForJournal(path)
  const asked = stub.requests.filter(({ url }) => url.includes(basename(path))).length
  const child = startFetch(version, path)
  const hasAsked = async (): Promise<void> => {
    while (stub.requests.filter(({ url }) => url.includes(basename(path))).length === asked) await sleep(2)
  }
  await Promise.race([after === 'journal' ? journalled.appeared : hasAsked(), child.ended])
  await Promise.race([sleep(delayMs), child.ended])
  child.kill('SIGKILL')
  journalled.stop()
  const { code, signal, stderr } = await child.ended
  expect({ end: signal ?? code, stderr }).toEqual({ end: signal === null ? 0 : 'SIGKILL', stderr: '' })
}

function startFetch(version: Version, path: string): CliProcess {
  return cli.start(toFetch(version, path))
}

function toFetch(version: Version, path: string): string[] {
  // The folder is in the address, so that each lane knows its own requests.
  const baseUrl = `source.baseUrl=${stub.url}/${basename(path)}`
  const settings = ['--set', baseUrl, '--set', `source.filter.status=${version}`]
  return ['fetch', config, '--to', join(path, file), '--quiet', ...settings]
}

/** Lands a version in this process, which finishes or undoes what the killed fetch left. */
async function land(version: Version, path: string): Promise<void> {
  expect(await runInMemory(toFetch(version, path))).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await readVersion(path)).toBe(version)
  expect((await readdir(path)).toSorted()).toEqual([file, `${file}.manifest.json`])
}

/** The version that both file and manifest have. */
async function readVersion(path: string): Promise<unknown> {
  const bytes = await readFile(join(path, file))
  const landing = JSON.parse(await readFile(join(path, `${file}.manifest.json`), 'utf8')) as LandingManifest
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect({ bytes: bytes.length, sha256 }).toEqual(landing.file)
  return (landing.request.filter as { status: unknown }).status
}

async function runFrom(path: string): Promise<void> {
  const args = ['run', config, '--from', join(path, file), '--out', `${path}-out`, '--json', '--quiet']
  const { exitCode, stdout, stderr } = await runInMemory(args)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const report = { ledger: { accepted: lines }, completeness: { status: 'proven' } }
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ report }] })
}

function watchForJournal(path: string) {
  let found: () => void
  const appeared = new Promise<void>((resolve) => (found = resolve))
  const watcher = watch(path, (_, changed) => {
    if (changed === journal) found()
  })
  return { appeared, stop: () => watcher.close() }
}

/** A third of the moments are during the answer, the others right after the journal appeared. */
function chooseMoments(): Moment[] {
  return Array.from({ length: kills }, (_, index): Moment => {
    const isEarly = index % 3 === 0
    return isEarly ? { after: 'request', delayMs: index * 12 } : { after: 'journal', delayMs: (index / 3) ** 2 }
  })
}

/** Sends the same lines for the same filter within a tenth of a second. */
async function answerSlowly(...[response, { body }]: Parameters<Answer>): Promise<void> {
  const { status } = (body as { filter: { status: Version } }).filter
  const step = lines / 50
  for (let from = 0; from < lines; from += step) {
    const indexes = Array.from({ length: step }, (_, index) => from + index)
    response.write(indexes.map((index) => toLine(index, status)).join(''))
    await sleep(2)
  }
  response.end()
}

function toLine(index: number, status: Version): string {
  return `${JSON.stringify({ meta: { total: lines, index }, result: { id: `M${index}`, status } })}\n`
}
