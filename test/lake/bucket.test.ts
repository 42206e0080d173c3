import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createObjectClient } from '../../src/storage/s3/object-client.ts'
import { connectS3 } from '../../src/storage/s3/load-s3.ts'
import { createObjectStorage } from '../../src/storage/s3/object-storage.ts'
import { someOf } from '../depth.ts'
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

const modes = someOf(['merge', 'history', 'append', 'snapshot'] as const, 'merge')
const first = [product('A', 'a', ['x']), product('B')]
const second = [product('A', 'a2', ['x', 'y']), product('C')]
const refusePuts = (where: string, how: 'slow-down' | 'forbidden') =>
  server.faults.push({ method: 'PUT', where, how, times: Infinity })
const dataFiles = async () => (await server.keys()).filter((key) => key.includes('/part-'))

test.each(modes)('a lake in a bucket has the rows of the model after each load of mode %s', async (mode) => {
  rig = await LakeRig.create(mode, server)
  for (const records of [first, second, second, first]) await rig.night(records)
  expect((await server.keys()).filter((key) => key.includes('.probe-'))).toEqual([])
})

test('a commit whose answer is lost counts once', async () => {
  rig = await LakeRig.create('append', server)
  await rig.night(first)
  server.faults.push({ method: 'PUT', where: 'products/_delta_log/00000000000000000001.json', how: 'reset-after' })
  await rig.night(second)
  expect(await rig.versions()).toEqual([1, 1, 1])
})

test('a commit that fails again and again is tried again, and its outcome is said to be unknown', async () => {
  rig = await LakeRig.create('merge', server)
  await rig.night(first)
  refusePuts('products/_delta_log/00000000000000000001.json', 'slow-down')
  const env = { ...server.env, AWS_MAX_ATTEMPTS: '1' }
  const error = await rig.fail(second, { env })
  expect(error.code).toBe('TARGET_FAILED')
  expect(error.message).toContain(
    's3://warehouse/lake/products: the commit of version 1 ended without an answer, and its outcome is unknown',
  )
  server.faults.length = 0
  await rig.compare()
  await rig.night(second)
})

test('a commit that the storage denies changes nothing, and its data files are removed', async () => {
  rig = await LakeRig.create('merge', server)
  await rig.night(first)
  const before = await dataFiles()
  refusePuts('products/_delta_log/00000000000000000001.json', 'forbidden')
  const error = await rig.fail(second)
  expect(error.code).toBe('OUTPUT_REFUSED')
  expect(await dataFiles()).toEqual(before)
  server.faults.length = 0
  await rig.night(second)
})

test('a load whose state is denied is repeated by the next one, and readers see it once', async () => {
  rig = await LakeRig.create('append', server)
  await rig.night(first)
  refusePuts('nightly/_delta_log/00000000000000000001.json', 'forbidden')
  const error = await rig.fail(second)
  expect(error.outputs).toBe(
    'Tables of the lake, up to "product_photos", may hold this run already; the next one begins from what the last whole load left, and brings all together.',
  )
  server.faults.length = 0
  await rig.night(second)
})

test('a storage that replaces objects where none is asked for is refused before anything is read', async () => {
  rig = await LakeRig.create('merge', server)
  const storage = createObjectStorage(createObjectClient(await connectS3(server.env, 'test')))
  const careless = { ...storage, create: async () => true }
  const error = await rig.fail(first, { storage: careless })
  expect(error.code).toBe('OUTPUT_REFUSED')
  expect(error.message).toContain('expected a storage that writes an object only if there is none (If-None-Match)')
  await rig.night(first)
})
