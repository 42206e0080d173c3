import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connectS3 } from '../../src/storage/s3/load-s3.ts'
import { createObjectReader } from '../../src/storage/s3/create-object-reader.ts'
import { createObjectClient } from '../../src/storage/s3/object-client.ts'
import { findFiles } from '../../src/sources/find-files.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'

const names = [
  'exports/2024-12/a.ndjson.gz',
  'exports/2025-01/a.ndjson.gz',
  'exports/2025-01/b.ndjson',
  'exports/2025-01/.hidden.ndjson',
  'exports/2025-01/deep/c.ndjson.gz',
  'exports/2025-02/part-10.ndjson.gz',
  'exports/2025-02/part-2.ndjson.gz',
  'exports/2025-02/Ünïcode name.ndjson',
  'exports/2025-0[3]/x.ndjson',
  'exports/.dot/x.ndjson',
  'landed/x.json',
  'landed/y.json.manifest.json',
  'other/big.ndjson',
]

let s3: S3Server
let folder: string

beforeAll(async () => {
  s3 = await startS3()
  folder = await mkdtemp(join(tmpdir(), 'find-objects-'))
  const client = createObjectClient(await connectS3(s3.env, 's3://warehouse/x'))
  for (const name of names) {
    const text = name.endsWith('.manifest.json') ? '{"kind":"landing"}' : '{}'
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
    await client.put(`s3://warehouse/${name}`, Buffer.from(text))
  }
  // Some programs make an object for a folder.
  await client.put('s3://warehouse/exports/2025-02/', Buffer.alloc(0))
  client.close()
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

test.each([
  'exports/2025-*/*.ndjson.gz',
  'exports/2025-*/*',
  'exports/**/*.ndjson.gz',
  'exports/2025-0?/*.{ndjson,ndjson.gz}',
  'exports/202{4,5}-*/a*',
  'exports/2025-0[12]/*',
  'exports/!(2024*)/*.gz',
  'exports/2025-0[3]/x.ndjson',
  'exports/2025-02/Ü*',
  'exports/2025-02/part-+([0-9]).ndjson.gz',
  'exports/.dot/*',
  '**/x.*',
  '*/x.json',
  'landed/*',
  'other/*.ndjson',
])('the pattern %s finds the same files in a bucket as on a disk, in the same order', async (pattern) => {
  const objects = createObjectReader(s3.env)
  const local = await findFiles([join(folder, pattern)], objects)
  const found = await findFiles([`s3://warehouse/${pattern}`], objects)
  expect(found.map((path) => path.replace('s3://warehouse', ''))).toEqual(local.map((path) => path.replace(folder, '')))
  expect(found.length).toBeGreaterThan(0)
  objects.close()
})

test('only what begins like the pattern is listed, and each file is found once', async () => {
  const objects = createObjectReader(s3.env)
  s3.requests.length = 0
  const entries = ['exports/2025-01/b.ndjson', 'exports/2025-*/*.ndjson', '{other,none}/*.ndjson']
  const found = await findFiles(
    entries.map((entry) => `s3://warehouse/${entry}`),
    objects,
  )
  expect(found.map((path) => path.slice(15))).toEqual([
    'exports/2025-01/b.ndjson',
    'exports/2025-02/Ünïcode name.ndjson',
    'exports/2025-0[3]/x.ndjson',
    'other/big.ndjson',
  ])
  expect(s3.requests.map((request) => decodeURIComponent(request.replace(/(\?list-type=2)?&?x-id=\w+/, '')))).toEqual([
    'HEAD /warehouse/exports/2025-01/b.ndjson',
    'GET /warehouse/?list-type=2&prefix=exports/2025-',
    'GET /warehouse/?list-type=2&prefix=',
  ])
  objects.close()
})

test.each([
  ['exports/none.ndjson', 'expected a file, got nothing there'],
  ['exports/2031-*/*', 'expected files that match, got none'],
  ['exports/', 'expected the path of a file in the bucket'],
])('the source %s is not found: %s', async (entry, words) => {
  const objects = createObjectReader(s3.env)
  const failed = findFiles([`s3://warehouse/${entry}`], objects)
  await expect(failed).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND', exitCode: 4 })
  await expect(failed).rejects.toThrow(words)
  objects.close()
})

test('of a folder is said what would read its files', async () => {
  const objects = { ...createObjectReader(s3.env), find: () => Promise.resolve(null) }
  await expect(findFiles(['s3://warehouse/exports/2025-01'], objects)).rejects.toThrow(
    's3://warehouse/exports/2025-01: expected a file, got a folder (use s3://warehouse/exports/2025-01/*.ndjson)',
  )
  objects.close()
})
