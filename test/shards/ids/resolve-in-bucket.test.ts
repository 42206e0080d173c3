import { afterEach, beforeEach, expect, test } from 'vitest'
import { join } from 'node:path'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { resolveIds } from '../../../src/shards/ids/resolve-ids.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { runShards } from './planned-folder.ts'

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

test('shards in a bucket with duplicates: last keep the last line of every id', async () => {
  for (const day of [1, 2, 3])
    await folder.write(`in/${day}.ndjson`, toLines(['A', 'B', `only-${day}`, 'A'], `day ${day}`))
  const { env } = s3
  const place = `s3://warehouse/ids-${process.pid}`
  const to = `${place}/plan`
  const pipeline = planPipeline({
    name: 'products',
    source: { files: join(folder.path, 'in/*.ndjson'), contract: 'v4/product' },
    duplicates: 'last',
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: `${place}/out/{table}.csv` }],
  })
  const plan = await planShards(pipeline, { to, bytes: 150, env })
  await runShards(to, plan, { stage: 'ids', env })
  const first = await resolveIds(to, { env })
  expect(await resolveIds(to, { env })).toEqual(first)
  await runShards(to, plan, { env })
  const { report } = await commitShards(to, { env })
  expect(report.ledger).toMatchObject({ lines: 12, accepted: 5, duplicate: 7, repeatedIds: 7 })
  const objects = await s3.objects()
  const rows = report.files.flatMap(
    ({ path }) => objects[path.replace('s3://warehouse/', '')]?.split('\n').slice(1, -1) ?? [],
  )
  expect(rows).toEqual(['only-1,day 1', 'only-2,day 2', 'B,day 3', 'only-3,day 3', 'A,day 3'])
  expect(Object.keys(objects).filter((name) => name.includes('/excluded/'))).toEqual([])
})

function toLines(ids: readonly string[], status: string): string {
  return ids.map((id) => `${JSON.stringify({ id, status })}\n`).join('')
}
