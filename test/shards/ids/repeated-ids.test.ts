import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { resolveIds } from '../../../src/shards/ids/resolve-ids.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { runShard } from '../../../src/shards/run/run-shard.ts'
import type { ShardPlan } from '../../../src/shards/shard-plan.ts'
import { cases, someOf } from '../../depth.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import { oddIds } from './odd-ids.ts'
import { runPlain, runSharded, runShards } from './planned-folder.ts'

type Duplicates = NonNullable<PipelineConfig['duplicates']>

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

function toConfig(duplicates: Duplicates, more: Partial<PipelineConfig> = {}): PipelineConfig {
  return {
    name: 'products',
    source: { files: join(folder.path, 'in/*.ndjson'), contract: 'v4/product' },
    duplicates,
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    rejects: { limit: '100%' },
    ...more,
  }
}

test('shards keep, drop and reject the same lines for their ids as one process', async () => {
  const id = oneof(oddIds, integer({ min: 0, max: 40 }))
  const line = record({ id, status: constantFrom('a', 'b', 5) }).map((value) => JSON.stringify(value))
  const broken = constantFrom('garbage', '{"id":null}', '{"id":"7","status":{}}', '', '{"id":"7","id":"8"}')
  const files = array(
    array(oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: broken }), { minLength: 1 }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  await assert(
    asyncProperty(
      files,
      constantFrom<Duplicates>('keep', 'last', 'reject'),
      constantFrom('v4/product' as const, 'v3/product' as const),
      integer({ min: 60, max: 900 }),
      async (all, duplicates, contract, bytes) => {
        await rm(folder.path, { recursive: true })
        for (const [at, lines] of all.entries()) await folder.write(`in/${at}.ndjson`, `${lines.join('\n')}\n`)
        const config = toConfig(duplicates, { source: { files: join(folder.path, 'in/*.ndjson'), contract } })
        const place = { folder: folder.path, config }
        const { plan: _, ...sharded } = await runSharded(place, bytes)
        expect(sharded).toEqual(await runPlain(place))
      },
    ),
    { numRuns: cases(30, 4) },
  )
}, 300_000)

test.each(someOf<Duplicates>(['keep', 'last', 'reject'], 'last'))(
  'repeated ids in a block, in other blocks, shards and files are found with duplicates: %s',
  async (duplicates) => {
    await folder.write('in/a.ndjson', `${toLines(0, 20_000, 7)}\n${toLines(5, 2, 0)}\n`)
    await folder.write('in/b.ndjson', `${toLines(8000, 3000, 1)}\n`)
    const place = { folder: folder.path, config: toConfig(duplicates) }
    const { plan, ...sharded } = await runSharded(place, 1_500_000)
    expect(sharded).toEqual(await runPlain(place))
    expect(plan.shards).toHaveLength(3)
    // More than one block of 1 MiB.
    expect(plan.shards[0]?.bytes).toBeGreaterThan(1_300_000)
    expect(sharded.ledger.repeatedIds).toBe(23_002 - 9000)
  },
)

function toLines(from: number, count: number, step: number): string {
  return Array.from({ length: count }, (_, at) => JSON.stringify(toRecord((from + at * step) % 9000))).join('\n')
}

function toRecord(number: number) {
  return { id: `M${number}`, status: `s${number}`, name: { de: 'x'.repeat(90) } }
}

async function planTwice(duplicates: Duplicates): Promise<{ to: string; plan: ShardPlan }> {
  for (const name of ['a', 'b', 'c']) await folder.write(`in/${name}.ndjson`, '{"id":"A"}\n{"id":"B"}\n{"id":"A"}\n')
  const to = join(folder.path, 'plan')
  const pipeline = planPipeline(toConfig(duplicates), { outDir: folder.out })
  return { to, plan: await planShards(pipeline, { to, bytes: 40 }) }
}

test('running rows before the repeated ids are resolved fails, and names the commands that come first', async () => {
  const { to } = await planTwice('last')
  const refused = runShard(to, 0)
  await expect(refused).rejects.toThrowError(
    expect.objectContaining({ code: 'PLAN_INVALID', message: expect.stringContaining('duplicates: last') }),
  )
  await expect(refused).rejects.toThrowError(
    expect.objectContaining({ fix: expect.stringContaining(`shards resolve ${to}`) }),
  )
})

test('resolving repeated ids names all shards whose ids are missing', async () => {
  const { to } = await planTwice('reject')
  await runShard(to, 1, { stage: 'ids' })
  await expect(resolveIds(to)).rejects.toThrowError(
    expect.objectContaining({
      code: 'SHARDS_INCOMPLETE',
      fix: expect.stringContaining(`shards run ${to} --shard 0,2 --stage ids`),
    }),
  )
})

test('resolving the same repeated ids again keeps the first resolution', async () => {
  const { to, plan } = await planTwice('last')
  await runShards(to, plan, { stage: 'ids' })
  const first = await resolveIds(to)
  await runShards(to, plan, { stage: 'ids' })
  expect(await resolveIds(to)).toEqual(first)
  expect(first).toMatchObject({ repeatedIds: 7 })
  expect(await readdir(join(to, 'excluded'))).toEqual([first?.token])
})

test("two concurrent resolutions of repeated ids find the same, and don't disturb each other", async () => {
  const { to, plan } = await planTwice('last')
  await runShards(to, plan, { stage: 'ids' })
  const [one, other] = await Promise.all([resolveIds(to), resolveIds(to)])
  expect(one?.lines).toEqual(other?.lines)
  await runShards(to, plan, { stage: 'rows' })
  const { report } = await commitShards(to)
  expect(report.ledger).toMatchObject({ accepted: 2, duplicate: 7, repeatedIds: 7 })
})

test('a pipeline that keeps repeated ids has nothing to resolve', async () => {
  const { to } = await planTwice('keep')
  expect(await resolveIds(to)).toBeNull()
})

test('a shard that reads other bytes for its rows than for its ids fails as changed', async () => {
  const { to, plan } = await planTwice('last')
  await runShards(to, plan, { stage: 'ids' })
  await resolveIds(to)
  await folder.write('in/b.ndjson', '{"id":"A"}\n{"id":"C"}\n{"id":"A"}\n')
  await expect(runShard(to, 1)).rejects.toThrowError(expect.objectContaining({ code: 'SOURCE_CHANGED' }))
  expect((await runShard(to, 0)).failure).toBeNull()
})

test('resolving repeated ids refuses different ids of two attempts of a shard', async () => {
  const { to, plan } = await planTwice('last')
  await runShards(to, plan, { stage: 'ids' })
  await folder.write('in/b.ndjson', '{"id":"A"}\n{"id":"C"}\n{"id":"A"}\n')
  await runShard(to, 1, { stage: 'ids' })
  await expect(resolveIds(to)).rejects.toThrowError(
    expect.objectContaining({ code: 'SHARDS_DIFFER', message: expect.stringContaining('shard 1: ') }),
  )
})

test('a commit refuses shards whose rows were left out by different resolutions', async () => {
  const { to, plan } = await planTwice('last')
  await runShards(to, plan, { stage: 'ids' })
  await resolveIds(to)
  await runShard(to, 0)
  await folder.write('in/c.ndjson', '{"id":"D"}\n{"id":"C"}\n{"id":"A"}\n')
  await rm(join(to, 'ids'), { recursive: true })
  await runShards(to, plan, { stage: 'ids' })
  await resolveIds(to)
  await runShard(to, 1)
  await runShard(to, 2)
  await expect(commitShards(to)).rejects.toThrowError(
    expect.objectContaining({
      code: 'SHARDS_DIFFER',
      message: expect.stringContaining('shards 0 and 1-2 left out different lines'),
    }),
  )
})

test('the stage of ids leaves the same ids for any number of threads, and neither parts nor rejects', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => JSON.stringify(toRecord(at % 9000)))
  await folder.write('in/a.ndjson', `${lines.join('\n')}\ngarbage\n`)
  const to = join(folder.path, 'plan')
  await planShards(planPipeline(toConfig('last'), { outDir: folder.out }), { to })
  const results = [
    await runShard(to, 0, { stage: 'ids', workers: 0 }),
    await runShard(to, 0, { stage: 'ids', workers: 3 }),
  ]
  expect(results[0]?.digest).toBe(results[1]?.digest)
  expect(results[0]?.facts).toMatchObject({ files: [], rejects: { bytes: 0 }, totals: { ledger: { rejected: 1 } } })
  const attempts = await readdir(join(to, 'ids'))
  const files = await Promise.all(attempts.map((name) => readFile(join(to, 'ids', name, 'ids.bin'))))
  expect(files[0]).toEqual(files[1])
  expect(await readdir(folder.path)).toEqual(['in', 'plan'])
})
