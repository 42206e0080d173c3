import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endpoints, endpointNames, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { isObject } from '../../../src/records/json/json-values.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { checkPipeline } from '../../../src/plan/check-pipeline.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder } from '../run-folder.ts'
import { dialects } from '../../sandbox/dialects.ts'
import { someOf } from '../../depth.ts'

const listed = endpointNames.filter((name) => endpoints[name].read !== 'find')

describe.each(someOf(dialects, 'loose'))(
  'every endpoint without a contract in the config, in the dialect %s',
  (dialect) => {
    let sandbox: Sandbox
    let folder: RunFolder
    beforeAll(async () => {
      sandbox = await startSandbox({ products: 60, dialect, rateLimit: false })
    })
    afterAll(() => sandbox.close())
    beforeEach(async () => {
      folder = await RunFolder.create()
    })
    afterEach(() => folder.remove())

    test.each(someOf(listed, 'v4/products/stream', 'v3/products/search', 'v4/updates/query', 'v3/brands/all'))(
      '%s is written to files, with as many records as the service states',
      async (endpoint) => {
        const { ledger, tables } = await run({ endpoint })
        expect(ledger.accepted).toBe(await countRecords(endpoint))
        expect(tables[0]?.rows).toBe(ledger.accepted)
      },
    )

    test('a record requested by its id is one record in any envelope', async () => {
      const [first] = await readRecords('v4/product/attributes/query')
      const { ledger } = await run({ endpoint: 'v4/product/attributes/find', filter: { id: first?.['id'] } })
      expect(ledger).toMatchObject({ lines: 1, accepted: 1 })
    })

    test('raw records are written as delivered, with their ids as text', async () => {
      await run({ endpoint: 'v4/users/query' })
      const rows = (await readFile(join(folder.out, 'records.ndjson'), 'utf8')).trim().split('\n').map(toObject)
      const users = await readRecords('v4/users/query')
      expect(rows.map(({ id }) => id)).toEqual(users.map(({ id }) => String(id)))
      expect(rows.map(({ record }) => record)).toEqual(users)
    })

    function run(source: object) {
      const { baseUrl, keyId, keySecret } = sandbox
      return runPipeline({
        name: 'any',
        source: { baseUrl, keyId, keySecret, requestsPerMinute: 100_000, ...source },
        contract: { invalidValues: null },
        outputs: [{ format: 'ndjson', path: join(folder.out, '{table}.ndjson') }],
      })
    }

    async function countRecords(name: EndpointName): Promise<number> {
      const { read } = endpoints[name]
      const body = await ask(name)
      if (read === 'stream') return body.split('\n').length - 1
      const document = JSON.parse(body) as unknown
      const total = isObject(document) && isObject(document['meta']) ? document['meta']['total'] : undefined
      return typeof total === 'number' ? total : listOf(document).length
    }

    async function readRecords(name: EndpointName) {
      return listOf(JSON.parse(await ask(name)))
    }

    /** Asks by plain HTTP, with the smallest body that the endpoint takes. */
    async function ask(name: EndpointName): Promise<string> {
      const { method, filter, sorting, page } = endpoints[name]
      const required = {
        ...(filter === 'required' && { filter: {} }),
        ...(sorting === 'required' && { sorting: { id: 'ASC' } }),
        ...(page === 'required' && { page: { no: 0, size: 250 } }),
      }
      const authorization = `Basic ${Buffer.from(`${sandbox.keyId}:${sandbox.keySecret}`).toString('base64')}`
      const headers = { authorization, 'content-type': 'application/json' }
      const body = method === 'POST' ? { body: JSON.stringify(required) } : {}
      const response = await fetch(`${sandbox.baseUrl}/${name}`, { method, headers, ...body })
      expect(response.ok).toBe(true)
      return response.text()
    }
  },
)

describe('the contract raw', () => {
  let folder: RunFolder
  beforeEach(async () => {
    folder = await RunFolder.create()
  })
  afterEach(() => folder.remove())

  test('the contract raw accepts any JSON, and records without an id are not duplicates', async () => {
    const lines = [
      '{"id":5,"a":1.50}',
      '{"id":"x"}',
      '{"b":[1]}',
      '{"id":{"c":1}}',
      '"text"',
      '[1]',
      'null',
      '{"id":5}',
      '{',
    ]
    await folder.write('any.ndjson', `${lines.join('\n')}\n`)
    const { ledger, drift } = await folder.runDefaultTables({
      source: { files: join(folder.path, 'any.ndjson'), contract: 'raw' },
      rejects: { limit: 1 },
      outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
    })
    expect(ledger).toMatchObject({ lines: 9, accepted: 8, rejected: 1, repeatedIds: 1 })
    expect(drift.unknownFields).toEqual({})
    const rows = (await readFile(join(folder.out, 'records.ndjson'), 'utf8')).trim().split('\n').map(toObject)
    expect(rows.map(({ id }) => id)).toEqual(['5', 'x', null, null, null, null, null, '5'])
    expect(rows.map(({ record }) => record)).toEqual(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown))
  })

  test.each([
    { outputs: [{ format: 'parquet', path: 'out/{table}.parquet', mode: 'merge' }] },
    { outputs: [{ format: 'duckdb', path: 'out/a.duckdb', mode: 'merge' }] },
  ])('the contract raw is refused if records are compared with earlier runs by id: %o', (config) => {
    const { problems } = checkPipeline(
      { name: 'any', source: { files: 'any.ndjson', contract: 'raw' }, ...config },
      { env: {}, needsService: false, needsDatabases: false, now: 0 },
    )
    expect(problems.map(({ message }) => message).join('\n')).toContain('expected one whose records all have an id')
  })
})

type Json = Readonly<Record<string, unknown>>

function toObject(line: string): Json {
  return JSON.parse(line) as Json
}

/** The document itself, or the only list in it. */
function listOf(document: unknown): readonly Json[] {
  const lists = Array.isArray(document) ? [document] : Object.values(document as Json).filter(Array.isArray)
  expect(lists).toHaveLength(1)
  return lists[0] as readonly Json[]
}
