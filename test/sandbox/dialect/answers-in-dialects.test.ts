import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/service/endpoints/endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, readError, readStream, toBasic, type Json, type Line } from '../ask-sandbox.ts'
import { someOf } from '../../depth.ts'
import { dialects } from '../dialects.ts'

const everything = { filter: {}, sorting: { id: 'ASC' } }
const sandboxes = new Map<(typeof dialects)[number], Sandbox>()

beforeAll(async () => {
  for (const dialect of dialects) {
    sandboxes.set(dialect, await startSandbox({ products: 120, rateLimit: false, dialect }))
  }
})

afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.close()
})

const sandboxOf = (dialect: (typeof dialects)[number]) => sandboxes.get(dialect)!

describe.each(someOf(dialects, 'loose'))('the %s dialect', (dialect) => {
  test.each(endpointNames.filter((name) => endpoints[name].read !== 'find'))(
    '%s answers with records',
    async (name) => {
      const response = await ask(sandboxOf(dialect), name, toRequest(name))
      expect(response.status).toBe(200)
      expect((await response.text()).length).toBeGreaterThan(100)
    },
  )

  test.each(endpointNames.filter((name) => endpoints[name].read === 'find'))('%s finds the record', async (name) => {
    const id = await findSomeId(name)
    const found = await ask(sandboxOf(dialect), name, { query: { id } })
    expect([found.status, await found.text()]).toEqual([200, expect.stringContaining(id) as string])
  })

  test.each([
    { status: 'inactive' },
    { brand: [796_670, 796_671, 796_672] },
    { search: { query: 'a', locale: 'nl' } },
    { hasContent: { flag: 'photos', locale: 'fr' } },
    { updatedSince: { from: 1_700_000_000 } },
    { narcotic: 'yes' },
    { minimumContent: true },
  ])('the filter %j finds the records that meet it by their documented values', async (filter) => {
    const sorting = { name: { direction: 'ASC', locale: 'nl' } }
    const idsIn = async (sandbox: Sandbox) =>
      (await readStream(sandbox, 'v4/products/stream', filter, sorting)).map(({ result }) => result['id'])
    const ids = await idsIn(sandboxOf(dialect))
    expect(ids.length).toBeGreaterThan(0)
    expect(ids).toEqual(await idsIn(sandboxOf('documented')))
  })
})

describe('answers of the loose dialect', () => {
  test.each([
    ['v4/organizations/query', 'organizations'],
    ['v4/brands/query', 'brands'],
    ['v4/product-families/query', 'productFamilies'],
    ['v4/public-categories/query', 'publicCategories'],
    ['v4/catalog-categories/query', 'catalogCategories'],
    ['v4/bcfi-categories/query', 'bcfiCategories'],
    ['v4/dietary-restrictions/query', 'dietaryRestrictions'],
    ['v4/colors/query', 'colors'],
    ['v4/users/query', 'users'],
    ['v4/subscription-types/query', 'subscriptionTypes'],
    ['v4/product/attributes/query', 'attributes'],
    ['v4/product/attribute/options/query', 'options'],
    ['v4/corrections/types', 'types'],
    ['v3/news-items/search', 'newsItems'],
    // The specification shows `results` here, or consumers read it.
    ['v4/products/query', 'results'],
    ['v3/products/search', 'results'],
    ['v4/media/query', 'results'],
    ['v4/updates/query', 'results'],
    ['v4/corrections/query', 'results'],
    ['v4/active-ingredients/query', 'results'],
  ] as const)('%s has its records in "%s"', async (name, list) => {
    const document = await readLoose(name)
    expect(Object.keys(document)).toEqual(['meta', list])
    expect((document[list] as Json[]).length).toBeGreaterThan(1)
  })

  test.each([
    ['v4/organizations/query', 250],
    ['v4/product-families/query', 400],
  ] as const)('%s answers with its first page if none is requested, and with the next', async (name, total) => {
    const first = await readLoose(name)
    expect(first['meta']).toEqual({ total, page: { no: 0, offset: 0, size: 100 } })
    const response = await ask(sandboxOf('loose'), name, { body: { page: { no: 1, size: 100 } } })
    const second = (await response.json()) as Json
    expect(second['meta']).toEqual({ total, page: { no: 1, offset: 100, size: 100 } })
    const { results } = (await (await ask(sandboxOf('documented'), name, { body: {} })).json()) as { results: Json[] }
    const ids = [first, second].flatMap((page) => Object.values(page)[1] as Json[]).map(({ id }) => String(id))
    expect(ids).toEqual(results.slice(0, 200).map(({ id }) => String(id)))
  })

  test.each(endpointNames.filter((name) => /^v3\/.*\/all$/.test(name)))(
    '%s has its records in results, then meta.total',
    async (name) => {
      const document = await readLoose(name)
      expect(Object.keys(document)).toEqual(['results', 'meta'])
      expect(document['meta']).toEqual({ total: (document['results'] as Json[]).length })
    },
  )

  test.each(['v4/products/get-fields', 'v4/media/get-fields'] as const)('%s lists codes in "fields"', async (name) => {
    const document = await readLoose(name)
    expect(Object.keys(document)).toEqual(['fields'])
    expect((document['fields'] as Json[])[0]).toMatchObject({ code: 'id', type: expect.any(String) as string })
  })

  test.each([
    ['v4/brands/find', null],
    ['v4/corrections/find', null],
    ['v3/products/get', null],
    ['v4/organizations/find', 'result'],
    ['v4/product/attributes/find', 'result'],
    ['v3/corrections/get', 'result'],
    ['v4/products/find', 'product'],
    ['v4/media/find', 'mediaItem'],
  ] as const)('%s has its record in %j', async (name, wrapper) => {
    const id = await findSomeId(name)
    const document = (await (await ask(sandboxOf('loose'), name, { query: { id } })).json()) as Json
    const record = wrapper === null ? document : (document[wrapper] as Json)
    expect([String(record['id']), Object.keys(document)]).toEqual([
      id,
      wrapper === null ? Object.keys(record) : [wrapper],
    ])
  })

  test.each([
    ['v4/products/stream', 'application/x-ndjson; charset=UTF-8'],
    ['v3/products/export', 'text/plain'],
    ['v4/products/query', 'application/json'],
  ] as const)('%s is sent as %s', async (name, type) => {
    const response = await ask(sandboxOf('loose'), name, toRequest(name))
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe(type)
  })

  test.each([
    ['v4/products/stream', 'cip13', ({ result }) => result['cip13']],
    ['v4/products/stream', 'pzn', ({ result }) => result['pzn']],
    ['v4/products/stream', 'artgId', ({ result }) => result['artgId']],
  ] as readonly [EndpointName, string, (line: Line) => unknown][])(
    '%s filters by the code of another market: %s',
    async (name, key, read) => {
      const sandbox = sandboxOf('loose')
      const wanted = (await readStream(sandbox, name)).find((line) => (read(line) ?? null) !== null)
      const found = await readStream(sandbox, name, { [key]: String(read(wanted!)) })
      expect(found.map(({ result }) => result['id'])).toEqual([wanted?.result['id']])
      const refused = await ask(sandboxOf('documented'), name, {
        body: { filter: { [key]: 1 }, sorting: { id: 'ASC' } },
      })
      expect((await readError(refused)).violations?.[0]?.path).toBe(`filter.${key}`)
    },
  )

  test('media can be filtered by touchedAt, and products by their media, even inside "and"', async () => {
    const sandbox = sandboxOf('loose')
    const media = await readStream(sandbox, 'v4/media/stream', { and: [{ touchedAt: { from: 1_700_000_000 } }] })
    expect(media.length).toBeGreaterThan(10)
    expect(media).toEqual(await readStream(sandbox, 'v4/media/stream', { updatedSince: { from: 1_700_000_000 } }))
    const product = (await readStream(sandboxOf('documented'), 'v4/products/stream')).find(
      ({ result }) => Array.isArray(result['photos']) && result['photos'].length > 0,
    )
    const [photo] = product!.result['photos'] as Json[]
    const found = await readStream(sandbox, 'v4/products/stream', { not: { not: { media: photo?.['id'] } } })
    expect(found.map(({ result }) => result['id'])).toContain(product!.result['id'])
    const wrong = await ask(sandbox, 'v4/media/stream', {
      body: { ...everything, filter: { touchedAt: '2026-01-01' } },
    })
    expect((await readError(wrong)).violations?.[0]?.path).toBe('filter.touchedAt')
    const unknown = await ask(sandbox, 'v4/media/stream', { body: { ...everything, filter: { touched: 1 } } })
    expect((await readError(unknown)).violations?.[0]?.path).toBe('filter.touched')
  })

  test('lists documented by name only can be filtered by type and time', async () => {
    const sandbox = sandboxOf('loose')
    const response = await ask(sandbox, 'v4/organizations/query', { body: { filter: { type: 'marketing' } } })
    const { meta, organizations } = (await response.json()) as { meta: { total: number }; organizations: Json[] }
    expect(meta.total).toBeGreaterThan(3)
    expect(new Set(organizations.map(({ type }) => type))).toEqual(new Set(['marketing']))
  })

  test('errors are plain text, HTML or empty, except a 422, which says what is wrong', async () => {
    const sandbox = sandboxOf('loose')
    const unauthorized = await fetch(`${sandbox.baseUrl}/v4/brands/query`, {
      method: 'POST',
      headers: { authorization: toBasic('x', 'y') },
    })
    expect(await readText(unauthorized)).toEqual([401, 'text/plain', 'Unauthorized\n'])
    expect(unauthorized.headers.get('www-authenticate')).toContain('Basic')
    const missing = await ask(sandbox, 'v4/brands/find', { query: { id: '1' } })
    const html = expect.stringContaining('<h1>404 There is no brand') as string
    expect(await readText(missing)).toEqual([404, 'text/html; charset=UTF-8', html])
    expect(await readText(await ask(sandbox, 'v4/products/stream'))).toEqual([405, null, ''])
    const invalid = await ask(sandbox, 'v4/products/stream', { body: {} })
    expect(await readError(invalid)).toMatchObject({ status: 422, violations: expect.any(Array) as unknown })
  })

  test('a 429 is HTML and does not say when to retry', async () => {
    const limited = await startSandbox({ products: 1, rateLimit: 1, dialect: 'loose' })
    try {
      await ask(limited, 'v3/brands/all')
      const refused = await ask(limited, 'v3/brands/all')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null])
      expect(await refused.text()).toContain('<h1>429')
    } finally {
      await limited.close()
    }
  })

  test('users have no e-mail address, neither in the list nor after their creation', async () => {
    const own = await startSandbox({ products: 1, rateLimit: false, dialect: 'loose' })
    try {
      const created = await ask(own, 'v4/users/create', { body: toUser('new@example.com') })
      expect(created.status).toBe(201)
      const { user } = (await created.json()) as { user: Json }
      expect(user).toEqual({ id: expect.any(Number) as number, name: 'New', organization: 5, meta: user['meta'] })
      const { users } = (await (await ask(own, 'v4/users/query', { body: {} })).json()) as { users: Json[] }
      expect(users.at(-1)).toEqual(user)
      for (const listed of users) expect(Object.keys(listed)).toEqual(['id', 'name', 'organization', 'meta'])
      const again = await ask(own, 'v4/users/create', { body: toUser('NEW@example.com') })
      expect(await readError(again)).toMatchObject({ status: 422, violations: [{ path: 'email' }] })
      const byMail = await ask(own, 'v4/users/query', { body: { filter: { email: 'new@example.com' } } })
      expect(byMail.status).toBe(422)
    } finally {
      await own.close()
    }
  })
})

async function readText(response: Response) {
  return [response.status, response.headers.get('content-type'), await response.text()]
}

function toUser(email: string) {
  return {
    email,
    role: 'software_developer',
    organization: 5,
    profile: { name: 'New' },
    preferences: { language: 'nl' },
    subscription: { type: 1 },
  }
}

async function readLoose(name: EndpointName): Promise<Json> {
  return (await (await ask(sandboxOf('loose'), name, toRequest(name))).json()) as Json
}

function toRequest(name: EndpointName) {
  const { method, filter, page } = endpoints[name] as Endpoint
  if (method === 'GET') return {}
  return { body: filter === 'required' ? { ...everything, ...(page === 'required' ? { page: {} } : {}) } : {} }
}

/** Id of the fourth record that the endpoint finds, from a list of the documented dialect. */
async function findSomeId(name: EndpointName): Promise<string> {
  const list = name.replace(/^v3/, 'v4').replace(/\/(?:find|get)$/, '/query') as EndpointName
  const response = await ask(sandboxOf('documented'), list, toRequest(list))
  const { results } = (await response.json()) as { results: Json[] }
  return String(results[3]?.['id'])
}
