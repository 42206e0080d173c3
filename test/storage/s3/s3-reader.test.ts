import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import type { FoundObject, ObjectReader } from '../../../src/storage/s3/object-reader.ts'
import type { ReadObjectOptions } from '../../../src/storage/s3/read-object.ts'
import { createS3Reader } from '../../../src/storage/s3/s3-reader.ts'
import { createObjectClient, type ObjectClient } from '../../../src/storage/s3/object-client.ts'
import { startS3, type S3Server } from './start-s3.ts'
import { someOf } from '../../depth.ts'

const path = 's3://warehouse/exports/a.ndjson'
const content = toContent('first', 3_000_000)
const { signal } = new AbortController()

let s3: S3Server
let client: ObjectClient

beforeAll(async () => {
  s3 = await startS3()
  client = createObjectClient(await connectS3(s3.env, path))
})
beforeEach(async () => {
  s3.faults.length = 0
  await client.put(path, content)
  s3.requests.length = 0
})
afterAll(async () => {
  client.close()
  await s3.close()
})

const small: ReadObjectOptions = { rangeBytes: 100_000, backOffMs: 1 }

test.each([
  [{}, 0, 3_000_000],
  [{ from: 1_234_567 }, 1_234_567, 3_000_000],
  [{ from: 99_999, until: 2_100_001 }, 99_999, 2_100_001],
  [{ until: 1 }, 0, 1],
  [{ from: 7, until: 7 }, 7, 7],
  [{ from: 2_999_999, until: null }, 2_999_999, 3_000_000],
])('the range %j of an object is read in requests of any size', async (range, from, until) => {
  for (const rangeBytes of someOf([100_000, 1_000_000, 8_000_000], 200_000, 8_000_000)) {
    for (const rangesAhead of [1, 4]) {
      const read = await readWith({ rangeBytes, rangesAhead }, range)
      expect(read.equals(content.subarray(from, until))).toBe(true)
    }
  }
})

test.each(['cut', 'truncate', 'freeze'] as const)(
  'an answer that is %s in the middle is resumed at the byte where it broke',
  async (how) => {
    s3.faults.push({ method: 'GET', where: 'a.ndjson', how, times: 5, after: 3 })
    const read = await readWith({ ...small, idleTimeoutMs: 150 })
    expect(digest(read)).toBe(digest(content))
    expect(s3.faults).toEqual([])
    // One more for each that broke.
    expect(gets()).toHaveLength(30 + 5)
  },
)

test.each(['slow-down', 'reset'] as const)('a request that ends in %s is sent again', async (how) => {
  s3.faults.push({ method: 'GET', where: 'a.ndjson', how, times: 2, after: 1 })
  expect(digest(await readWith(small))).toBe(digest(content))
})

test('an object that never arrives whole fails with the byte where it ends', async () => {
  s3.faults.push({ method: 'GET', where: 'a.ndjson', how: 'freeze', times: Number.POSITIVE_INFINITY, after: 1 })
  const failed = readWith({ rangeBytes: 1_000_000, rangesAhead: 1, attempts: 1, idleTimeoutMs: 100 })
  await expect(failed).rejects.toMatchObject({
    code: 'SOURCE_FAILED',
    exitCode: 4,
    message: expect.stringMatching(
      /^s3:.*a\.ndjson: the read failed at byte \d+, 1 times: no byte came for 100 ms$/,
    ) as string,
  })
})

test('an object that is replaced while it is read is never mixed', async () => {
  const reader = openReader({ ...small, rangesAhead: 1 })
  try {
    const chunks = reader.read(await found(reader), { signal })
    await chunks.next()
    await client.put(path, toContent('second', 3_000_000))
    const rest = async () => {
      for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0)
    }
    await expect(rest()).rejects.toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 4 })
  } finally {
    reader.close()
  }
})

test('an object is read ahead by a limited number of ranges', async () => {
  const reader = openReader({ rangeBytes: 100_000, rangesAhead: 3 })
  try {
    const chunks = reader.read(await found(reader), { signal })
    await chunks.next()
    expect(gets()).toHaveLength(1)
    await chunks.next()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(gets().length).toBeLessThanOrEqual(4)
    await chunks.return()
  } finally {
    reader.close()
  }
})

test('reading an object stops when it is aborted', async () => {
  const reader = openReader(small)
  const controller = new AbortController()
  let bytes = 0
  for await (const chunk of reader.read(await found(reader), { signal: controller.signal })) {
    bytes += chunk.length
    controller.abort()
  }
  expect(bytes).toBeLessThan(content.length)
  reader.close()
})

test('an object reader does not ask again for objects that it has listed', async () => {
  const reader = openReader()
  const listed = await reader.list('s3://warehouse/exports/')
  expect(listed).toEqual([await found(openReader())].map((object) => ({ ...object, modified: listed[0]?.modified })))
  const before = s3.requests.length
  expect(await reader.find(path)).toEqual(listed[0])
  expect(await reader.find(`${path}.manifest.json`)).toBeNull()
  expect(s3.requests).toHaveLength(before)
  reader.close()
})

test('an object reader reads a few bytes at any position', async () => {
  const reader = openReader()
  const object = await found(reader)
  expect((await reader.readAt(object, 12_345, 100)).equals(content.subarray(12_345, 12_445))).toBe(true)
  expect((await reader.readAt(object, 2_999_990, 100)).equals(content.subarray(-10))).toBe(true)
  expect(await reader.readAt(object, 3_000_000, 100)).toHaveLength(0)
  reader.close()
})

test('errors on permissions, credentials and missing buckets show no secrets', async () => {
  const missing = createS3Reader(s3.env)
  expect(await missing.find('s3://warehouse/none.ndjson')).toBeNull()
  await expect(missing.list('s3://nowhere/exports/')).rejects.toMatchObject({
    code: 'SOURCE_NOT_FOUND',
    message: 's3://nowhere/exports/: expected a file, got no such bucket',
  })
  missing.close()
  s3.faults.push({ method: '*', where: 'a.ndjson', how: 'forbidden', times: 2 })
  const refused = createS3Reader(s3.env)
  for (const ask of [() => refused.find(path), () => refused.get(path)]) {
    const error: unknown = await ask().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SOURCE_FAILED', exitCode: 4 })
    expect(String(error)).toContain('the storage did not accept the credentials, or they may not do this')
  }
  refused.close()
  const wrong = createS3Reader({ ...s3.env, AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'very-secret' })
  const error: unknown = await wrong.list('s3://warehouse/exports/').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'SOURCE_FAILED' })
  expect(JSON.stringify([String(error), error])).not.toContain('very-secret')
  wrong.close()
})

const connect = (shown: string) => connectS3({}, shown, () => Promise.reject(new Error('Cannot find package')))

test('reading an object without the AWS SDK fails and says what to install', async () => {
  await expect(createS3Reader({}, { connect }).find(path)).rejects.toMatchObject({
    code: 'PEER_MISSING',
    fix: 'npm install @aws-sdk/client-s3',
  })
})

function openReader(options: ReadObjectOptions = {}): ObjectReader {
  return createS3Reader(s3.env, options)
}

async function found(reader: ObjectReader): Promise<FoundObject> {
  const object = await reader.find(path)
  if (object === null) throw new TypeError('expected an object')
  return object
}

async function readWith(options: ReadObjectOptions, range: { from?: number; until?: number | null } = {}) {
  const reader = openReader(options)
  try {
    const chunks: Buffer[] = []
    // A chunk is valid until the next one is read.
    for await (const chunk of reader.read(await found(reader), { ...range, signal })) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  } finally {
    reader.close()
  }
}

const gets = () => s3.requests.filter((request) => request.startsWith('GET') && request.includes('a.ndjson'))

function toContent(seed: string, bytes: number): Buffer {
  const rows = Array.from({ length: bytes / 30 }, (_, row) => digest(Buffer.from(`${seed} ${row}`)).slice(0, 29))
  return Buffer.from(`${rows.join('\n')}\n`)
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
