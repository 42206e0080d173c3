import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createObjectClient } from '../../src/storage/s3/object-client.ts'
import { connectS3 } from '../../src/storage/s3/load-s3.ts'
import { createObjectStorage } from '../../src/storage/s3/object-storage.ts'
import { fewOf } from '../depth.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { forcedWorkers } from '../forced-workers.ts'
import { toStream } from '../inspect/diff/seed-changes.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'
import { LakeRig, product } from './lake-rig.ts'

let server: S3Server
let rig: LakeRig
beforeAll(async () => (server = await startS3()))
afterAll(() => server.close())
beforeEach(() => {
  server.faults.length = 0
})
afterEach(async () => {
  await rig.remove()
  const client = createObjectClient(await connectS3(server.env, 'test'))
  for (const key of await server.keys()) await client.remove(`s3://warehouse/${key}`)
  client.close()
})

const modes = fewOf(['merge', 'history', 'append', 'snapshot'] as const, 'merge')
const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2', ['x', 'y']), product('C')]
const lakes = [
  { format: 'delta', commit: 'products/_delta_log/00000000000000000001.json', version: 1 },
  { format: 'iceberg', commit: 'products/metadata/v2.metadata.json', version: 2 },
] as const
const refusePuts = (where: string, how: 'slow-down' | 'forbidden') =>
  server.faults.push({ method: 'PUT', where, how, times: Infinity })
const listFiles = async () => (await server.keys()).filter((key) => key.endsWith('.parquet') || key.endsWith('.avro'))

test.each(lakes.flatMap(({ format }) => modes.map((mode) => ({ format, mode }))))(
  'a lake of $format in a bucket has the rows of the model after each load of mode $mode',
  async ({ format, mode }) => {
    rig = await LakeRig.create(mode, server, format)
    for (const records of [first, second, second, first]) await rig.night(records)
    expect((await server.keys()).filter((key) => key.includes('.probe-'))).toEqual([])
  },
)

test.each(lakes)('a commit of $format whose answer is lost counts once', async ({ format, commit, version }) => {
  rig = await LakeRig.create('append', server, format)
  await rig.night(first)
  server.faults.push({ method: 'PUT', where: commit, how: 'reset-after' })
  await rig.night(second)
  expect(await rig.versions()).toEqual([version, version, version])
})

test('a manifest of Iceberg whose answer is lost is not taken for the file of somebody else', async () => {
  rig = await LakeRig.create('append', server, 'iceberg')
  await rig.night(first)
  server.faults.push({ method: 'PUT', where: '-m0.avro', how: 'reset-after' })
  await rig.night(second)
  expect(server.faults).toEqual([])
})

test.each(lakes)(
  'a commit of $format that fails again and again is tried again, and its outcome is said to be unknown',
  async ({ format, commit, version }) => {
    rig = await LakeRig.create('merge', server, format)
    await rig.night(first)
    refusePuts(commit, 'slow-down')
    const env = { ...server.env, AWS_MAX_ATTEMPTS: '1' }
    const error = await rig.fail(second, { env })
    expect(error.code).toBe('TARGET_FAILED')
    expect(error.message).toContain(
      `s3://warehouse/lake/products: the commit of version ${version} ended without an answer, and its outcome is unknown`,
    )
    server.faults.length = 0
    await rig.compare()
    await rig.night(second)
  },
)

test.each(lakes)(
  'a commit of $format that the storage denies changes nothing, and its files are removed',
  async ({ format, commit }) => {
    rig = await LakeRig.create('merge', server, format)
    await rig.night(first)
    const before = await listFiles()
    refusePuts(commit, 'forbidden')
    const error = await rig.fail(second)
    expect(error.code).toBe('OUTPUT_REFUSED')
    expect(await listFiles()).toEqual(before)
    server.faults.length = 0
    await rig.night(second)
  },
)

test.each(lakes)(
  'a commit of $format that meets another request for its path is sent again',
  async ({ format, commit, version }) => {
    rig = await LakeRig.create('append', server, format)
    await rig.night(first)
    server.faults.push({ method: 'PUT', where: commit, how: 'conflict', times: 2 })
    await rig.night(second)
    expect(await rig.versions()).toEqual([version, version, version])
  },
)

test.each(lakes)(
  'a load of $format whose state is denied is repeated, and readers see it once',
  async ({ format, commit }) => {
    rig = await LakeRig.create('append', server, format)
    await rig.night(first)
    refusePuts(commit.replace('products', 'nightly'), 'forbidden')
    const error = await rig.fail(second)
    expect(error.outputs).toBe(
      'Tables of the lake, up to "product_photos", may hold this run already; the next one begins from what the last whole load left, and brings all together.',
    )
    server.faults.length = 0
    await rig.night(second)
  },
)

test('a storage that replaces objects where none is asked for is refused before anything is read', async () => {
  rig = await LakeRig.create('merge', server)
  const storage = createObjectStorage(createObjectClient(await connectS3(server.env, 'test')))
  const careless = { ...storage, create: async () => true }
  const error = await rig.fail(first, { storage: careless })
  expect(error.code).toBe('OUTPUT_REFUSED')
  expect(error.message).toContain('expected a storage that writes an object only if there is none (If-None-Match)')
  await rig.night(first)
})

test('a lake may be in a bucket while the manifest of its pipeline is on a disk', async () => {
  rig = await LakeRig.create()
  const folder = await RunFolder.create()
  try {
    await folder.write('input.ndjson', toStream([{ id: 'A', status: 'active' }]))
    const outputs = [{ format: 'delta', path: 's3://warehouse/lake/{table}' } as const]
    const manifest = { path: join(folder.out, '_manifest.json') }
    for (const version of [0, 0]) {
      const { databases = [] } = await folder.run({ outputs, manifest }, { env: { ...forcedWorkers, ...server.env } })
      expect(databases).toMatchObject([{ tables: [{ name: 'products', version }] }])
    }
    expect(await server.keys()).toContain('lake/products/_delta_log/00000000000000000000.json')
  } finally {
    await folder.remove()
  }
})
