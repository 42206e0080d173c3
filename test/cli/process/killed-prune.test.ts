import { createHash } from 'node:crypto'
import { existsSync, watch } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definePipeline, runPipeline, type RunReport } from '../../../src/index.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { cases } from '../../depth.ts'
import { BuiltCli } from '../built-cli.ts'
import { RunFolder } from '../run-folder.ts'

const kills = cases(14, 6)
/** Copies of the table, so that removing them takes a moment. */
const copies = 12

let cli: BuiltCli
let folder: RunFolder
let input: string

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
  input = await folder.generate('brands.ndjson', 'v4/brand', 500)
  await folder.write('narrow.yaml', JSON.stringify(toConfig('narrow')))
})
afterAll(() => folder.remove())

test(
  `a run with --prune that is killed leaves old files or new ones, whole, and the next run removes the rest, ${kills} times`,
  { timeout: 240_000 },
  async () => {
    const seen = new Set<string>()
    for (let kill = 0; kill < kills; kill++) {
      await rm(folder.out, { recursive: true, force: true })
      const before = await publish('wide')
      const mine = join(folder.out, 'k/mine.csv')
      await writeFile(mine, 'mine')
      await killPrune((kill / kills) * 30)
      const manifest = JSON.parse(await readFile(join(folder.out, 'k/_manifest.json'), 'utf8')) as RunReport
      const hashes = await Promise.all(before.files.map(({ path }) => hashOf(path)))
      const isOld = manifest.runId === before.runId
      // Nothing is removed before the new manifest counts.
      const isLost = isOld && before.files.some(({ sha256 }, at) => hashes[at] !== sha256)
      expect(isLost).toBe(false)
      seen.add(isOld ? 'old' : 'new')
      await publish('narrow', true)
      const after = await publish('narrow', true)
      expect(after.files).toHaveLength(1)
      expect(before.files.filter(({ path }) => existsSync(path)).map(({ path }) => basename(path))).toEqual([
        basename(after.files[0]?.path ?? ''),
      ])
      expect(await readFile(mine, 'utf8')).toBe('mine')
    }
    // Otherwise the times of the kills were not those that matter.
    expect(seen.size).toBeGreaterThanOrEqual(cases(2, 1))
  },
)

function toPath(name: string): string {
  return join(folder.out, `k/${name}.csv`)
}

function toConfig(which: 'wide' | 'narrow'): PipelineConfig {
  const extra = Array.from({ length: copies }, (_, at) => ({ format: 'csv', path: toPath(`copy${at}`) }) as const)
  return definePipeline({
    name: 'k',
    source: { files: input, contract: 'v4/brand' },
    outputs: [{ format: 'csv', path: toPath('brands') }, ...(which === 'wide' ? extra : [])],
  })
}

function publish(which: 'wide' | 'narrow', prune = false): Promise<RunReport> {
  return runPipeline(toConfig(which), { workers: 0, prune })
}

/** Starts a real process and kills it so long after its journal appeared, unless it has ended. */
async function killPrune(delayMs: number): Promise<void> {
  let found: () => void
  const appeared = new Promise<void>((resolve) => (found = resolve))
  const watcher = watch(join(folder.out, 'k'), (_, name) => {
    if (name === '._manifest.json.journal') found()
  })
  const child = cli.start(['run', folder.at('narrow.yaml'), '--quiet', '--prune'])
  await Promise.race([appeared, child.ended])
  await Promise.race([sleep(delayMs), child.ended])
  child.kill('SIGKILL')
  watcher.close()
  const { code, signal, stderr } = await child.ended
  expect({ end: signal ?? code, stderr }).toEqual({ end: signal === null ? 0 : 'SIGKILL', stderr: '' })
}

async function hashOf(path: string): Promise<string | null> {
  if (!existsSync(path)) return null
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
