import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/service/endpoints/endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { contracts } from '../../../src/contracts/contracts.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, readError, readPage, toLines, type Json, type Page } from '../ask-sandbox.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: 120, seed: 3, rateLimit: false })
})

afterAll(() => sandbox.close())

const named = (read: Endpoint['read']) => endpointNames.filter((name) => endpoints[name].read === read)

test.each(named('stream'))('%s streams lines that meet the contract', async (name) => {
  const response = await ask(sandbox, name, { body: { filter: {}, sorting: { id: 'ASC' } } })
  expect(response.status).toBe(200)
  const expected = name === 'v3/products/export' ? 'application/x-ndjson' : 'application/x-json-stream'
  expect(response.headers.get('content-type')).toBe(expected)
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  const lines = toLines(text)
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.map(({ meta }) => meta)).toEqual(lines.map((_, index) => ({ total: lines.length, index })))
  expectContract(
    name,
    lines.map(({ result }) => result),
  )
})

test.each(named('paged'))('%s answers with a page of records that meet the contract', async (name) => {
  const response = await ask(sandbox, name, {
    body: { filter: {}, sorting: toSorting(name), page: { no: 0, size: 10 } },
  })
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  const { meta, results } = JSON.parse(text) as Page
  expect(meta.page).toEqual({ no: 0, offset: 0, size: 10 })
  expect(results).toHaveLength(Math.min(10, meta.total))
  expect(results.length).toBeGreaterThan(0)
  expectContract(name, results)
})

test.each(named('list'))('%s answers with all records in one document, in v3 a bare array', async (name) => {
  const response = await ask(sandbox, name)
  const document = (await response.json()) as Page | Json[]
  const records = Array.isArray(document) ? document : document.results
  const expected = name.startsWith('v3/') ? records : { meta: { total: records.length }, results: records }
  expect(document).toEqual(expected)
  expect(records.length).toBeGreaterThan(3)
  expectContract(name, records)
})

/** Lists with the records that an endpoint finds. */
const lists: Partial<Record<EndpointName, EndpointName>> = {
  'v4/products/find': 'v4/products/query',
  'v4/product/attributes/find': 'v4/product/attributes/query',
  'v4/product/attribute/options/find': 'v4/product/attribute/options/query',
  'v4/media/find': 'v4/media/query',
  'v4/corrections/find': 'v4/corrections/query',
  'v4/organizations/find': 'v4/organizations/query',
  'v4/brands/find': 'v4/brands/query',
  'v3/products/get': 'v3/products/search',
  'v3/corrections/get': 'v4/corrections/query',
}

const wrappers: Record<string, string> = { 'v4/products/find': 'product', 'v4/media/find': 'mediaItem' }

test.each(named('find'))('%s answers with one wrapped record, and with 404 for an unknown id', async (name) => {
  const list = lists[name]!
  const { results } = await readPage(sandbox, list, { filter: {}, sorting: toSorting(list), page: { size: 10 } })
  const id = String(results[3]!['id'])
  const found = (await (await ask(sandbox, name, { query: { id } })).json()) as Record<string, Json>
  const [[key, record] = ['', {}]] = Object.entries(found)
  expect(key).toBe(wrappers[name] ?? key)
  expect(String(record['id'])).toBe(id)
  expectContract(name, [record])
  const missing = await ask(sandbox, name, { query: { id: id.startsWith('M') ? 'M1' : '1' } })
  expect([missing.status, (await readError(missing)).code]).toEqual([404, 'not_found'])
  const without = await ask(sandbox, name)
  expect([without.status, (await readError(without)).violations?.[0]?.path]).toEqual([422, 'filter.id'])
})

test('names of brands and organizations are plain text in their lists and localized in products', async () => {
  for (const name of ['v4/brands/query', 'v4/organizations/query'] as const) {
    const { results } = await readPage(sandbox, name, {})
    expect(results.filter((record) => typeof record['name'] === 'object' && record['name'] !== null)).toEqual([])
  }
  const body = { filter: {}, sorting: { id: 'ASC' }, page: { size: 10 } }
  const { results } = await readPage(sandbox, 'v4/products/query', body)
  const brands = results.flatMap((product) => (product['brands'] ?? []) as Json[])
  expect(brands.filter(({ name }) => typeof name === 'object' && name !== null).length).toBeGreaterThan(3)
})

test('the lists contain the records that products link to', async () => {
  const { results } = await readPage(sandbox, 'v4/brands/query', {})
  const byId = new Map(results.map((brand) => [brand['id'], brand]))
  const body = { filter: {}, sorting: { id: 'ASC' }, page: { size: 50 } }
  const products = (await readPage(sandbox, 'v4/products/query', body)).results
  const linked = products.flatMap((product) => (product['brands'] ?? []) as Json[])
  expect(linked.filter(({ id }) => !byId.has(id))).toEqual([])
})

test('the two queries that the specification also lists as GET answer to GET', async () => {
  for (const name of ['v4/active-ingredients/query', 'v3/news-items/search'] as const) {
    const all = await readPage(sandbox, name, {})
    const response = await ask(sandbox, name)
    expect(await response.json()).toEqual(all)
    const id = String(all.results[1]!['id'])
    const one = (await (await ask(sandbox, name, { query: { id } })).json()) as Page
    expect(one.results).toEqual([all.results[1]])
  }
})

test('get-fields lists the fields of the record', async () => {
  const { results } = (await (await ask(sandbox, 'v4/products/get-fields')).json()) as Page
  expect(results.map(({ name }) => name)).toEqual([...contracts['v4/product'].fields.keys()])
})

test('the minimum-content endpoint agrees with the filter minimumContent', async () => {
  const all = (await (await ask(sandbox, 'v3/products/minimum-content')).json()) as Json[]
  const body = { filter: { minimumContent: true }, page: { size: 250 } }
  const { results } = await readPage(sandbox, 'v3/products/search', body)
  const complete = all.filter(({ minimumContent }) => minimumContent === true)
  expect(complete.map(({ id }) => id)).toEqual(results.map(({ id }) => id))
  expect(all).toHaveLength(120)
})

test('a sandbox without products serves no products and no news items', async () => {
  const empty = await startSandbox({ products: 0, rateLimit: false })
  try {
    expect((await ask(empty, 'v4/products/stream', { body: { filter: {}, sorting: { id: 'ASC' } } })).status).toBe(204)
    const { meta, results } = await readPage(empty, 'v4/updates/query', {})
    expect([meta.total, results]).toEqual([0, []])
  } finally {
    await empty.close()
  }
})

function expectContract(name: EndpointName, records: readonly Json[]): void {
  const { contract } = endpoints[name]
  if (contract === null) return
  const { schema } = contracts[contract]
  for (const record of records) expect(schema.safeParse(record).error).toBeUndefined()
}

/** A sorting of the endpoint; undefined if it has none. */
function toSorting(name: EndpointName) {
  const [key] = Object.keys(endpoints[name].sortings)
  return key === undefined ? undefined : { [key]: 'ASC' }
}
