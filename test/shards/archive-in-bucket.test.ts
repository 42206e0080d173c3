import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'
import { connectS3 } from '../../src/storage/s3/load-s3.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { createObjectClient, type ObjectClient } from '../../src/storage/s3/object-client.ts'
import { commitShards } from '../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../src/shards/plan/plan-shards.ts'
import { runPlanned } from '../../src/shards/run-planned.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'
import { runShards } from './ids/planned-folder.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

const own = `archive-${process.pid}`
const archive = `s3://warehouse/${own}/archive`

let s3: S3Server
let client: ObjectClient

beforeAll(async () => {
  s3 = await startS3()
  client = createObjectClient(await connectS3(s3.env, archive))
  await client.put(`${archive}/2025-01/a.ndjson`, Buffer.from(toLines('a', 4000)))
  await client.put(`${archive}/2025-01/b.ndjson.gz`, gzipSync(toLines('b', 300)))
  await client.put(`${archive}/2025-02/c.ndjson`, Buffer.from(`${toLines('c', 900)}garbage\n${toLines('d', 9)}`))
})
afterAll(async () => {
  client.close()
  await s3.close()
})

function toLines(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `{"id":"${prefix}-${at}","status":"active"}\n`).join('')
}

function toConfig(out: string): PipelineConfig {
  return {
    name: out,
    source: { files: `${archive}/2025-*/*`, contract: 'v4/product' },
    completeness: 'report',
    rejects: { limit: '1%' },
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: `s3://warehouse/${own}/${out}/{table}.csv` }],
  }
}

/** The parts of a table in order, without their headers. */
async function readRows({ files }: Manifest): Promise<string[]> {
  const objects = await s3.objects()
  return files.flatMap(({ path }) => (objects[path.replace('s3://warehouse/', '')] ?? '').split('\n').slice(1, -1))
}

async function readParts({ files }: Manifest): Promise<string[]> {
  const objects = await s3.objects()
  return files.map(({ path }) => objects[path.replace('s3://warehouse/', '')] ?? 'missing')
}

test('shards of an archive in a bucket, with plan and outputs there too, give what one process gives', async () => {
  const { env } = s3
  const plain = await runPipeline(toConfig('plain'), { env, workers: 0 })
  const apart = planPipeline(toConfig('same'))
  const to = `s3://warehouse/${own}/plan`
  const plan = await planShards(apart, { to, bytes: 20_000, env })
  expect(plan.shards.length).toBeGreaterThan(8)
  expect(plan.shards.flatMap(({ segments }) => segments).some(({ from }) => from > 0)).toBe(true)
  await runShards(to, plan, { env })
  const sharded = (await commitShards(to, { env })).report
  const parts = await readParts(sharded)
  expect(await readRows(sharded)).toEqual(await readRows(plain))
  expect(sharded.ledger).toEqual(plain.ledger)
  expect(sharded.sources.map(({ name }) => name)).toEqual(plain.sources.map(({ name }) => name))
  const again = `s3://warehouse/${own}/again`
  await planShards(apart, { to: again, bytes: 20_000, env })
  expect(await readParts(await runPlanned(again, apart, { env, workers: 0 }))).toEqual(parts)
})

test('a shard refuses its range of an object that was replaced after planning', async () => {
  const { env } = s3
  const to = `s3://warehouse/${own}/changed-plan`
  await client.put(`${archive}/2025-03/x.ndjson`, Buffer.from(toLines('x', 900)))
  const config = { ...toConfig('changed'), source: { files: `${archive}/2025-03/*`, contract: 'v4/product' as const } }
  const plan = await planShards(planPipeline(config), { to, bytes: 10_000, env })
  await client.put(`${archive}/2025-03/x.ndjson`, Buffer.from(toLines('y', 900)))
  await expect(runShards(to, plan, { env })).rejects.toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 4 })
})
