import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { checkPipeline } from '../../../src/plan/check-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { profileFile } from '../../../src/inspect/profile/profile-file.ts'
import { previewPlan } from '../../../src/engine/run/preview-plan.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient, type ObjectClient } from '../../../src/storage/s3/object-client.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { LandingFolder } from '../fetch/landing-folder.ts'

const { signal } = new AbortController()

let s3: S3Server
let client: ObjectClient
let sandbox: Sandbox
let folder: LandingFolder

beforeAll(async () => {
  s3 = await startS3()
  client = createObjectClient(await connectS3(s3.env, 's3://warehouse/x'))
  sandbox = await startSandbox({ products: 120, rateLimit: false })
  folder = await LandingFolder.create(sandbox)
  await fill()
})
beforeEach(() => {
  s3.faults.length = 0
  s3.requests.length = 0
})
afterAll(async () => {
  client.close()
  await Promise.all([s3.close(), sandbox.close(), folder.remove()])
})

/** Files of every form, each on the disk and in the bucket. */
async function fill(): Promise<void> {
  const lines = toLines('plain', 30_000)
  await put('in/plain.ndjson', Buffer.from(lines))
  await put('in/marked.ndjson', Buffer.from(`\uFEFF${toLines('marked', 50)}garbage\n{"id":null}\n`))
  await put('in/packed.ndjson.gz', gzipSync(lines))
  await put('in/members.ndjson', Buffer.concat([gzipSync(toLines('a', 20)), gzipSync(toLines('b', 20))]))
  const results = toLines('document', 40).trimEnd().split('\n').join(',')
  await put('in/document.json', Buffer.from(`{"meta":{"total":40},"results":[${results}]}`))
  await put('in/empty.ndjson', Buffer.alloc(0))
  for (let part = 0; part < 40; part++) await put(`small/${part}.ndjson`, Buffer.from(toLines(`small-${part}`, 3)))
  for (const name of ['landed/x.ndjson', 'landed/y.ndjson.gz']) {
    await folder.fetch(name)
    for (const each of [name, `${name}.manifest.json`]) await put(each, await readFile(folder.at(each)))
  }
}

async function put(name: string, bytes: Buffer): Promise<void> {
  const isThere = name.startsWith('landed/')
  if (!isThere) await write(name, bytes)
  await client.put(`s3://warehouse/${name}`, bytes)
}

async function write(name: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(folder.at(name)), { recursive: true })
  await writeFile(folder.at(name), bytes)
}

function toLines(prefix: string, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ id: `${prefix}-${at}`, status: 'active' })}\n`,
  ).join('')
}

function toConfig(files: readonly string[]): PipelineConfig {
  return {
    name: 'same',
    source: { files: [...files], contract: 'v4/product' },
    completeness: 'report',
    rejects: { limit: '100%' },
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv' }, { format: 'ndjson', path: 'out/{table}.ndjson.gz' }],
    profile: false,
    report: false,
  }
}

let runs = 0

/** What a run leaves, with the names of its sources from the folder or the bucket on. */
async function runOver(place: string, names: readonly string[], workers: number) {
  const outDir = folder.at(`out-${(runs += 1)}`)
  const config = toConfig(names.map((name) => `${place}/${name}`))
  const { ledger, completeness, sources } = await runPipeline(config, { outDir, workers, env: s3.env })
  const files: Record<string, string> = {}
  for (const entry of await readdir(outDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || ['_manifest.json', '_runs.ndjson'].includes(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    files[relative(outDir, path)] = (await readFile(path, 'latin1')).replaceAll(`${place}/`, '')
  }
  const named = sources.map((source) => ({ ...source, name: source.name.replace(`${place}/`, '') }))
  const reasons = completeness.reasons.map((reason) => reason.replace(`${place}/`, ''))
  return { ledger, completeness: { ...completeness, reasons }, sources: named, files }
}

test.each([
  [['in/plain.ndjson']],
  [['in/marked.ndjson', 'in/packed.ndjson.gz']],
  [['in/members.ndjson', 'in/document.json', 'in/empty.ndjson']],
  [['in/*']],
  [['small/*.ndjson', 'in/p*']],
  [['landed/*']],
])('a run over %j in a bucket leaves the same files as a run over local files', async (names) => {
  for (const workers of [0, 2]) {
    const local = await runOver(folder.path, names, workers)
    expect(await runOver('s3://warehouse', names, workers)).toEqual(local)
  }
})

test.each(['cut', 'truncate', 'slow-down', 'reset'] as const)(
  'a run over a bucket whose answers are %s leaves the same files',
  async (how) => {
    const names = ['in/packed.ndjson.gz', 'in/plain.ndjson', 'landed/*']
    const before = await runOver('s3://warehouse', names, 0)
    s3.faults.push({ method: 'GET', where: 'ndjson', how, times: 2 })
    expect(await runOver('s3://warehouse', names, 0)).toEqual(before)
    expect(s3.faults).toEqual([])
  },
)

const runDamaged = async () => runOver('s3://warehouse', ['damaged/*.ndjson'], 0)

test('a landed object is proven by its manifest, and refused if it was replaced', async () => {
  const bytes = await readFile(folder.at('landed/x.ndjson'))
  await client.put(
    's3://warehouse/damaged/x.ndjson.manifest.json',
    await readFile(folder.at('landed/x.ndjson.manifest.json')),
  )
  await client.put('s3://warehouse/damaged/x.ndjson', bytes)
  expect((await runDamaged()).completeness).toMatchObject({ status: 'proven' })
  await client.put('s3://warehouse/damaged/x.ndjson', bytes.subarray(0, -100))
  await expect(runDamaged()).rejects.toMatchObject({ code: 'SOURCE_DAMAGED', exitCode: 4 })
})

test('listing many objects requests each of them once', async () => {
  await runOver('s3://warehouse', ['small/*.ndjson'], 0)
  expect(s3.requests.filter((request) => request.startsWith('GET /warehouse/small/'))).toHaveLength(40)
  expect(s3.requests).toHaveLength(41)
})

test('duplicates: last reads objects twice', async () => {
  await client.put(
    's3://warehouse/twice/a.ndjson',
    Buffer.from('{"id":"A","status":"old"}\n{"id":"A","status":"new"}\n'),
  )
  const config = { ...toConfig(['s3://warehouse/twice/a.ndjson']), duplicates: 'last' as const }
  const { ledger } = await runPipeline(config, { outDir: folder.at('twice'), workers: 0, env: s3.env })
  expect(ledger).toMatchObject({ lines: 2, accepted: 1, duplicate: 1 })
})

function into(path: string, files: string): PipelineConfig {
  return { ...toConfig([`s3://warehouse/${files}`]), outputs: [{ format: 'ndjson', path }] }
}

test('a run is refused if it would replace an object that it reads', async () => {
  const lake = `lake-${process.pid}`
  await client.put(`s3://warehouse/${lake}/a.ndjson`, Buffer.from(toLines('a', 3)))
  const first = into(`s3://warehouse/${lake}/{table}.ndjson`, `${lake}/a.ndjson`)
  await runPipeline(first, { workers: 0, env: s3.env })
  for (const files of [`${lake}/*.ndjson`, `${lake}/_rejects.ndjson`]) {
    const again = into(`s3://warehouse/${lake}/{table}.ndjson`, files)
    await expect(runPipeline(again, { workers: 0, env: s3.env })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('expected sources and outputs apart') as string,
    })
  }
})

test('check says what is wrong with the path of an object', () => {
  const { problems } = checkPipeline(
    toConfig(['s3://Bad_Bucket/a.ndjson', 's3://warehouse/in/', 's3://warehouse/in/*.gz']),
    {
      env: {},
      needsService: false,
      now: 0,
    },
  )
  expect(problems.map(({ path, message }) => [path.join('.'), message])).toEqual([
    [
      'source.files',
      'files: expected a bucket of 3 to 63 small letters, digits, "-" and "." after s3://, got "Bad_Bucket"',
    ],
    ['source.files', 'files: expected the path of a file in the bucket, got "s3://warehouse/in/"'],
  ])
})

test('preview reads the beginning of an object only', async () => {
  const lines = toLines('long', 100_000)
  await client.put('s3://warehouse/long/a.ndjson', Buffer.from(lines))
  s3.requests.length = 0
  const plan = planPipeline(toConfig(['s3://warehouse/long/*.ndjson']), { env: s3.env })
  const { tables } = await previewPlan(plan, { rows: 3, stdin: Readable.from([]), signal, env: s3.env })
  expect(tables[0]?.rows).toHaveLength(3)
  expect(s3.requests).toHaveLength(2)
})

test('profile counts the values of an export and of tables in a bucket', async () => {
  await client.put('s3://warehouse/tables/t.csv', Buffer.from('id,status\nA,x\nB,y\n'))
  const options = { signal, env: s3.env, stdin: Readable.from([]) }
  const profiled = await profileFile('s3://warehouse/landed/x.ndjson', {
    ...options,
    tables: undefined,
    columns: undefined,
  })
  expect(profiled.export).toMatchObject({ contract: 'v4/product', completeness: { status: 'proven' } })
  const { profile } = await profileFile('s3://warehouse/tables/t.csv', {
    ...options,
    tables: undefined,
    columns: undefined,
  })
  expect(profile).toMatchObject({ pipeline: 't', tables: [{ rows: 2 }] })
})
