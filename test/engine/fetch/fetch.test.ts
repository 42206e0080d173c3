import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildChild } from '../../built-child.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { fetchPipeline, fetchPlan } from '../../../src/engine/fetch/fetch-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import type { LandingManifest } from '../../../src/manifest/manifest.ts'
import { answerMany, ServiceStub } from '../../service/read/service-stub.ts'
import { systemError, watchFileSystem } from '../../storage/watched-file-system.ts'
import { LandingFolder } from './landing-folder.ts'
import { cases } from '../../depth.ts'

let sandbox: Sandbox
let folder: LandingFolder

beforeAll(async () => {
  sandbox = await startSandbox({ products: 120, rateLimit: false })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  folder = await LandingFolder.create(sandbox)
})
afterEach(() => folder.remove())

const at = (name: string): string => folder.at(name)
const fetch = (...args: Parameters<LandingFolder['fetch']>) => folder.fetch(...args)
const runFiles = (...args: Parameters<LandingFolder['runFiles']>) => folder.runFiles(...args)
const toConfig = (...args: Parameters<LandingFolder['toConfig']>) => folder.toConfig(...args)
const manifestOf = async (name: string) =>
  JSON.parse(await readFile(at(`${name}.manifest.json`), 'utf8')) as LandingManifest
const readLines = async (name: string): Promise<string[]> => (await readFile(at(name), 'utf8')).split('\n').slice(0, -1)
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('a fetch', () => {
  test.each([
    ['v4/products/stream', {}, 120],
    ['v3/products/export', {}, 120],
    ['v4/products/query', { page: { size: 50 } }, 120],
    ['v4/updates/query', {}, 12],
    ['v4/products/find', { filter: { id: 'M34C3D3A5E' } }, 1],
  ])('a fetch lands every line of %s with proof of completeness', async (endpoint, source, records) => {
    const landing = await fetch('data.ndjson', { endpoint, ...source })
    const lines = await readLines('data.ndjson')
    expect(lines).toHaveLength(records)
    expect(new Set(lines.map(idOf)).size).toBe(records)
    const bytes = await readFile(at('data.ndjson'))
    expect(landing).toMatchObject({
      kind: 'landing',
      endpoint,
      lines: records,
      bytes: bytes.length,
      file: { bytes: bytes.length, sha256: sha256(bytes) },
      completeness: { status: 'proven', total: records },
      notes: { repeats: [], changes: [], skippedRecords: 0, missing: [] },
    })
    expect(await manifestOf('data.ndjson')).toEqual(landing)
    expect((await readdir(folder.path)).toSorted()).toEqual(['data.ndjson', 'data.ndjson.manifest.json'])
  })

  test('a fetch keeps lines byte for byte', async () => {
    const sent = [
      '{ "meta" : {"index": 0 , "total": 3}, "result": {"id": "é\\u00e9", "price": 12345678901234567890.10} }\r\n',
      '\n',
      '{"meta":{"total":3,"index":1},"result":{"id":"b","unknown":[1.0, null]}}\n',
      '{"meta":{"total":3,"index":2},"result":17}\n',
    ].join('')
    await using stub = await ServiceStub.start((response) => response.writeHead(200).end(sent))
    const { lines, bytes } = await fetch('data.ndjson', { baseUrl: stub.url })
    expect(await readFile(at('data.ndjson'), 'utf8')).toBe(sent)
    expect({ lines, bytes }).toEqual({ lines: 4, bytes: Buffer.byteLength(sent) })
  })

  test('a fetch compresses a file whose name ends in .gz', async () => {
    const { file, lines, bytes } = await fetch('deep/data.ndjson.gz')
    const compressed = await readFile(at('deep/data.ndjson.gz'))
    expect(file).toEqual({ bytes: compressed.length, sha256: sha256(compressed) })
    const text = gunzipSync(compressed)
    expect(text).toHaveLength(bytes)
    expect(text.toString().split('\n')).toHaveLength(lines + 1)
  })

  test('the manifest of a fetch has its request without credentials', async () => {
    const filter = { status: ['active'], createdAt: { from: '2020-01-01' } }
    const source = { filter, keySecret: sandbox.keySecret, partition: { by: 'createdAt', windows: 2 } } as const
    const landing = await fetch('data.ndjson', source)
    expect(landing.request).toEqual({
      method: 'POST',
      path: '/v4/products/stream',
      filter: { and: [{ status: ['active'] }, { createdAt: { from: 1_577_836_800 } }] },
      sorting: { id: 'ASC' },
      page: null,
      partition: { by: 'createdAt', windows: 2 },
    })
    expect(landing.baseUrl).toBe(sandbox.baseUrl)
    expect(Date.parse(landing.firstAnswerAt ?? '')).toBeGreaterThan(Date.parse(landing.startedAt) - 2000)
    expect(JSON.stringify(landing)).not.toMatch(/key|secret|authorization/i)
    // The windows that waited are gone.
    expect(await readdir(folder.path)).toHaveLength(2)
  })

  test('a fetch lands an empty, proven file for status 204', async () => {
    const landing = await fetch('none.ndjson.gz', { filter: { cnk: '0000001' } })
    expect(landing).toMatchObject({ lines: 0, bytes: 0, completeness: { status: 'proven', total: 0 } })
    expect(landing.notes.missing).toEqual([{ key: 'cnk', asked: 1, missing: ['0000001'] }])
    expect(gunzipSync(await readFile(at('none.ndjson.gz')))).toHaveLength(0)
    await fetch('none.ndjson', { filter: { cnk: '0000001' } })
    expect(await readFile(at('none.ndjson'))).toHaveLength(0)
    for (const name of ['none.ndjson.gz', 'none.ndjson']) {
      const { completeness, sources, ledger } = await runFiles(at(name))
      expect({ completeness, lines: ledger.lines }).toEqual({ completeness: landing.completeness, lines: 0 })
      expect(sources[0]?.notes?.missing).toEqual(landing.notes.missing)
    }
  })

  test('a fetch reports its progress', async () => {
    const seen: unknown[] = []
    await fetch('data.ndjson', {}, { onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toMatchObject({ pipeline: 'landed', lines: 120, total: 120 })
  })
})

describe('a fetch that fails or is incomplete', () => {
  test.each([
    'cut=60',
    'cut=60.5',
    'reset=60',
    'stall=60',
    'short=60',
    'gap=7',
    'repeat=7',
    'error-line=30',
    'total=+5@50',
  ])('a fetch repeats the request after %s and lands each record once', async (fault) => {
    sandbox.inject({ fault })
    const told: string[] = []
    const source = { timeouts: { idle: '300ms' } }
    const { completeness, notes } = await fetch('data.ndjson', source, { onWarning: (message) => told.push(message) })
    expect(completeness).toEqual({ status: 'proven', reasons: [], total: 120 })
    expect(new Set((await readLines('data.ndjson')).map(idOf)).size).toBe(120)
    expect(notes.repeats).toHaveLength(1)
    expect(told).toHaveLength(1)
  })

  test.each([
    ['cut=60', 'SOURCE_FAILED'],
    ['stall=60', 'SOURCE_FAILED'],
    ['short=60', 'SOURCE_INCOMPLETE'],
    ['gap=7', 'SOURCE_INCOMPLETE'],
    ['error-line=30', 'SOURCE_ERROR_LINE'],
    ['total=+5', 'SOURCE_INCOMPLETE'],
    ['500', 'SERVICE_FAILED'],
  ])('a fetch keeps the earlier file if %s never ends', async (fault, code) => {
    await fetch('data.ndjson')
    const before = await folder.snapshot()
    sandbox.inject({ fault, times: 1 })
    await expect(fetch('data.ndjson', { retries: 0, timeouts: { idle: '300ms' } })).rejects.toMatchObject({
      code,
      exitCode: 4,
      outputs: 'Nothing was landed; an earlier file is as it was.',
    })
    expect(await folder.snapshot()).toEqual(before)
  })

  test('a failed fetch leaves no file', async () => {
    await expect(fetch('data.ndjson', { keySecret: 'another-secret' })).rejects.toSatisfy(
      (error: Error & { code: string }) =>
        error.code === 'SERVICE_UNAUTHORIZED' && !`${error.message}${error.stack}`.includes('another-secret'),
    )
    expect(await readdir(folder.path)).toEqual([])
  })

  test('a fetch lands an incomplete answer with completeness: report, and reports it', async () => {
    sandbox.inject({ fault: 'short=60' })
    const landing = await fetch('data.ndjson', { retries: 0 }, { more: { completeness: 'report' } })
    expect(landing).toMatchObject({ lines: 60, completeness: { status: 'incomplete' } })
    await expect(runFiles(at('data.ndjson'))).rejects.toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    const report = await runFiles(at('data.ndjson'), { completeness: 'report' })
    expect(report).toMatchObject({ ledger: { accepted: 60 }, completeness: landing.completeness })
  })

  test('a fetch refuses a line longer than maxLineBytes', async () => {
    const [beginning, end] = ['{"meta":{"total":1,"index":0},"result":{"id":"a","x":"', '"}}']
    const line = (bytes: number) => `${beginning}${'x'.repeat(bytes - beginning.length - end.length)}${end}\n`
    await using stub = await ServiceStub.start((response) => response.writeHead(200).end(line(2001)))
    const source = { baseUrl: stub.url, maxLineBytes: 2000, retries: 0 }
    await expect(fetch('data.ndjson', source)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: expect.stringContaining('line 1: expected at most 2000 bytes (source.maxLineBytes)') as string,
    })
    stub.answerWith((response) => response.writeHead(200).end(line(2000)))
    expect(await fetch('data.ndjson', source)).toMatchObject({ lines: 1, bytes: 2001 })
  })

  test('an interrupted fetch keeps the earlier file', async () => {
    await fetch('data.ndjson')
    const before = await folder.snapshot()
    sandbox.inject({ fault: 'slow=200000' })
    const stopping = new AbortController()
    const asked = sandbox.requests.length
    const fetching = fetch('data.ndjson', {}, { signal: stopping.signal })
    while (sandbox.requests.length === asked) await sleep(10)
    await sleep(100)
    stopping.abort()
    await expect(fetching).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(await folder.snapshot()).toEqual(before)
  })

  test.each(['write', 'rename'])('a fetch keeps the earlier file if the disk refuses to %s', async (operation) => {
    await fetch('data.ndjson')
    const before = await folder.snapshot()
    let count = 0
    const fs = watchFileSystem({
      before: ({ name, path }) => {
        // The second rename: the lines have their name then, the manifest does not.
        const isIt = operation === 'write' ? name === 'handle.write' : name === 'rename' && path.endsWith('.json')
        if (isIt && path.includes('data.ndjson') && count++ === 0) throw systemError('ENOSPC', -28, operation)
      },
    })
    const plan = planPipeline(toConfig({ filter: { status: 'active' } }), { env: {} })
    await expect(fetchPlan(plan, { to: at('data.ndjson') }, fs)).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    expect(await folder.snapshot()).toEqual(before)
  })

  test('a fetch is refused over files, to standard output, and to a folder', async () => {
    const files = toConfig({})
    const overFiles = { ...files, source: { files: 'data/*.ndjson', contract: 'v4/product' } }
    await expect(fetchPipeline(overFiles, { to: at('x') })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(fetchPipeline(files, { to: '-', env: {} })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(fetchPipeline(files, { to: folder.path, env: {} })).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
  })
})

describe('a fetch that is faster than the disk', () => {
  test('a fetch that is faster than the disk slows the service down to the speed of the disk', async () => {
    const total = 4000
    let sent = 0
    let written = 0
    const ahead: number[] = []
    await using stub = await ServiceStub.start(
      answerMany(total, (bytes) => {
        sent = bytes
        ahead.push(sent - written)
      }),
    )
    const fs = watchFileSystem({
      write: async (handle, bytes, offset) => {
        await sleep(bytes.length / 60_000)
        written += bytes.length
        return handle.write(bytes, offset)
      },
    })
    const plan = planPipeline(toConfig({ baseUrl: stub.url }), { env: {} })
    const { bytes } = await fetchPlan(plan, { to: at('data.ndjson') }, fs)
    expect(bytes).toBeGreaterThan(20_000_000)
    // Half a dozen blocks of a megabyte, and what the sockets hold.
    expect(Math.max(...ahead)).toBeLessThan(13_000_000)
  })
})

describe('a large fetch', () => {
  test('a large fetch takes no more memory than a small one', async () => {
    await using stub = await ServiceStub.start(answerMany(cases(40_000, 27_000)))
    const args = [await buildChild('fetching-child.ts'), stub.url, at('large.ndjson')]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { bytes, status, peak } = JSON.parse(stdout) as { bytes: number; status: string; peak: number }
    expect(bytes).toBeGreaterThan(cases(200_000_000, 135_000_000))
    expect(status).toBe('proven')
    expect(peak).toBeLessThan(120_000_000)
  })
})

function idOf(line: string): string {
  const value = JSON.parse(line) as { id?: string; result?: { id: string } }
  return String(value.result?.id ?? value.id)
}
