import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { readPlanStatus } from '../../../src/shards/run-planned.ts'
import { runShard } from '../../../src/shards/run/run-shard.ts'
import { BuiltCli } from '../../cli/built-cli.ts'
import { cases } from '../../depth.ts'
import { RunFolder, toStream } from '../../engine/run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `M${from + at}`)

function toConfig(more: Partial<PipelineConfig> = {}): PipelineConfig {
  return {
    name: 'products',
    source: { files: join(folder.path, 'in/*'), contract: 'v4/product' },
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    ...more,
  }
}

/** A plan of shards of 1,000 bytes, about 15 lines each. */
async function plan(name: string, config = toConfig(), bytes = 1000) {
  const to = join(folder.path, name)
  return { to, made: await planShards(planPipeline(config, { outDir: folder.out }), { to, bytes }) }
}

async function runAll(to: string, shards: readonly { readonly number: number }[]): Promise<void> {
  for (const { number } of shards) await runShard(to, number, { workers: 0 })
}

async function listParts(): Promise<string[]> {
  return (await readdir(join(folder.out, 'products'))).toSorted()
}

test('a commit names every shard that is missing or failed, with the command that repeats just those', async () => {
  await folder.write('in/a.ndjson', toStream(ids(60)))
  await folder.write('in/b.ndjson.gz', gzipSync(toStream(ids(500))).subarray(0, 900))
  const { to, made } = await plan('plan')
  const damaged = made.shards.length - 1
  for (const number of [0, damaged]) await runShard(to, number)
  await expect(commitShards(to)).rejects.toMatchObject({
    code: 'SHARDS_INCOMPLETE',
    exitCode: 4,
    message: expect.stringMatching(
      new RegExp(
        `^products: expected ${made.shards.length} finished shards, got 1:\\nshard ${damaged} on .*: SOURCE_FAILED .*b.ndjson.gz: expected whole gzip data.*\\nnot run, or not to its end: 1-${damaged - 1}$`,
      ),
    ),
    fix: expect.stringContaining(`shards run ${to} --shard 1-${damaged}\``),
    outputs: 'Nothing was saved; the earlier outputs are as they were.',
  })
  expect(await folder.snapshot().catch(() => ({}))).toEqual({})
  // Repairs the file, and runs only the open shards.
  await folder.write('in/b.ndjson.gz', gzipSync(toStream(ids(500))))
  const { stages } = await readPlanStatus(to)
  expect(stages[0]?.open).toEqual(Array.from({ length: damaged }, (_, at) => at + 1))
})

test('a shard names an error line in a range by its line in the file', async () => {
  const error = '{"error":{"code":"internal","message":"upstream timed out"}}\n'
  await folder.write('in/a.ndjson', toStream(ids(60)) + error)
  const { to, made } = await plan('plan')
  const last = made.shards.length - 1
  expect(last).toBeGreaterThan(2)
  const result = await runShard(to, last)
  expect(result.failure).toMatchObject({
    code: 'SOURCE_ERROR_LINE',
    message: expect.stringContaining(`a.ndjson, line 61: `),
  })
})

test('a commit finds a record that is missing between two shards, and publishes nothing', async () => {
  const lines = toStream(ids(60)).split('\n')
  lines.splice(30, 1)
  await folder.write('in/a.ndjson', lines.join('\n'))
  const { to, made } = await plan('plan')
  await runAll(to, made.shards)
  const expected = 'expected every record of the stream once, got this: 1 record is missing, index 30'
  await expect(commitShards(to)).rejects.toMatchObject({
    code: 'SOURCE_INCOMPLETE',
    message: expect.stringContaining(expected),
  })
})

test('a commit with too many rejects in all shards together publishes nothing, and keeps the rejects', async () => {
  await folder.write('in/a.ndjson', `${toStream(ids(58))}no\nno\n`)
  const { to, made } = await plan('plan', toConfig({ rejects: { limit: 1 }, completeness: 'report' }))
  await runAll(to, made.shards)
  await expect(commitShards(to)).rejects.toMatchObject({
    code: 'TOO_MANY_REJECTS',
    message: expect.stringContaining('a.ndjson, line 59: '),
  })
  expect((await folder.readOut('_rejects.ndjson')).split('\n')).toHaveLength(3)
  expect(Object.keys(await folder.snapshot())).toEqual(['_rejects.ndjson'])
})

async function findAttempt(to: string, shard: number): Promise<string> {
  const names = await readdir(join(to, 'attempts'))
  return join(to, 'attempts', names.find((name) => name.startsWith(`0000${shard}-`)) ?? '')
}

/** Runs shard 0 again over a file with other content, but the same size and time. */
async function replan(to: string) {
  const made = JSON.parse(await readFile(join(to, 'plan.json'), 'utf8')) as {
    shards: { segments: { modified: string }[] }[]
  }
  for (const { segments } of made.shards) for (const segment of segments) segment.modified = '2999-01-01T00:00:00.000Z'
  await writeFile(join(to, 'plan.json'), JSON.stringify(made))
  return runShard(to, 0)
}

describe('damaged attempts of shards', () => {
  beforeEach(() => folder.write('in/a.ndjson', toStream(ids(60))))

  test('a commit names two attempts of a shard that differ, with the difference', async () => {
    const { to, made } = await plan('plan')
    await runAll(to, made.shards)
    const text = await readFile(join(folder.path, 'in/a.ndjson'), 'utf8')
    await folder.write('in/a.ndjson', text.replace('"M0"', '"MX"'))
    await runShard(to, 0).catch(() => undefined)
    const { failure } = await replan(to)
    expect(failure).toBeNull()
    await expect(commitShards(to)).rejects.toMatchObject({
      code: 'SHARDS_DIFFER',
      message: expect.stringMatching(
        /shard 0: attempts \w+ on .* and \w+ on .* differ in the bytes that were read, .*the parts of products \(csv\)/,
      ),
    })
    expect(await folder.snapshot()).toEqual({})
  })

  test.each(['files/0/part-00001.csv', 'rejects.ndjson'])(
    'a commit does not publish a file that was cut after its attempt: %s',
    async (name) => {
      await folder.write('in/b.ndjson', `{"id":null}\n`.repeat(3))
      const { to, made } = await plan(
        'plan',
        toConfig({ rejects: { limit: '90%' }, completeness: 'report' }),
        name === 'rejects.ndjson' ? 1e6 : 1000,
      )
      await runAll(to, made.shards)
      const path = join(await findAttempt(to, name === 'rejects.ndjson' ? 0 : 1), name)
      await truncate(path, 20)
      await expect(commitShards(to)).rejects.toMatchObject({
        code: 'SHARDS_INCOMPLETE',
        message: expect.stringContaining(path),
      })
      expect(
        Object.keys(await folder.snapshot().catch(() => ({}))).filter((file) => file !== '_rejects.ndjson'),
      ).toEqual([])
    },
  )

  test('a commit ignores an attempt whose result was changed', async () => {
    const { to, made } = await plan('plan')
    await runAll(to, made.shards)
    const path = join(await findAttempt(to, 2), 'shard.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"accepted":', '"accepted":1'))
    await expect(commitShards(to)).rejects.toMatchObject({
      code: 'SHARDS_INCOMPLETE',
      message: expect.stringContaining('not run, or not to its end: 2'),
    })
  })

  test('a changed plan, and a file that was changed after planning, are refused', async () => {
    const { to } = await plan('plan')
    await sleep(20)
    await appendFile(join(folder.path, 'in/a.ndjson'), '{}\n')
    await expect(runShard(to, 0)).rejects.toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 4 })
    await writeFile(
      join(to, 'plan.json'),
      (await readFile(join(to, 'plan.json'), 'utf8')).replace('"until": ', '"until": 1'),
    )
    await expect(runShard(to, 0)).rejects.toMatchObject({ code: 'PLAN_INVALID', exitCode: 2 })
    await expect(plan('plan')).rejects.toMatchObject({ code: 'PLAN_INVALID' })
  })
})

describe('published outputs of earlier commits', () => {
  beforeEach(() => folder.write('in/a.ndjson', toStream(ids(60))))

  test('a commit removes published parts that its outputs no longer have', async () => {
    const first = await plan('first')
    await runAll(first.to, first.made.shards)
    await commitShards(first.to)
    expect((await listParts()).length).toBe(first.made.shards.length)
    const second = await plan('second', toConfig(), 2000)
    await runAll(second.to, second.made.shards)
    const { report } = await commitShards(second.to)
    expect(await listParts()).toEqual(report.files.map(({ path }) => path.slice(-'part-00000.csv'.length)))
    expect(report).toMatchObject({ previous: expect.anything() })
    expect(report.leftFiles).toBeUndefined()
  })

  test('a commit adds a line to the history, and is judged by the number of records in those before it', async () => {
    const config = toConfig({ expectVolume: { within: '10%', severity: 'error' }, maxRemoved: '100%' })
    const results: unknown[] = []
    for (const [night, count] of [60, 61, 60, 66, 90].entries()) {
      await folder.write('in/a.ndjson', toStream(ids(count)))
      const { to, made } = await plan(`night${night}`, config)
      await runAll(to, made.shards)
      await commitShards(to).then(
        ({ report }) => results.push(report.rules?.[0]?.result),
        (error: { code: string; exitCode: number }) => results.push(error.code, error.exitCode),
      )
    }
    expect(results).toEqual(['unjudged', 'unjudged', 'unjudged', 'kept', 'RULE_BROKEN', 3])
    const lines = (await folder.readOut('_runs.ndjson')).split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      ...[60, 61, 60, 66].map((records) => ({ kind: 'full', outcome: 'published', records })),
      { outcome: 'RULE_BROKEN', exitCode: 3, ledger: { accepted: 90 } },
    ])
  })

  test('a run in one process names the files that a commit left, and a commit those of a run', async () => {
    await runPipeline(toConfig(), { outDir: folder.out })
    const { to, made } = await plan('plan')
    await runAll(to, made.shards)
    const { report } = await commitShards(to)
    expect(report.leftFiles).toMatchObject([{ path: join(folder.out, 'products.csv') }])
    const again = await runPipeline(toConfig(), { outDir: folder.out, prune: true })
    expect(again.prunedFiles).toHaveLength(made.shards.length)
    expect(await listParts()).toEqual([])
  })

  test('a commit that would remove too many records publishes nothing', async () => {
    await runPipeline(toConfig(), { outDir: folder.out })
    await folder.write('in/a.ndjson', toStream(ids(20)))
    const { to, made } = await plan('plan')
    await runAll(to, made.shards)
    await expect(commitShards(to)).rejects.toMatchObject({ code: 'REMOVED_TOO_MANY', exitCode: 3 })
  })

  test('a plan is published once, and its attempts are removed', async () => {
    const { to, made } = await plan('plan')
    await runAll(to, made.shards)
    const first = await commitShards(to)
    expect(await readdir(to)).toEqual(['plan.json'])
    expect(await commitShards(to)).toEqual({
      report: JSON.parse(JSON.stringify(first.report)) as unknown,
      wasPublished: true,
    })
    expect(await readPlanStatus(to)).toMatchObject({ published: first.report.finishedAt, stages: [{ open: [] }] })
  })
})

async function kill(cli: BuiltCli, args: readonly string[], afterMs: number): Promise<void> {
  const started = cli.start(['shards', ...args])
  await Promise.race([sleep(afterMs), started.ended])
  started.kill('SIGKILL')
  await started.ended
}

/** Attempts with a result, but without all of their files. */
async function listTorn(to: string): Promise<string[]> {
  const torn: string[] = []
  for (const name of await readdir(join(to, 'attempts')).catch(() => [])) {
    const files = new Set(await readdir(join(to, 'attempts', name)))
    const isWhole = ['files', 'ids.bin', 'rejects.ndjson'].every((file) => files.has(file))
    if (files.has('shard.json') && !isWhole) torn.push(name)
  }
  return torn
}

describe('killed processes', () => {
  test('killed shards and commits leave no result or a whole one, and outputs of one run', async () => {
    const cli = await BuiltCli.build()
    await folder.write('in/a.ndjson', toStream(ids(cases(400, 200))))
    const config = join(folder.path, 'products.json')
    await writeFile(
      config,
      JSON.stringify(
        toConfig({
          outputs: (['csv', 'parquet'] as const).map((format) => ({
            format,
            path: join(folder.out, `{table}.${format}`),
          })),
        }),
      ),
    )
    const run = async (...args: readonly string[]) => (await cli.start(['shards', ...args]).ended).code
    let published: Record<string, string> | null = null
    for (let round = 0; round < cases(6, 2); round++) {
      // Other content in each round.
      await folder.write('in/a.ndjson', toStream(ids(cases(400, 200), round)))
      const to = join(folder.path, `plan-${round}`)
      expect(await run('plan', config, '--to', to, '--bytes', '9kB')).toBe(0)
      const { stages } = await readPlanStatus(to)
      for (const shard of stages[0]?.open ?? []) {
        await kill(cli, ['run', to, '--shard', String(shard)], 60 + ((round * 37 + shard * 91) % 300))
        expect(await listTorn(to)).toEqual([])
      }
      for (const shard of (await readPlanStatus(to)).stages[0]?.open ?? [])
        expect(await run('run', to, '--shard', String(shard))).toBe(0)
      const before: Record<string, string> | null = published
      await kill(cli, ['commit', to], 80 + ((round * 53) % 300))
      expect(await run('commit', to)).toBe(0)
      published = await folder.snapshot()
      const names = Object.keys(published).filter((name) => /staging|journal|backup/.test(name))
      expect(names).toEqual([])
      expect(published).not.toEqual(before)
      expect(await readdir(join(folder.out, 'products'))).toHaveLength(2 * (stages[0]?.open.length ?? 0))
    }
  }, 900_000)
})

test('planning shards refuses a folder with another plan, and a commit one without a plan', async () => {
  await folder.write('in/a.ndjson', toStream(ids(60)))
  const { to } = await plan('plan')
  await expect(planShards(planPipeline(toConfig(), { outDir: folder.out }), { to, bytes: 5000 })).rejects.toMatchObject(
    { code: 'PLAN_INVALID' },
  )
  await mkdir(join(folder.path, 'empty'))
  await expect(commitShards(join(folder.path, 'empty'))).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    message: expect.stringContaining('got nothing there'),
  })
  await rm(to, { recursive: true })
})
