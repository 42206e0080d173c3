import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder } from '../run-folder.ts'
import { forcedWorkers } from '../../forced-workers.ts'

let sandbox: Sandbox
let folder: RunFolder

beforeAll(async () => {
  sandbox = await startSandbox({ products: 150, rateLimit: false })
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

type Source = PipelineConfig['source']

/** Runs one CSV of ids from an endpoint of the sandbox. */
function run(source: Partial<Source>, more: Partial<PipelineConfig> = {}, options: RunOptions = {}) {
  const { baseUrl, keyId, keySecret } = sandbox
  return runPipeline(
    {
      name: 'service',
      source: { baseUrl, keyId, keySecret, endpoint: 'v4/products/stream', ...source },
      tables: { ids: { columns: ['id'] } },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
      ...more,
    },
    { ...options, outDir: folder.out, env: forcedWorkers },
  )
}

const readIds = async (): Promise<string[]> =>
  (await readFile(`${folder.out}/ids.csv`, 'utf8')).split('\n').slice(1, -1)

describe('a pipeline that reads from the service', () => {
  test.each([
    ['v4/products/stream', 150],
    ['v4/products/query', 150],
    ['v3/products/export', 150],
    ['v3/products/search', 150],
  ])('a pipeline that reads from the service publishes every record of %s with proof', async (endpoint, records) => {
    const report = await run({ endpoint })
    expect(report.ledger).toMatchObject({ accepted: records, rejected: 0, repeatedIds: 0 })
    expect(report.completeness).toMatchObject({ status: 'proven', total: records })
    expect(new Set(await readIds()).size).toBe(records)
  })

  test('a pipeline that reads from the service publishes an empty table for status 204', async () => {
    const report = await run({ filter: { cnk: '0000001' } })
    expect(report.completeness).toMatchObject({ status: 'proven', total: 0 })
    expect(report.sources[0]?.notes?.missing).toEqual([{ key: 'cnk', asked: 1, missing: ['0000001'] }])
    expect(await readIds()).toEqual([])
  })

  test('a pipeline that reads from the service reads windows of time, each record once', async () => {
    const report = await run({ partition: { by: 'createdAt', windows: 3 } })
    expect(report.completeness.status).toBe('proven')
    expect(new Set(await readIds()).size).toBe(150)
    expect(await folder.listOut()).toEqual([
      '_manifest.json',
      '_profile.json',
      '_rejects.ndjson',
      '_report.html',
      'ids.csv',
    ])
  })

  test('a pipeline that reads from the service looks for duplicates in a copy that is removed afterwards', async () => {
    const asked = sandbox.requests.length
    const report = await run({}, { duplicates: 'last' })
    expect(report.ledger.accepted).toBe(150)
    expect(sandbox.requests.length - asked).toBe(1)
    expect(await folder.listOut()).toEqual([
      '_manifest.json',
      '_profile.json',
      '_rejects.ndjson',
      '_report.html',
      'ids.csv',
    ])
  })

  test('a pipeline that reads from the service publishes nothing when the service refuses the key, and does not print it', async () => {
    await expect(run({ keySecret: 'not-the-secret' })).rejects.toSatisfy((error: Error & { code: string }) => {
      return error.code === 'SERVICE_UNAUTHORIZED' && !`${error.message}${error.stack}`.includes('not-the-secret')
    })
    expect(await folder.listOut()).toEqual([])
  })
})
