import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { sharedRequestBudget } from '../../../src/service/http/request-budget-registry.ts'
import { answerJson, answerText, keyId, keySecret, ServiceStub } from '../../service/read/service-stub.ts'
import { startConnectProxy } from '../../service/http/connect-proxy.ts'
import { RunFolder } from '../run-folder.ts'
import { forcedWorkers } from '../../forced-workers.ts'

let folder: RunFolder
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

function run(source: Partial<PipelineConfig['source']>, options: RunOptions = {}) {
  return runPipeline(
    {
      name: 'settings',
      source: { endpoint: 'v4/brands/query', keyId, keySecret, ...source },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    },
    { env: forcedWorkers, ...options, outDir: folder.out },
  )
}

const brands = answerJson(200, { results: [{ id: 1, name: { nl: 'A' } }] })

describe('the requests of a run follow the settings of its client', () => {
  test('the requests of a run carry the userAgent of its client', async () => {
    await using stub = await ServiceStub.start(brands)
    await run({ baseUrl: stub.url, userAgent: 'nightly-load/2' })
    await run({ baseUrl: stub.url })
    const names = stub.requests.map(({ headers }) => headers['user-agent'])
    expect(names).toEqual(['nightly-load/2', expect.stringMatching(/^catalogue-etl\//)])
  })

  test('the requests of a run are repeated as often as retries says', async () => {
    await using stub = await ServiceStub.start(answerText(503, ''))
    await expect(run({ baseUrl: stub.url, retries: 0 })).rejects.toMatchObject({ code: 'SERVICE_FAILED' })
    expect(stub.requests).toHaveLength(1)
  })

  test('the requests of a run use the configured timeouts', async () => {
    await using stub = await ServiceStub.start(() => undefined)
    const impatient = { baseUrl: stub.url, retries: 0, timeouts: { firstByte: '200ms' } }
    await expect(run(impatient)).rejects.toThrow('no answer within 0.2 s')
  })

  test('the requests of a run are no faster than requestsPerMinute', async () => {
    const page = answerJson(200, { meta: { total: 20, page: { no: 0, offset: 0, size: 10 } }, results: tenBrands })
    await using stub = await ServiceStub.start(page)
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 700)
    const slow = run({ baseUrl: stub.url, page: { size: 10 }, requestsPerMinute: 1 }, { signal: stop.signal })
    await expect(slow).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(stub.requests).toHaveLength(1)
  })

  test('the requests of a run go through the proxy of the environment', async () => {
    await using stub = await ServiceStub.start(brands)
    await using tunnel = await startConnectProxy(stub.url)
    const env = { http_proxy: `127.0.0.1:${tunnel.port}` }
    const report = await run({ baseUrl: 'http://api.example.invalid' }, { env })
    expect(report.ledger.accepted).toBe(1)
    expect(tunnel.asked).toMatchObject([{ target: 'http://api.example.invalid/v4/brands/query' }])
  })
})

const tenBrands = Array.from({ length: 10 }, (_, id) => ({ id, name: { nl: `${id}` } }))

test('runs with the same key of the same service share one request budget', () => {
  const one = sharedRequestBudget({ baseUrl: 'https://api.example.com/base', keyId: 'a' })
  expect(sharedRequestBudget({ baseUrl: 'https://api.example.com', keyId: 'a' })).toBe(one)
  expect(sharedRequestBudget({ baseUrl: 'https://api.example.com', keyId: 'b' })).not.toBe(one)
  expect(sharedRequestBudget({ baseUrl: 'https://sandbox.example.com', keyId: 'a' })).not.toBe(one)
})
