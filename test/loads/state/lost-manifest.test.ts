import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { resetState } from '../../../src/engine/run/reset-state.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../../../src/errors.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const manifest = { path: 'out/_manifest.json' }
const ofMode = (mode: 'merge' | 'history' | 'append', more = {}): NonNullable<PipelineConfig['outputs']> => [
  { format: 'ndjson', path: 'out/{table}.ndjson', mode, ...more },
]

describe('files of earlier runs without their manifest', () => {
  test.each([
    ['a history', { outputs: ofMode('history') }, /"[^"]*products\.ndjson"/],
    ['a history in partitions', { outputs: ofMode('history', { partitionBy: ['status'] }) }, /status=active/],
    ['a history in numbered files', { outputs: ofMode('history', { rowsPerFile: 40 }) }, /products-00001\.ndjson/],
    ['an output that is added to', { outputs: ofMode('append') }, /run_date=/],
  ])(
    'a lost manifest ends the run with STATE_INVALID and leaves the files: %s, its state folder gone as well',
    async (_, changes, message) => {
      await folder.run({ ...changes, manifest })
      await rm(folder.manifestPath)
      await rm(join(folder.path, '_state'), { recursive: true })
      const before = await readAll()
      folder.sandbox.advance()
      const error = await folder.fail({ ...changes, manifest })
      expect([error.code, error.exitCode]).toEqual(['STATE_INVALID', 2])
      expect(error.message).toMatch(message)
      expect(error.message).toContain('_manifest.json: expected the manifest of the runs that left')
      expect(error.fix).toMatch(/Put the manifest back.*move these files away.*state reset CONFIG.*append/)
      expect(await readAll()).toEqual(before)
    },
  )

  test('a lost manifest beside a state folder alone ends the run with STATE_INVALID', async () => {
    await folder.run({ manifest })
    await rm(folder.manifestPath)
    const error = await folder.fail({ manifest })
    expect(error.message).toContain(join('_state', 'records.parquet'))
  })

  test('a state folder beside the manifest of a run that kept no state ends the run with STATE_INVALID', async () => {
    await folder.run({ outputs: ofMode('history'), manifest })
    await runPipeline(
      {
        ...folder.config({ outputs: [{ format: 'csv', path: 'out/{table}.csv' }], manifest }),
        incremental: undefined,
        maxRemoved: undefined,
      },
      { outDir: folder.path, env: {}, workers: 0 },
    )
    const error = await folder.fail({ outputs: ofMode('history'), manifest })
    expect(error.code).toBe('STATE_INVALID')
    expect(error.message).toContain('got one that does not list them')
  })

  test('a lost manifest that is put back lets the next run join on to the history', async () => {
    const outputs = ofMode('history')
    await folder.run({ outputs, manifest })
    const versions = (await folder.rows()).length
    await rename(folder.manifestPath, join(folder.path, 'away.json'))
    await folder.fail({ outputs, manifest })
    await rename(join(folder.path, 'away.json'), folder.manifestPath)
    folder.sandbox.advance(3)
    const { state } = await folder.run({ outputs, manifest })
    expect(state.kind).toBe('delta')
    expect(await folder.rows()).toHaveLength(versions + (state.changes?.new ?? 0) + (state.changes?.changed ?? 0))
  })

  test('a reset takes the place of a lost manifest, and the next run begins anew', async () => {
    const outputs = ofMode('history')
    await folder.run({ outputs, manifest })
    await rm(folder.manifestPath)
    const plan = planPipeline(folder.config({ outputs, manifest }), { outDir: folder.path, env: {} })
    expect(await resetState(plan, { env: {} })).toEqual({ kind: 'unlisted' })
    const { state } = await folder.run({ outputs, manifest })
    expect(state.changes?.unchanged).toBe(0)
    expect(await resetState(plan, { env: {} })).toEqual({ kind: 'reset' })
  })
})

test('a first run accepts files of other names and staging files of killed runs in its folder', async () => {
  await mkdir(join(folder.path, '_state'), { recursive: true })
  await writeFile(join(folder.path, '_state/.records.parquet.999999999-a.staging'), 'x')
  await mkdir(join(folder.path, 'archive'))
  for (const name of ['products-old.ndjson', 'brands.ndjson', 'archive/products.ndjson'])
    await writeFile(join(folder.path, name), 'x')
  expect((await folder.run({ outputs: ofMode('history'), manifest })).state.kind).toBe('full')
})

test('a history in a bucket without its manifest ends a run with STATE_INVALID', async () => {
  const s3 = await startS3()
  const lake = `lost-${process.pid}`
  try {
    const config = folder.config({
      outputs: [
        { format: 'parquet', path: `s3://warehouse/${lake}/{table}.parquet`, mode: 'history', rowsPerFile: 40 },
      ],
      manifest: { path: `s3://warehouse/${lake}/_manifest.json` },
    })
    const run = () => runPipeline(config, { env: s3.env, workers: 0, now: folder.sandbox.now })
    await run()
    const before = await s3.keys()
    const { DeleteObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const client = new S3Client({
      endpoint: s3.env['AWS_ENDPOINT_URL']!,
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      forcePathStyle: true,
    })
    await client.send(new DeleteObjectCommand({ Bucket: 'warehouse', Key: `${lake}/_manifest.json` }))
    const states = before.filter((key) => key.includes('_state/'))
    for (const Key of states) await client.send(new DeleteObjectCommand({ Bucket: 'warehouse', Key }))
    client.destroy()
    const error = await run().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CatalogueError)
    expect(error).toMatchObject({ code: 'STATE_INVALID' })
    expect((error as CatalogueError).message).toMatch(/s3:\/\/warehouse\/lost-\d+\/photos-00001\.run-\w+\.parquet/)
    const kept = before.filter((key) => !states.includes(key) && key !== `${lake}/_manifest.json`)
    expect(await s3.keys()).toEqual(kept)
  } finally {
    await s3.close()
  }
})

test('a manifest that can’t be read as JSON is not overwritten by a pipeline that keeps no state', async () => {
  const plain = { ...folder.config({ manifest }), incremental: undefined, maxRemoved: undefined }
  await writeFile(folder.manifestPath, '{"pipeline": "other", "state": {')
  const error = await runPipeline(plain, { outDir: folder.path, env: {}, workers: 0 }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'STATE_INVALID' })
  expect((error as CatalogueError).message).toContain('_manifest.json: expected JSON')
  expect((error as CatalogueError).fix).not.toContain('state reset')
  expect(await readFile(folder.manifestPath, 'utf8')).toBe('{"pipeline": "other", "state": {')
})

async function readAll(): Promise<Record<string, string>> {
  const names = await folder.files()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder.path, name), 'latin1')] as const)),
  )
}
