import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { runPlanned } from '../../../src/shards/run-planned.ts'
import { runShard } from '../../../src/shards/run/run-shard.ts'
import { RunFolder, toStream } from '../../engine/run-folder.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { cases } from '../../depth.ts'

const place = `s3://warehouse/shards-${process.pid}`

let s3: S3Server
let folder: RunFolder

beforeEach(async () => {
  s3 = await startS3()
  folder = await RunFolder.create()
})
afterEach(async () => {
  await s3.close()
  await folder.remove()
})

function toPipeline(out: string) {
  return planPipeline({
    name: 'products',
    source: { files: join(folder.path, 'in/*'), contract: 'v4/product' },
    tables: { products: { columns: ['id', 'status'] } },
    maxRemoved: '100%',
    outputs: (['csv', 'parquet'] as const).map((format) => ({ format, path: `${place}/${out}/{table}.${format}` })),
  })
}

const records = cases(60, 36)
const toIds = (count: number) => Array.from({ length: count }, (_, at) => `M${at}`)

async function listParts(out: string): Promise<string[]> {
  return (await s3.keys()).filter((key) => key.includes(`/${out}/products/part-`)).toSorted()
}

/** Objects by name, without the names of attempts. */
async function readParts(out: string): Promise<Record<string, string>> {
  const objects = await s3.objects()
  const keys = await listParts(out)
  return Object.fromEntries(keys.map((key) => [key.replace(/^.*\/|\.run-\w+/g, ''), objects[key] ?? '']))
}

test('a commit in a bucket removes parts of other attempts, and keeps those of the manifest before for their readers', async () => {
  const { env } = s3
  await folder.write('in/a.ndjson', toStream(toIds(records)))
  const to = `${place}/plan`
  const plan = await planShards(toPipeline('out'), { to, bytes: 1000, env })
  for (const { number } of plan.shards) await runShard(to, number, { workers: 0, env })
  // A second attempt, which finishes too.
  await runShard(to, 1, { workers: 0, env })
  expect(await listParts('out')).toHaveLength(2 * (plan.shards.length + 1))
  const moved = s3.requests.length
  const { report } = await commitShards(to, { env })
  const names = report.files.map(({ path }) => path.replace('s3://warehouse/', '')).toSorted()
  expect(await listParts('out')).toEqual(names)
  // The commit writes no part.
  expect(s3.requests.slice(moved).filter((request) => /^(PUT|POST) .*part-/.test(request))).toEqual([])
  expect(report.ledger).toMatchObject({ lines: records, accepted: records })
  // Another plan of fewer shards.
  const later = `${place}/later`
  await planShards(toPipeline('out'), { to: later, bytes: 2500, env })
  const second = await runPlanned(later, toPipeline('out'), { workers: 0, env })
  const listed = second.files.map(({ path }) => path.replace('s3://warehouse/', ''))
  expect(listed.length).toBeLessThan(names.length)
  expect(await listParts('out')).toEqual([...names, ...listed].toSorted())
  // Each publication removes what the manifest before the present one listed.
  await folder.write('in/a.ndjson', toStream(toIds(records + 1)))
  const last = `${place}/last`
  await planShards(toPipeline('out'), { to: last, bytes: 2500, env })
  const third = await runPlanned(last, toPipeline('out'), { workers: 0, env })
  const newest = third.files.map(({ path }) => path.replace('s3://warehouse/', ''))
  expect(await listParts('out')).toEqual([...listed, ...newest].toSorted())
  expect((await s3.keys()).filter((key) => key.includes('/attempts/'))).toEqual([])
  expect(await s3.openUploads()).toEqual([])
})

test('shards in a bucket leave the objects that one process leaves, and another run of the same plan leaves nothing', async () => {
  const { env } = s3
  await folder.write('in/a.ndjson', toStream(toIds(records)))
  const many = `${place}/many-plan`
  const plan = await planShards(toPipeline('many'), { to: many, bytes: 1000, env })
  for (const { number } of plan.shards.toReversed()) await runShard(many, number, { workers: 0, env })
  await commitShards(many, { env })
  expect(await commitShards(many, { env })).toMatchObject({ wasPublished: true })
  const expected = await readParts('many')
  const again = `${place}/again-plan`
  await planShards(toPipeline('one'), { to: again, bytes: 1000, env })
  await runPlanned(again, toPipeline('one'), { workers: 0, env })
  const one = await readParts('one')
  const names = Object.keys(expected).filter((name) => name.endsWith('.csv'))
  expect(names.map((name) => one[name])).toEqual(names.map((name) => expected[name]))
  expect(Object.keys(one)).toEqual(Object.keys(expected))
})

test('a plan in a folder for outputs in a bucket is refused', async () => {
  await folder.write('in/a.ndjson', toStream(toIds(3)))
  const refused = planShards(toPipeline('out'), { to: join(folder.path, 'plan'), env: s3.env })
  await expect(refused).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('a prefix of a bucket'),
  })
})
