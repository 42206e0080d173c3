import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definePipeline, fetchPipeline, readChanges, readService, runPipeline } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { createUsers, planUsers } from '../../src/users.ts'
import { toCsv } from '../users/user-files.ts'

const reason = new Error('the user closed the page')
const shop = definePipeline({
  name: 'shop',
  source: { files: 'export.ndjson', contract: 'v4/product' },
  outputs: [{ format: 'parquet', mode: 'changes' }],
})

let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  sandbox = await startSandbox({ products: 60, rateLimit: false })
  folder = await mkdtemp(join(tmpdir(), 'abort-'))
  await writeFile(join(folder, 'users.csv'), toCsv(1))
  await writeFile(join(folder, 'export.ndjson'), [...generateLines({ contract: 'v4/product', records: 20, seed: 1 })])
  await runPipeline({ ...shop, source: { ...shop.source, files: join(folder, 'export.ndjson') } }, { outDir: folder })
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const toSource = () => {
  const { baseUrl, keyId, keySecret } = sandbox
  return { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret } as const
}

/** Each as a work that is stopped by `stop`, at its beginning or by a callback. */
const works: [string, (stop: AbortController) => Promise<unknown>][] = [
  ['runPipeline', (stop) => run({ signal: aborted(stop) })],
  ['runPipeline under way', (stop) => run({ signal: stop.signal, onProgress: () => stop.abort(reason) })],
  ['runPipeline in its last block', (stop) => run({ signal: stop.signal, onProgress: () => waitForAbort(stop) })],
  [
    'fetchPipeline',
    (stop) => {
      const config = definePipeline({ name: 'products', source: toSource() })
      return fetchPipeline(config, { to: join(folder, 'landed.ndjson'), signal: aborted(stop) })
    },
  ],
  ['readService', (stop) => text(readService({ ...toSource(), signal: aborted(stop) }))],
  [
    'readChanges',
    async (stop) => {
      for await (const change of readChanges(shop, { outDir: folder, signal: stop.signal })) {
        expect(change.change).toBe('new')
        stop.abort(reason)
      }
    },
  ],
  [
    'planUsers',
    (stop) => planUsers({ file: join(folder, 'users.csv'), baseUrl: sandbox.baseUrl, signal: aborted(stop) }),
  ],
  [
    'createUsers',
    (stop) => createUsers({ file: join(folder, 'users.csv'), service: toSource(), signal: aborted(stop) }),
  ],
]

describe('abort(reason)', () => {
  test.each(works)('an interrupted %s has the reason as its cause', async (_name, work) => {
    const ended = await work(new AbortController()).catch((error: unknown) => error)
    expect(ended).toMatchObject({ code: 'INTERRUPTED', cause: reason })
  })

  test('createUsers stops between users, and its report has the reason as the cause', async () => {
    const stop = new AbortController()
    const file = join(folder, 'many.csv')
    await writeFile(file, toCsv(20))
    const onProgress = (): void => stop.abort(reason)
    const { stopped, unsent } = await createUsers({ file, service: toSource(), signal: stop.signal, onProgress })
    expect(unsent).toBeGreaterThan(0)
    expect(stopped).toMatchObject({ code: 'INTERRUPTED', cause: reason })
  })
})

function run(options: Parameters<typeof runPipeline>[1]): Promise<unknown> {
  const source = { files: join(folder, 'export.ndjson'), contract: 'v4/product' } as const
  const config = definePipeline({ name: 'products', source, outputs: [{ format: 'csv' }] })
  return runPipeline(config, { ...options, outDir: join(folder, 'other') })
}

function aborted(stop: AbortController): AbortSignal {
  stop.abort(reason)
  return stop.signal
}

/** A promise that a callback gives, and that never ends. */
function waitForAbort(stop: AbortController): unknown {
  setTimeout(() => stop.abort(reason), 200)
  return new Promise(() => undefined)
}
