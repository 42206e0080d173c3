import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { definePipeline, fetchPipeline, readService, runPipeline } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { contracts, parseRecords, readRows, splitLines, trackCompleteness, validateRecords } from '../../src/streams.ts'
import { collect, toChunks } from '../streams/collect.ts'

const mine = new RangeError('my own mistake')
function fail(): never {
  throw mine
}

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

describe('a throw in a callback is thrown as it is', () => {
  test.each(['onProgress', 'onSource'] as const)('runPipeline with %s publishes nothing', async (callback) => {
    const source = { files: join(folder, 'export.ndjson'), contract: 'v4/product' } as const
    const config = definePipeline({ name: 'products', source, outputs: [{ format: 'csv' }] })
    await expect(runPipeline(config, { outDir: join(folder, 'out'), [callback]: fail })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('runPipeline with onWarning publishes nothing', async () => {
    sandbox.inject({ endpoint, fault: 'cut=20' })
    const config = definePipeline({ name: 'products', source: toSource(), outputs: [{ format: 'csv' }] })
    await expect(runPipeline(config, { outDir: join(folder, 'out'), onWarning: fail })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('fetchPipeline with onProgress and onWarning lands nothing', async () => {
    const config = definePipeline({ name: 'products', source: toSource() })
    const to = join(folder, 'landed.ndjson')
    await expect(fetchPipeline(config, { to, onProgress: fail })).rejects.toBe(mine)
    sandbox.inject({ endpoint, fault: 'cut=20' })
    await expect(fetchPipeline(config, { to, onWarning: fail })).rejects.toBe(mine)
    expect(await listFiles(folder)).toEqual(['export.ndjson'])
  })

  test('readService with onWarning ends the stream', async () => {
    sandbox.inject({ endpoint, fault: 'cut=20' })
    await expect(text(readService({ ...toSource(), onWarning: fail }))).rejects.toBe(mine)
  })

  test('onReject, onDrift and onEnd of the stages end the stream', async () => {
    const contract = contracts['v4/product']
    const wrong = '{"id":"M9","photos":[{"displayOrder":"first"}]}\n'
    const right = '{"id":"M9"}\n'
    const rows = { contract, table: 'products' }
    const failing = [
      [wrong, [splitLines(), parseRecords(), validateRecords(contract, { onReject: fail })]],
      [wrong, [splitLines(), parseRecords(), validateRecords(contract, { onReject: async () => fail() })]],
      [right, [splitLines(), parseRecords(), validateRecords(contract, { onDrift: fail })]],
      [right, [splitLines(), parseRecords(), trackCompleteness({ onEnd: fail })]],
      [wrong, [readRows({ ...rows, onReject: fail })]],
      [wrong, [readRows({ ...rows, onReject: async () => fail() })]],
      [right, [readRows({ ...rows, onDrift: fail })]],
      [right, [readRows({ ...rows, onEnd: fail })]],
    ] as const
    for (const [lines, stages] of failing) await expect(collect(toChunks(lines), ...stages)).rejects.toBe(mine)
  })
})

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  // A failed run leaves its line in the history.
  return entries.filter((entry) => entry.isFile() && entry.name !== '_runs.ndjson').map(({ name }) => name)
}
