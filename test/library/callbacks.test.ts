import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { definePipeline, fetchPipeline, readService, runPipeline } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { contracts, parseRecords, readRows, splitLines, trackCompleteness, validateRecords } from '../../src/streams.ts'
import { createUsers } from '../../src/users.ts'
import { toCsv } from '../users/user-files.ts'
import { collect, toChunks } from '../streams/collect.ts'

const mine = new RangeError('my own mistake')
function fail(): never {
  throw mine
}

/** Rejects after the last block of a small run has been read. */
async function failLater(): Promise<never> {
  await wait(100)
  throw mine
}

const failing = [
  ['throws', fail],
  ['rejects later', failLater as unknown as () => never],
] as const

let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  sandbox = await startSandbox({ products: 60, rateLimit: false })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callbacks-'))
  await writeFile(join(folder, 'export.ndjson'), [...generateLines({ contract: 'v4/product', records: 20, seed: 1 })])
})
afterEach(() => rm(folder, { recursive: true }))

const endpoint = 'v4/products/stream'
const toSource = () => ({
  endpoint: 'v4/products/stream' as const,
  baseUrl: sandbox.baseUrl,
  keyId: sandbox.keyId,
  keySecret: sandbox.keySecret,
  retries: 2,
})

describe.each(failing)('a callback that %s ends the work with its error', (_how, failure) => {
  test.each(['onProgress', 'onSource'] as const)('runPipeline with %s publishes nothing', async (callback) => {
    const source = { files: join(folder, 'export.ndjson'), contract: 'v4/product' } as const
    const config = definePipeline({ name: 'products', source, outputs: [{ format: 'csv' }] })
    await expect(runPipeline(config, { outDir: join(folder, 'out'), [callback]: failure })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('runPipeline with onWarning publishes nothing', async () => {
    sandbox.inject({ endpoint, fault: 'cut=20' })
    const config = definePipeline({ name: 'products', source: toSource(), outputs: [{ format: 'csv' }] })
    await expect(runPipeline(config, { outDir: join(folder, 'out'), onWarning: failure })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('fetchPipeline with onProgress and onWarning lands nothing', async () => {
    const config = definePipeline({ name: 'products', source: toSource() })
    const to = join(folder, 'landed.ndjson')
    await expect(fetchPipeline(config, { to, onProgress: failure })).rejects.toBe(mine)
    sandbox.inject({ endpoint, fault: 'cut=20' })
    await expect(fetchPipeline(config, { to, onWarning: failure })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('readService with onWarning and onEnd ends the stream', async () => {
    sandbox.inject({ endpoint, fault: 'cut=20' })
    await expect(text(readService({ ...toSource(), onWarning: failure }))).rejects.toBe(mine)
    await expect(text(readService({ ...toSource(), onEnd: failure }))).rejects.toBe(mine)
  })

  test('createUsers with onProgress and onWarning says so in its report, and created users stay created', async () => {
    const { baseUrl, keyId, keySecret } = sandbox
    for (const [callback, fault] of [
      ['onProgress', null],
      ['onWarning', '503'],
    ] as const) {
      const file = join(folder, `${callback}.csv`)
      await writeFile(file, toCsv(1))
      if (fault !== null) sandbox.inject({ endpoint: 'v4/users/create', fault })
      // The first progress comes before anything is sent.
      const failOnceSent = (told: { done: number } | string) =>
        typeof told === 'object' && told.done === 0 ? undefined : failure()
      const report = await createUsers({ file, service: { baseUrl, keyId, keySecret }, [callback]: failOnceSent })
      expect(report.stopped).toMatchObject({ code: 'UNEXPECTED', cause: mine, message: mine.message })
    }
  })

  test('onReject, onDrift and onEnd of the stages end the stream', async () => {
    const contract = contracts['v4/product']
    const wrong = '{"id":"M9","photos":[{"displayOrder":"first"}]}\n'
    const right = '{"id":"M9"}\n'
    const rows = { contract, table: 'products' }
    const endings = [
      [wrong, [splitLines(), parseRecords(), validateRecords(contract, { onReject: failure })]],
      [right, [splitLines(), parseRecords(), validateRecords(contract, { onDrift: failure })]],
      [right, [splitLines(), parseRecords(), trackCompleteness({ onEnd: failure })]],
      [wrong, [readRows({ ...rows, onReject: failure })]],
      [right, [readRows({ ...rows, onDrift: failure })]],
      [right, [readRows({ ...rows, onEnd: failure })]],
    ] as const
    for (const [lines, stages] of endings) await expect(collect(toChunks(lines), ...stages)).rejects.toBe(mine)
  })
})

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  // A failed run leaves its line in the history.
  return entries.filter((entry) => entry.isFile() && entry.name !== '_runs.ndjson').map(({ name }) => name)
}
