import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Readable } from 'node:stream'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { openSources } from '../../../src/engine/reading/open-sources.ts'
import { holdToken } from '../../../src/engine/frame.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { journalPathFor, writeJournal } from '../../../src/storage/publication-journal.ts'
import { stagingPath } from '../../../src/storage/staging-names.ts'
import { LandingFolder } from './landing-folder.ts'
import { forcedWorkers } from '../../forced-workers.ts'

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
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('a run over a landed file', () => {
  const tables = { products: { exclude: ['volatile'] }, product_photos: { each: 'photos[]', exclude: ['volatile'] } }
  const outputs = [{ format: 'csv' as const }, { format: 'ndjson' as const, path: 'out/{table}.ndjson.gz' }]

  test.each(['v4/products/stream', 'v4/products/query'])(
    'a run over a landed file publishes the same as a run from %s',
    async (endpoint) => {
      const shape = { name: 'same', tables, outputs }
      const direct = await runPipeline(folder.toConfig({ endpoint }, shape), { outDir: folder.out, env: forcedWorkers })
      // The run's id depends on the request.
      const own = { 'same/_manifest.json': '', 'same/_profile.json': '', 'same/_report.html': '' }
      const readOutputs = async () => ({ ...(await folder.snapshotOut()), ...own })
      const before = await readOutputs()
      expect(Object.keys(before).filter((name) => /csv|ndjson/.test(name))).toHaveLength(5)
      await fetch('data.ndjson.gz', { endpoint })
      const landed = await runFiles(at('data.ndjson.gz'), shape)
      expect(await readOutputs()).toEqual(before)
      expect(landed).toMatchObject({ ledger: direct.ledger, completeness: direct.completeness })
    },
  )

  test('a run over a landed file reports the verdict and origin of the landing', async () => {
    const ids = ['M34C3D3A5E', 'nowhere']
    const landing = await fetch('data.ndjson', { endpoint: 'v4/products/query', filter: { id: ids } })
    const report = await runFiles(at('data.ndjson'))
    expect(report.completeness).toEqual({ status: 'proven', reasons: [], total: 1 })
    expect(report.sources).toEqual([
      {
        name: at('data.ndjson'),
        lines: 1,
        bytes: landing.bytes,
        completeness: landing.completeness,
        landed: {
          endpoint: 'v4/products/query',
          baseUrl: sandbox.baseUrl,
          fetchedAt: landing.startedAt,
          sha256: landing.file.sha256,
        },
        notes: { ...landing.notes, firstAnswerAt: landing.firstAnswerAt },
      },
    ])
    expect(report.sources[0]?.notes?.missing).toEqual([{ key: 'id', asked: 2, missing: ['nowhere'] }])
  })

  test('a run over a landed file is proven even if lines have no index, and if ids may repeat', async () => {
    await fetch('data.ndjson', { endpoint: 'v4/updates/query' })
    const config = { source: { contract: 'v4/news-item' }, tables: { news: { columns: ['id'] } } }
    expect(await runFiles(at('data.ndjson'), config)).toMatchObject({ completeness: { status: 'proven', total: 12 } })
    const twice = await runFiles(at('data.ndjson'), { ...config, duplicates: 'last' })
    expect(twice).toMatchObject({ ledger: { accepted: 12 }, completeness: { status: 'proven' } })
  })

  test.each([
    ['changed', (bytes: Buffer) => bytes.fill('x', 100, 101)],
    ['shortened', (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf('\n', -2) + 1)],
    ['cut', (bytes: Buffer) => bytes.subarray(0, -10)],
    ['continued', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n')])],
    ['emptied', () => Buffer.alloc(0)],
  ])('a run over a landed file is refused when the file was %s', async (_, damage) => {
    const { file } = await fetch('data.ndjson', { filter: { status: 'active' } })
    await runFiles(at('data.ndjson'))
    const { '_rejects.ndjson': _old, ...before } = await folder.snapshotOut()
    const damaged = damage(await readFile(at('data.ndjson')))
    await writeFile(at('data.ndjson'), damaged)
    await expect(runFiles(at('data.ndjson'), { completeness: 'report' })).rejects.toSatisfy(
      ({ code, exitCode, message }: { code: string; exitCode: number; message: string }) =>
        code === 'SOURCE_DAMAGED' &&
        exitCode === 4 &&
        message.includes(`expected the ${file.bytes} bytes with sha256 ${file.sha256}`) &&
        message.includes(`got ${damaged.length} bytes with sha256 ${sha256(damaged)}`),
    )
    const { '_rejects.ndjson': _new, ...after } = await folder.snapshotOut()
    expect(after).toEqual(before)
  })

  test.each([
    ['continued', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['cut', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['changed', (bytes: Buffer) => bytes.fill(0xff, 100, 120)],
    ['emptied', () => Buffer.alloc(0)],
  ])('a run over a landed file is refused as damaged, too, when a compressed file was %s', async (_, damage) => {
    const { file } = await fetch('data.ndjson.gz')
    const damaged = damage(await readFile(at('data.ndjson.gz')))
    await writeFile(at('data.ndjson.gz'), damaged)
    const error = (await runFiles(at('data.ndjson.gz')).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'SOURCE_DAMAGED' })
    expect(error.message).toContain(`expected the ${file.bytes} bytes`)
    expect(error.message).toContain(`got ${damaged.length} bytes with sha256 ${sha256(damaged)}`)
  })

  test('a run over a sample of a landed file needs no verdict', async () => {
    await fetch('data.ndjson')
    await writeFile(at('data.ndjson'), (await readFile(at('data.ndjson'), 'utf8')).slice(0, -1))
    const report = await runFiles(at('data.ndjson'), {}, { limit: 5 })
    expect(report).toMatchObject({ ledger: { accepted: 5 }, completeness: { status: 'incomplete' } })
  })

  test('a run over several landed files has a verdict for each, and does not read manifests as data', async () => {
    await fetch('a.ndjson', { filter: { status: 'active' } })
    await fetch('b.ndjson.gz', { filter: { not: { status: 'active' } } })
    const report = await runFiles(join(folder.path, '*'))
    expect(report.sources.map(({ name, completeness }) => [basename(name), completeness.status])).toEqual([
      ['a.ndjson', 'proven'],
      ['b.ndjson.gz', 'proven'],
    ])
    expect(report).toMatchObject({ ledger: { accepted: 120 }, completeness: { status: 'proven', total: 120 } })
    const parts = await runFiles(join(folder.path, '*'), { source: { parts: true } })
    expect(parts.completeness).toEqual(report.completeness)
    await writeFile(at('c.ndjson'), '{"meta":{"total":2,"index":0},"result":{"id":"c"}}\n')
    const withOther = runFiles(join(folder.path, '*'), { source: { parts: true } })
    await expect(withOther).rejects.toThrow(/the parts together: 1 record is missing/)
  })

  test('a run over a landed file ignores a manifest beside the file that is not from fetch', async () => {
    await fetch('data.ndjson')
    for (const other of ['', '[]', '{"kind":"run"}', '{"files":[]}', 'null']) {
      await writeFile(at('data.ndjson.manifest.json'), other)
      const { sources } = await runFiles(at('data.ndjson'))
      expect(sources[0]?.landed).toBeUndefined()
    }
    await writeFile(at('data.ndjson.manifest.json'), '{"kind":"landing","format":2}')
    await expect(runFiles(at('data.ndjson'))).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
  })

  test('a run over a landed file fails while a fetch publishes the file, and does not wait for it', async () => {
    const { file } = await fetch('data.ndjson')
    const destination = at('data.ndjson')
    const staging = stagingPath(destination, { pid: process.pid, token: 'busy' })
    const journal = journalPathFor(`${destination}.manifest.json`)
    const entries = [{ staging, destination, sha256: file.sha256, previousInode: null }]
    await writeJournal(journal, { entries, removals: [] }, nodeFs)
    const { release } = holdToken('busy')
    await expect(runFiles(destination)).rejects.toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 4 })
    // As after the end of that fetch.
    release()
    expect(await runFiles(destination)).toMatchObject({ completeness: { status: 'proven' } })
    expect(await readdir(folder.path)).not.toContain(basename(journal))
  })

  test.each(['data.ndjson', 'data.ndjson.gz'])(
    'a run over a landed file is refused if the file was replaced since: %s',
    async (name) => {
      await fetch(name)
      const config = { name: 'x', source: { files: at(name), contract: 'v4/product' } }
      const context = { stdin: Readable.from([]), token: 'reader' }
      const { sources } = await openSources(planPipeline(config, { env: {} }), context)
      await fetch(name, { filter: { status: 'active' } })
      const read = async () => {
        for await (const block of sources[0]!.read(new AbortController().signal).blocks)
          expect(block.bytes).toBeDefined()
      }
      await expect(read()).rejects.toMatchObject({ code: 'SOURCE_CHANGED', exitCode: 4 })
    },
  )

  test('a run reads a file whose name is too long for a manifest beside it', async () => {
    const name = `${'n'.repeat(240)}.ndjson`
    await writeFile(at(name), '{"meta":{"total":1,"index":0},"result":{"id":"c"}}\n')
    expect(await runFiles(at(name))).toMatchObject({ completeness: { status: 'proven' } })
  })

  test('a run over a landed file is refused if it has another contract, or would be replaced by the run', async () => {
    await fetch('data.ndjson', { endpoint: 'v4/media/stream', filter: { type: 'link' } })
    await expect(runFiles(at('data.ndjson'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('holds v4/media from v4/media/stream') as string,
    })
    await fetch('data.ndjson')
    const manifest = { path: at('data.ndjson.manifest.json') }
    await expect(runFiles(at('data.ndjson'), { manifest })).rejects.toThrow(/expected sources and outputs apart/)
  })
})
