import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CatalogueError } from '../../../src/errors.ts'
import type { StagedFile } from '../../../src/storage/staged-file.ts'
import type { FileStorage } from '../../../src/storage/file-storage.ts'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { openStorage } from '../../../src/storage/open-storage.ts'
import { cases } from '../../depth.ts'
import { startS3, type S3Server } from './start-s3.ts'

const MiB = 1024 * 1024
let server: S3Server
let storage: FileStorage
let folder: string
let prefix = 0

beforeAll(async () => {
  server = await startS3()
  folder = await mkdtemp(join(tmpdir(), 'object-storage-'))
})

beforeEach(async () => {
  storage = await openStorage('s3://warehouse/out/a.csv', server.env, { partBytes: 5 * MiB })
  prefix++
  server.requests.length = 0
})

afterEach(async () => {
  server.faults.length = 0
  await storage.close()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test('objects appear under names of the run, and only when the run is published', async () => {
  const { files, manifest } = await stage('one', { 'products.csv': 'id\n1\n', 'photos.csv': '' }, 'manifest 1')
  expect(await keysHere()).toEqual([])
  expect(await publish({ files, manifest })).toEqual([])
  expect(await objectsHere()).toEqual({
    '_manifest.json': 'manifest 1',
    'photos.run-one.csv': '',
    'products.run-one.csv': 'id\n1\n',
  })
  expect(await server.openUploads()).toEqual([])
})

test('the manifest of a bucket is completed after every file that it lists, and small objects have their hash in the metadata', async () => {
  const { files, manifest } = await stage('one', { 'a.csv': 'a', 'b.csv': 'b', 'c.csv': 'c' }, 'manifest')
  await publish({ files, manifest })
  const written = server.requests.filter((request) => /^(?:PUT .*\.csv|POST .*uploadId=)/.test(request))
  expect(written.map((request) => request.replace(/\?.*/, '').split('/').at(-1))).toEqual([
    ...['a', 'b', 'c'].map((name) => `${name}.run-one.csv`),
    '_manifest.json',
  ])
  const { s3, client } = await connectS3(server.env, 'x')
  const head = await client.send(new s3.HeadObjectCommand({ Bucket: 'warehouse', Key: `${prefix}/a.run-one.csv` }))
  expect(head.Metadata?.['sha256']).toBe(createHash('sha256').update('a').digest('hex'))
  client.destroy()
})

test('objects of the former manifest stay until the run after the next one', async () => {
  const lists: string[][] = []
  const before: string[] = []
  for (const token of ['one', 'two', 'three']) {
    const { files, manifest } = await stage(token, { 'a.csv': token }, `manifest ${token}`)
    await publish({ files, manifest, removals: before })
    // A file that is named again is gone all the same.
    before.push(...files.map((file) => file.destination))
    lists.push((await keysHere()).filter((key) => key.endsWith('.csv')))
  }
  expect(lists).toEqual([['a.run-one.csv'], ['a.run-one.csv', 'a.run-two.csv'], ['a.run-three.csv', 'a.run-two.csv']])
})

test('published objects have the bytes that were written, also of many parts and compressed', async () => {
  // Nothing that gzip makes smaller.
  const bytes = createHash('shake256', { outputLength: cases(20, 6) * MiB }).digest()
  const open = (name: string, gzip: boolean) => storage.openFile(path(name), { token: 'one', gzip, perRun: true })
  const [plain, compressed] = [await open('big.csv', false), await open('big.csv.gz', true)]
  for (let at = 0; at < bytes.length; at += 700_001) {
    await plain.write(bytes.subarray(at, at + 700_001))
    await compressed.write(bytes.subarray(at, at + 700_001))
  }
  const written = await plain.finish()
  expect(written).toEqual({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  const files = [finished(plain, written), finished(compressed, await compressed.finish())]
  const manifest = await stageManifest('one', 'manifest')
  await publish({ files, manifest })
  expect(compressed.destination).toBe(path('big.run-one.csv.gz'))
  expect(Buffer.from((await storage.read(plain.destination)) ?? []).equals(bytes)).toBe(true)
  expect(gunzipSync((await storage.read(compressed.destination)) ?? '').equals(bytes)).toBe(true)
  expect(await storage.sizeOf(plain.destination)).toBe(bytes.length)
  expect(await storage.toLocal(plain.destination, join(folder, 'copy'))).toBe(join(folder, 'copy'))
  expect((await readFile(join(folder, 'copy'))).equals(bytes)).toBe(true)
})

test('a slow bucket holds the writer up, so that memory does not grow with the file', async () => {
  const staged = await storage.openFile(path('big.ndjson'), { token: 'one', perRun: true })
  server.receiving.most = 0
  let most = 0
  globalThis.gc?.()
  const before = process.memoryUsage().arrayBuffers
  for (let written = 0; written < 120; written++) {
    await staged.write(Buffer.alloc(MiB, written))
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  await staged.finish()
  await staged.discard()
  expect(server.receiving.most).toBeLessThanOrEqual(5 * MiB)
  expect(most).toBeLessThan(90 * MiB)
})

test('a bucket reads, lists and removes objects', async () => {
  const { files, manifest } = await stage('one', { 'a.csv': 'a', 'status=active/b c+é.csv': 'bb' }, 'manifest')
  await publish({ files, manifest })
  expect(await storage.read(path('none'))).toBeNull()
  expect(await storage.sizeOf(path('none'))).toBeNull()
  const listed: unknown[] = []
  for await (const file of storage.list(`s3://warehouse/${prefix}`)) listed.push(file)
  const modifiedAt = expect.any(Date) as Date
  expect(listed).toEqual([
    { path: path('_manifest.json'), bytes: 8, modifiedAt },
    { path: path('a.run-one.csv'), bytes: 1, modifiedAt },
    { path: path('status=active/b c+é.run-one.csv'), bytes: 2, modifiedAt },
  ])
  await storage.remove(path('a.run-one.csv'))
  await storage.remove(path('a.run-one.csv'))
  expect(await keysHere()).not.toContain('a.run-one.csv')
  await expect(storage.toLocal(path('none'), join(folder, 'none'))).rejects.toThrow(
    `${path('none')}: could not be read: The specified key does not exist (NoSuchKey, status 404)`,
  )
})

test('a discarded upload leaves nothing, at any stage', async () => {
  for (const size of [0, 10, 6 * MiB, 12 * MiB]) {
    const staged = await storage.openFile(path('a.csv'), { token: 'one', perRun: true })
    for (let at = 0; at < size; at += MiB) await staged.write(Buffer.alloc(Math.min(MiB, size - at)))
    if (size !== 6 * MiB) await staged.finish()
    await staged.discard()
    await staged.discard()
  }
  expect([await server.openUploads(), await keysHere()]).toEqual([[], []])
})

test('a request to a bucket is repeated if the bucket is busy or cuts the connection within a part', async () => {
  server.faults.push(
    { method: 'PUT', where: 'partNumber=1', how: 'reset' },
    { method: 'PUT', where: 'partNumber=2', how: 'slow-down', times: 2 },
    { method: 'POST', where: 'uploadId', how: 'reset-after' },
  )
  const { files, manifest } = await stage('one', { 'a.csv': 'x'.repeat(11 * MiB) }, 'manifest')
  await publish({ files, manifest })
  expect(server.faults).toEqual([])
  expect((await objectsHere())['a.run-one.csv']?.length).toBe(11 * MiB)
})

test('a bucket that stays busy fails the run with OUTPUT_FAILED, which leaves nothing', async () => {
  server.faults.push({ method: 'PUT', where: 'partNumber=2', how: 'slow-down', times: Infinity })
  const staged = await storage.openFile(path('a.csv'), { token: 'one', perRun: true })
  const error = await failureOf(async () => {
    for (let at = 0; at < 12; at++) await staged.write(Buffer.alloc(MiB))
    await staged.finish()
  })
  expect(error).toMatchObject({
    code: 'OUTPUT_FAILED',
    message: `${path('a.run-one.csv')}: could not be written: the storage takes no more requests for now (SlowDown, status 503) after 5 attempts`,
  })
  await staged.discard()
  expect([await server.openUploads(), await keysHere()]).toEqual([[], []])
})

test.each([
  ['no such bucket', 's3://nowhere/a.csv', {}, 'OUTPUT_REFUSED', 'there is no such bucket (NoSuchBucket, status 404)'],
  [
    'wrong credentials',
    's3://warehouse/a.csv',
    { AWS_ACCESS_KEY_ID: 'nobody' },
    'OUTPUT_REFUSED',
    'the storage did not accept the credentials, or they may not do this (InvalidAccessKeyId, status 403)',
  ],
  [
    'nobody there',
    's3://warehouse/a.csv',
    { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
    'OUTPUT_FAILED',
    'the storage could not be reached: connect ECONNREFUSED 127.0.0.1:9 after 5 attempts',
  ],
])(
  'a bucket that fails ends the run with a code that says whether to try again, before anything is read or written: %s',
  async (_, place, env, code, words) => {
    const other = await openStorage(place, { ...server.env, ...env })
    try {
      const error = await failureOf(() => other.recover(place))
      expect(error).toBeInstanceOf(CatalogueError)
      expect(error).toMatchObject({ code, message: expect.stringContaining(words) as string })
      const staged = await other.openFile(place, { token: 'one' })
      const writing = await failureOf(async () => {
        await staged.write(Buffer.from('x'))
        await staged.finish()
      })
      expect(writing).toMatchObject({ code, message: expect.stringContaining(words) as string })
      await staged.discard()
    } finally {
      await other.close()
    }
  },
)

test('a bucket without the AWS SDK is an error with the line that installs it', async () => {
  const error = await failureOf(() =>
    connectS3({}, 's3://warehouse/a.csv', () => Promise.reject(new Error('Cannot find it'))),
  )
  expect(error).toMatchObject({
    code: 'PEER_MISSING',
    message: 's3://warehouse/a.csv: expected the package "@aws-sdk/client-s3", got: Cannot find it',
    fix: 'npm install @aws-sdk/client-s3',
  })
})

test('a run into a bucket whose last file can not be completed publishes nothing and leaves nothing', async () => {
  const first = await stage('one', { 'a.csv': '1', 'b.csv': '1' }, 'manifest 1')
  await publish(first)
  const { files, manifest, staged } = await stage('two', { 'a.csv': '2', 'b.csv': '2' }, 'manifest 2')
  const before = await objectsHere()
  server.faults.push({ method: 'PUT', where: 'b.run-two.csv', how: 'forbidden' })
  const error = await failureOf(() => publish({ files, manifest }))
  expect(error).toMatchObject({
    code: 'OUTPUT_REFUSED',
    outputs: 'The previous outputs are as they were.',
    message: expect.stringContaining('b.run-two.csv: could not be written: the storage did not accept') as string,
  })
  for (const file of staged) await file.discard()
  expect(await objectsHere()).toEqual(before)
  expect(await server.openUploads()).toEqual([])
  expect(await storage.recover(path('_manifest.json'))).toBe('none')
})

test('a small object is one request, and those beyond the memory for them are uploads', async () => {
  const { files, manifest } = await stage('one', { 'a.csv': 'a'.repeat(MiB), 'b.csv': 'b'.repeat(MiB + 1) }, 'manifest')
  await publish({ files, manifest })
  const requestsOf = (name: string) => server.requests.filter((request) => request.includes(name)).length
  expect([requestsOf('a.run-one.csv'), requestsOf('b.run-one.csv')]).toEqual([1, 3])
  server.requests.length = 0
  const many = Object.fromEntries(Array.from({ length: 66 }, (_, at) => [`${at}.csv`, 'x'.repeat(MiB)]))
  await publish(await stage('two', many, 'manifest'))
  // The first object waited in memory, too; the last is the manifest.
  expect(server.requests.filter((request) => request.includes('partNumber=1')).length).toBe(66 - 63 + 1)
})

test('a run that began before another machine published fails and publishes nothing', async () => {
  const home = path('_manifest.json')
  const other = await openStorage(home, server.env)
  for (const first of ['nothing', 'manifest 1']) {
    const [mine, theirs] = [await storage.read(home), await other.read(home)]
    expect([mine, theirs].map((bytes) => (bytes === null ? 'nothing' : Buffer.from(bytes).toString()))).toEqual([
      first,
      first,
    ])
    await publish(await stage(`winner-${first.length}`, { 'a.csv': 'winner' }, 'manifest 1', other), other)
    const before = await objectsHere()
    const error = await failureOf(async () =>
      publish(await stage(`later-${first.length}`, { 'a.csv': 'later' }, 'manifest 2')),
    )
    expect(error).toMatchObject({
      code: 'OUTPUT_FAILED',
      exitCode: 5,
      title: 'Another run has published these outputs',
      outputs: 'The previous outputs are as they were.',
      message: expect.stringMatching(
        /^s3:.*_manifest\.json: expected the manifest that this run began with, got another one/,
      ) as string,
    })
    expect([await objectsHere(), await server.openUploads()]).toEqual([before, []])
  }
  await other.close()
})

test('a run whose publication another machine takes for that of a killed one can not replace its manifest any more', async () => {
  await publish(await stage('one', { 'a.csv': '1' }, 'manifest 1'))
  const home = path('_manifest.json')
  await storage.read(home)
  const staged = await stage('two', { 'a.csv': '2' }, 'manifest 2')
  // It stops before the last step, and the other one publishes meanwhile.
  server.faults.push({ method: 'POST', where: '_manifest.json?uploadId', how: 'hold' })
  const publishing = failureOf(() => publish(staged))
  await vi.waitUntil(() => server.held.length === 1)
  const { s3, client } = await connectS3(server.env, 'x')
  const [Bucket, Key] = ['warehouse', `${prefix}/_manifest.json`]
  await client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'manifest 3' }))
  client.destroy()
  server.held[0]?.()
  expect(await publishing).toMatchObject({ code: 'OUTPUT_FAILED', title: 'Another run has published these outputs' })
  expect((await objectsHere())['_manifest.json']).toBe('manifest 3')
})

test('a manifest in a bucket counts as published if the answer was lost', async () => {
  const { files, manifest } = await stage('one', { 'a.csv': '1' }, 'manifest 1')
  server.faults.push({ method: 'POST', where: '_manifest.json?uploadId', how: 'reset-after' })
  expect(await publish({ files, manifest })).toEqual([])
  expect(await keysHere()).toEqual(['_manifest.json', 'a.run-one.csv'])
})

test('rejects in a bucket keep their name, and are replaced after the manifest', async () => {
  const { files, manifest } = await stage('one', { 'a.csv': '1' }, 'manifest 1')
  const rejects = await storage.openFile(path('_rejects.ndjson'), { token: 'one' })
  await rejects.write(Buffer.from('{}\n'))
  await publish({ files: [...files, finished(rejects, await rejects.finish())], manifest })
  const completed = server.requests.filter((request) => /^POST .*uploadId=/.test(request))
  expect(completed.at(-1)).toContain('_rejects.ndjson')
  expect(await keysHere()).toEqual(['_manifest.json', '_rejects.ndjson', 'a.run-one.csv'])
})

test('a bucket that dies while a part is sent ends the run; what the manifest lists is as it was', async () => {
  await publish(await stage('one', { 'a.csv': '1' }, 'manifest 1'))
  const before = await objectsHere()
  const staged = await storage.openFile(path('a.csv'), { token: 'two', perRun: true })
  server.faults.push({ method: 'PUT', where: 'partNumber=2', how: 'stall' })
  const error = await failureOf(async () => {
    for (let at = 0; at < 12; at++) await staged.write(Buffer.alloc(MiB))
    await vi.waitUntil(() => server.requests.some((request) => request.includes('partNumber=2')))
    await server.stop()
    await staged.finish()
  })
  expect(error).toMatchObject({
    code: 'OUTPUT_FAILED',
    message: expect.stringContaining('could not be reached') as string,
  })
  expect(await failureOf(() => staged.discard())).toMatchObject({ code: 'OUTPUT_FAILED' })
  server.faults.length = 0
  await server.restart()
  expect(await objectsHere()).toEqual(before)
  // A day later the next run has the storage forget the parts.
  const later = await openStorage(path('x'), server.env, { now: () => Date.now() + 25 * 3600_000 })
  await later.clearStale([path('other.csv')], new Set())
  await later.clearStale([path('a.csv')], new Set(['two']))
  expect(await server.openUploads()).toHaveLength(1)
  await later.clearStale([path('a.csv')], new Set())
  expect(await server.openUploads()).toEqual([])
  await later.close()
})

const path = (name: string) => `s3://warehouse/${prefix}/${name}`

async function stage(token: string, contents: Record<string, string>, manifestText: string, into = storage) {
  const staged: StagedFile[] = []
  const files = []
  for (const [name, content] of Object.entries(contents)) {
    const file = await into.openFile(path(name), { token, perRun: true })
    staged.push(file)
    await file.write(Buffer.from(content))
    files.push(finished(file, await file.finish()))
  }
  return { files, staged, manifest: await stageManifest(token, manifestText, into) }
}

async function stageManifest(token: string, text: string, into = storage) {
  const file = await into.openFile(path('_manifest.json'), { token })
  await file.write(Buffer.from(text))
  return finished(file, await file.finish())
}

interface Staged {
  readonly files: readonly ReturnType<typeof finished>[]
  readonly manifest: ReturnType<typeof finished>
  readonly removals?: readonly string[]
}

function publish({ files, manifest, removals = [] }: Staged, into = storage) {
  return into.publish({ files, manifest, home: path('_manifest.json'), removals })
}

function finished({ path: staging, destination }: StagedFile, { sha256 }: { readonly sha256: string }) {
  return { path: staging, destination, sha256 }
}

async function keysHere(): Promise<string[]> {
  return Object.keys(await objectsHere())
}

/** The objects that a listing of the prefix gives, except the notes beside the manifest. */
async function objectsHere(): Promise<Record<string, string>> {
  const objects = Object.entries(await server.objects()).filter(([key]) => key.startsWith(`${prefix}/`))
  const named = objects.map(([key, content]) => [key.slice(`${prefix}/`.length), content] as const)
  return Object.fromEntries(named.filter(([key]) => !key.endsWith('.superseded')))
}

async function failureOf(operation: () => Promise<unknown>): Promise<unknown> {
  try {
    await operation()
    return 'no failure'
  } catch (error) {
    return error
  }
}
