import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { openStorage } from '../../../src/storage/open-storage.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'

const home = 's3://warehouse/brands/_manifest.json'

let folder: string
let s3: S3Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-lease-'))
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

const run = async (id: number) => {
  await writeFile(join(folder, 'in.ndjson'), `{"id":${id},"name":{"nl":"A"}}\n`)
  return runPipeline(
    {
      name: 'brands',
      source: { files: [join(folder, 'in.ndjson')], contract: 'v4/brand' },
      tables: { brands: { columns: ['id'] } },
      maxRemoved: '100%',
      manifest: { path: home },
      rejects: { path: 's3://warehouse/brands/_rejects.ndjson' },
      outputs: [{ format: 'duckdb', path: join(folder, 'brands.duckdb'), mode: 'merge' }],
    },
    { workers: 0, env: s3.env },
  )
}

test('a run whose lease is broken right before a database commits commits nothing there', async () => {
  await run(1)
  const from = s3.requests.length
  await run(2)
  const writes = s3.requests.slice(from).filter((request) => /^PUT .*\.lease/.test(request)).length
  const before = await readFile(join(folder, 'brands.duckdb'))
  // The last ones are those of the commit, of the publication and of the release.
  s3.faults.push({ method: 'PUT', where: '.lease', how: 'hold', after: writes - 3 })
  const running = run(3).catch((thrown: unknown) => thrown)
  await vi.waitUntil(() => s3.held.length > 0, { timeout: 30_000 })
  const storage = await openStorage(home, s3.env)
  expect(await storage.breakLock(home, { subject: 'brands', run: 'breaker' })).toMatchObject({ isOver: false })
  await storage.close()
  s3.held.splice(0).forEach((release) => release())
  expect(await running).toMatchObject({ code: 'LOCKED', title: 'Another run has taken over' })
  expect(await readFile(join(folder, 'brands.duckdb'))).toEqual(before)
})
