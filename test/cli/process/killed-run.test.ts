import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import { journalPathFor } from '../../../src/storage/publication-journal.ts'
import { cases } from '../../depth.ts'
import { BuiltCli } from '../built-cli.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

type Version = 'a' | 'b'

/** When a run is killed: so long after its start, or after it began to publish. */
interface Moment {
  readonly after: 'start' | 'journal'
  readonly delayMs: number
}

interface Seen {
  /** The versions of the outputs right after the kill. */
  readonly versions: string
  readonly hasJournal: boolean
  readonly hasStaging: boolean
}

const kills = cases(20, 6)
const lanes = 2

let cli: BuiltCli
let folder: RunFolder
/** SHA-256 of every output, by version and name. */
let hashes: Record<Version, Readonly<Record<string, string>>>

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
  await Promise.all([
    folder.generate('a.ndjson', 'v4/brand', 3000, 1),
    folder.generate('b.ndjson', 'v4/brand', 3000, 2),
    folder.write('k.yaml', JSON.stringify(config('unset'))),
  ])
  hashes = { a: await publish('a', folder.at('reference')), b: await publish('b', folder.at('reference')) }
})
afterAll(() => folder.remove())

describe('a run that is killed while it replaces version A by version B', () => {
  test(
    `a run that is killed while it replaces outputs leaves whole ones and can be followed by the next, ${kills} times`,
    { timeout: 240_000 },
    async () => {
      const lifeMs = await measureLife()
      const moments = chooseMoments(lifeMs)
      const perLane = kills / lanes
      const laneOf = (lane: number) =>
        runLane(folder.at(`out-${lane}`), moments.slice(lane * perLane, (lane + 1) * perLane))
      const seen = (await Promise.all(Array.from({ length: lanes }, (_, lane) => laneOf(lane)))).flat()
      expect(seen).toHaveLength(kills)
      // Otherwise the times of the kills were not those that matter; of a few, none may be.
      const old = seen.filter(({ versions }) => versions === 'old')
      expect(seen.filter(({ hasStaging }) => hasStaging).length).toBeGreaterThanOrEqual(cases(3, 0))
      expect(seen.filter(({ hasJournal }) => hasJournal).length).toBeGreaterThanOrEqual(cases(1, 0))
      expect(old.length).toBeGreaterThanOrEqual(cases(1, 0))
    },
  )
})

/**
 * Kills runs one after the other in one folder. The version that the next run publishes is the old one of the next
 * kill.
 */
async function runLane(out: string, moments: readonly Moment[]): Promise<Seen[]> {
  await publish('a', out)
  const seen: Seen[] = []
  for (const [index, moment] of moments.entries()) {
    const [before, after]: Version[] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a']
    await killRun(after!, out, moment)
    seen.push(await expectWholeVersions(before!, after!, out))
    expect(await publish(after!, out)).toEqual(hashes[after!])
    expect((await readdir(join(out, 'k'))).toSorted()).toEqual(
      [...names(), '_manifest.json', '_profile.json', '_rejects.ndjson', '_report.html', '_runs.ndjson'].toSorted(),
    )
  }
  return seen
}

/** Checks what must hold after a kill at any time. */
async function expectWholeVersions(before: Version, after: Version, out: string): Promise<Seen> {
  const found = new Set<string>()
  for (const name of names()) {
    const hash = await hashOf(join(out, 'k', name))
    expect([hashes[before][name], hashes[after][name]]).toContain(hash)
    found.add(hash === hashes[after][name] ? 'new' : 'old')
  }
  const present = await readdir(join(out, 'k'))
  const hasJournal = present.includes(basename(journalPathFor('_manifest.json')))
  const manifest = JSON.parse(await readFile(join(out, 'k/_manifest.json'), 'utf8')) as Manifest
  if (!hasJournal) {
    // A killed run has a line if it is published, and no other.
    const runs = (await readFile(join(out, 'k/_runs.ndjson'), 'utf8')).trimEnd().split('\n')
    expect(JSON.parse(runs.at(-1) ?? '')).toMatchObject({ runId: manifest.runId, outcome: 'published' })
    expect(manifest.files).toHaveLength(names().length)
    for (const { path, sha256 } of manifest.files) expect(await hashOf(path)).toBe(sha256)
    expect(found.size).toBe(1)
  }
  const hasStaging = present.some((name) => name.endsWith('.staging'))
  return { versions: [...found].toSorted().join(' and '), hasJournal, hasStaging }
}

async function killRun(version: Version, out: string, { after, delayMs }: Moment): Promise<void> {
  await mkdir(join(out, 'k'), { recursive: true })
  const journal = after === 'journal' ? watchForJournal(join(out, 'k')) : null
  const child = startRun(version, out)
  await Promise.race([journal?.appeared, child.ended])
  await Promise.race([sleep(delayMs), child.ended])
  child.kill('SIGKILL')
  journal?.stop()
  const { code, signal, stderr } = await child.ended
  expect({ end: signal ?? code, stderr }).toEqual({ end: signal === null ? 0 : 'SIGKILL', stderr: '' })
}

function watchForJournal(path: string) {
  const name = basename(journalPathFor('_manifest.json'))
  let found: () => void
  const appeared = new Promise<void>((resolve) => (found = resolve))
  const watcher = watch(path, (_, changed) => {
    if (changed === name) found()
  })
  return { appeared, stop: () => watcher.close() }
}

function startRun(version: Version, out: string) {
  const input = `source.files=${folder.at(`${version}.ndjson`)}`
  return cli.start(['run', folder.at('k.yaml'), '--quiet', '--out', out, '--set', input])
}

/** The duration of a run on this machine, the shorter of two. */
async function measureLife(): Promise<number> {
  const lives: number[] = []
  for (let run = 0; run < 2; run++) {
    const startedAt = performance.now()
    expect((await startRun('a', folder.at('measured')).ended).code).toBe(0)
    lives.push(performance.now() - startedAt)
  }
  return Math.min(...lives)
}

/** Three in eight moments are anywhere in a run, the others right after its journal appeared. */
function chooseMoments(lifeMs: number): Moment[] {
  const random = createRandom(7)
  return Array.from({ length: kills }, (_, index): Moment => {
    const isAnywhere = index % 8 < 3
    return isAnywhere
      ? { after: 'start', delayMs: lifeMs * (0.2 + 0.9 * random()) }
      : { after: 'journal', delayMs: 30 * random() ** 2 }
  })
}

/**
 * Publishes a version in this process, which finishes or undoes what a killed run left; resolves with the hash of each
 * output.
 */
async function publish(version: Version, out: string): Promise<Record<string, string>> {
  const plan = planPipeline(config(folder.at(`${version}.ndjson`)), { env: {}, outDir: out })
  const report = await runPlan(plan)
  expect(report).toMatchObject({ ledger: { lines: 3000, accepted: 3000 }, completeness: { status: 'proven' } })
  const files = report.files.map(async ({ path, sha256 }) => {
    expect(await hashOf(path)).toBe(sha256)
    return [basename(path), sha256] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

function config(files: string) {
  const tables = { brands: {}, names: { columns: ['id', 'name'] }, times: { columns: ['id', 'meta'] } }
  return { name: 'k', source: { files, contract: 'v4/brand' }, tables }
}

function names(): string[] {
  return Object.keys(hashes.a)
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** Random numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
