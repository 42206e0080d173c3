import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CatalogueError } from '../../src/errors.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { ask, readError, readPage, readStream, toBasic, toLines, type Json } from './ask-sandbox.ts'

const everything = { filter: {}, sorting: { id: 'ASC' } }
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: 60, rateLimit: false, keyId: 'some-id', keySecret: 'a:secret' })
})

afterAll(() => sandbox.close())

test.each([
  ['no credentials', {}],
  ['another secret', { authorization: toBasic('some-id', 'secret') }],
  ['another id', { authorization: toBasic('other', 'a:secret') }],
  ['another scheme', { authorization: 'Bearer c29tZS1pZDphOnNlY3JldA==' }],
  ['no base64', { authorization: 'Basic %%%' }],
])('a request with %s is a 401', async (_, headers) => {
  const response = await fetch(`${sandbox.baseUrl}/v4/brands/query`, { method: 'POST', headers })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="catalogue"')
  expect(await readError(response)).toMatchObject({ status: 401, code: 'unauthorized' })
})

test('a request with the right credentials is accepted', async () => {
  expect((await ask(sandbox, 'v4/brands/query', { body: {} })).status).toBe(200)
})

test('an unknown path is a 404, a known one with the wrong method a 405', async () => {
  const unknown = await ask(sandbox, 'v4/nothing/query', { body: {} })
  expect(await readError(unknown)).toMatchObject({ status: 404, code: 'not_found' })
  const wrongMethod = await ask(sandbox, 'v4/products/stream')
  expect(await readError(wrongMethod)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  expect(wrongMethod.headers.get('allow')).toBe('POST')
})

test('a body that is not JSON is a 400, one of another media type a 415', async () => {
  expect(await readError(await sendText('{"filter":', 'application/json'))).toMatchObject({
    status: 400,
    code: 'bad_request',
  })
  expect(await readError(await sendText('filter: {}', 'text/yaml'))).toMatchObject({ status: 415 })
  expect((await sendText('', 'application/json')).status).toBe(200)
})

const wrongBodies: [string, unknown, string[]][] = [
  ['required members missing', {}, ['filter', 'sorting', 'page']],
  ['no object', [], ['']],
  ['an unknown member', { ...everything, page: {}, pages: {} }, ['pages']],
  ['an unknown filter key', { ...everything, filter: { colour: 'red' }, page: {} }, ['filter.colour']],
  ['a wrong value', { ...everything, filter: { status: ['active', 'gone'] }, page: {} }, ['filter.status.1']],
  ['deep inside', { ...everything, filter: { not: { or: [{ brand: 'x' }] } }, page: {} }, ['filter.not.or.0.brand']],
  ['several keys in an object', { ...everything, filter: { brand: 1, status: 'active' }, page: {} }, ['filter']],
  ['an empty combinator', { ...everything, filter: { and: [] }, page: {} }, ['filter.and']],
  ['a date as text', { ...everything, filter: { createdAt: '2026-01-01' }, page: {} }, ['filter.createdAt']],
  ['a relative date', { ...everything, filter: { updatedSince: { from: '-24h' } }, page: {} }, ['filter.updatedSince']],
  [
    'a flag that is no field',
    { ...everything, filter: { hasContent: { flag: 'x', locale: 'nl' } }, page: {} },
    ['filter.hasContent'],
  ],
  ['two sortings', { filter: {}, sorting: { id: 'ASC', cnk: 'ASC' }, page: {} }, ['sorting']],
  ['an unknown sorting', { filter: {}, sorting: { price: 'ASC' }, page: {} }, ['sorting.price']],
  ['a wrong page size', { ...everything, page: { size: 20 } }, ['page.size']],
  ['a page number below 0', { ...everything, page: { no: -1 } }, ['page.no']],
  ['two wrongs', { filter: { status: 'x' }, sorting: { id: 'UP' }, page: {} }, ['filter.status', 'sorting.id']],
]

test.each(wrongBodies)('a body with %s is a 422 with a violation each', async (_, body, paths) => {
  const response = await ask(sandbox, 'v4/products/query', { body })
  const { status, code, violations } = await readError(response)
  expect([response.status, status, code]).toEqual([422, 422, 'validation_failed'])
  expect(violations?.map(({ path }) => path)).toEqual(paths)
  for (const { message } of violations ?? []) expect(message).not.toBe('')
})

test('a filter nested to any depth is a 422, not a failure', async () => {
  const body = `{"filter":${'{"not":'.repeat(20_000)}{"status":"active"}${'}'.repeat(20_000)},"sorting":{"id":"ASC"}}`
  const headers = { authorization: toBasic('some-id', 'a:secret'), 'content-type': 'application/json' }
  const response = await fetch(`${sandbox.baseUrl}/v4/products/stream`, { method: 'POST', headers, body })
  expect(await readError(response)).toMatchObject({ status: 422, violations: [{ path: 'filter' }] })
})

test('unknown filter keys are a 422 even if the specification shows no keys', async () => {
  const response = await ask(sandbox, 'v4/brands/query', { body: { filter: { country: 'BE' } } })
  expect((await readError(response)).violations?.[0]?.path).toBe('filter.country')
  const sorted = await ask(sandbox, 'v4/brands/query', { body: { sorting: { name: 'ASC' } } })
  expect((await readError(sorted)).violations?.[0]?.path).toBe('sorting.name')
})

test('1000 identifiers are answered, more are a 422, even if several keys hold them', async () => {
  expect(await statusFor({ cnk: toCodes(1000) })).toBe(204)
  expect(await statusFor({ cnk: toCodes(1001) })).toBe(422)
  expect(await statusFor({ or: [{ cnk: toCodes(500) }, { ean: toCodes(500) }] })).toBe(204)
  expect(await statusFor({ or: [{ cnk: toCodes(500) }, { not: { ean: toCodes(501) } }] })).toBe(422)
  expect(await statusFor({ id: Array.from({ length: 100_000 }, () => 'M1') })).toBe(422)
})

test('the same seed of the sandbox gives the same catalogue, another seed another', async () => {
  const same = await startSandbox({ products: 60, rateLimit: false })
  const other = await startSandbox({ products: 60, seed: 2, rateLimit: false })
  try {
    const expected = await readNames(sandbox)
    expect(await readNames(same)).toEqual(expected)
    expect(await readNames(other)).not.toEqual(expected)
  } finally {
    await Promise.all([same.close(), other.close()])
  }
})

test('products that media, news items and corrections link to exist', async () => {
  const products = new Set((await readStream(sandbox, 'v4/products/stream')).map(({ result }) => result['id']))
  const media = (await readStream(sandbox, 'v4/media/stream')).map(({ result }) => result)
  const { results: news } = await readPage(sandbox, 'v4/updates/query', {})
  const { results: corrections } = await readPage(sandbox, 'v4/corrections/query', {})
  const linked = [...media, ...news, ...corrections].flatMap((record) => record['products'] ?? record['product'] ?? [])
  expect(linked.length).toBeGreaterThan(100)
  expect(linked.filter((id) => !products.has(id))).toEqual([])
})

test('v3 and v4 of the sandbox have the same products', async () => {
  const [v3, v4] = [await readStream(sandbox, 'v3/products/export'), await readStream(sandbox, 'v4/products/stream')]
  expect(v3.map(({ result }) => result['id'])).toEqual(v4.map(({ result }) => result['id']))
})

test('signatures of addresses change with every request, and nothing else does', async () => {
  const now = 1_800_000_000
  const signing = await startSandbox({ products: 60, rateLimit: false, now: () => now * 1000 })
  try {
    const read = async () => (await ask(signing, 'v4/products/stream', { body: everything })).text()
    const [first, second] = [await read(), await read()]
    const mark = /expires=(\d+)&signature=([0-9a-f]{32})/g
    expect(first).not.toBe(second)
    expect(first.replaceAll(mark, '')).toBe(second.replaceAll(mark, ''))
    const signatures = [...`${first}${second}`.matchAll(mark)].map(([, , signature]) => signature)
    expect(signatures.length).toBeGreaterThan(150)
    expect(new Set(signatures).size).toBe(signatures.length)
    const [product] = toLines(first).map(({ result }) => result['meta'] as Record<string, string>)
    expect(product?.['embedUrl']).toContain(`expires=${now + 3 * 3600}&`)
    expect(product?.['publicPageUrl']).toContain(`expires=${now + 182 * 86_400}&`)
  } finally {
    await signing.close()
  }
})

test('the sandbox gzips an answer only if the client accepts it', async () => {
  const url = `${sandbox.baseUrl}/v4/brands/query`
  const read = async (encoding: string) => {
    const headers = {
      authorization: toBasic('some-id', 'a:secret'),
      'content-type': 'application/json',
      'accept-encoding': encoding,
    }
    const { headers: got, body } = await request(url, { method: 'POST', headers, body: '{}' })
    return { encoding: got['content-encoding'], bytes: Buffer.from(await body.arrayBuffer()) }
  }
  const plain = await read('identity')
  expect(plain.encoding).toBeUndefined()
  for (const accepted of ['gzip', 'br, gzip;q=0.8', '*', 'deflate,gzip']) {
    const { encoding, bytes } = await read(accepted)
    expect([accepted, encoding]).toEqual([accepted, 'gzip'])
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
  }
  expect((await read('gzip;q=0')).encoding).toBeUndefined()
  expect((await read('br')).encoding).toBeUndefined()
})

test('more than 100 requests in any 60 seconds are a 429 with Retry-After; other keys and refusals do not count', async () => {
  let now = 1_800_000_000_000
  const limited = await startSandbox({ products: 10, now: () => now })
  try {
    const get = () => ask(limited, 'v3/apb-categories/all')
    for (let count = 0; count < 60; count++) expect((await get()).status).toBe(200)
    now += 30_000
    for (let count = 0; count < 40; count++) expect((await get()).status).toBe(200)
    await fetch(`${limited.baseUrl}/v3/apb-categories/all`)
    for (let count = 0; count < 3; count++) {
      const refused = await get()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
      expect(await readError(refused)).toMatchObject({ status: 429, code: 'too_many_requests' })
    }
    now += 29_999
    expect((await get()).status).toBe(429)
    now += 1
    for (let count = 0; count < 60; count++) expect((await get()).status).toBe(200)
    expect((await get()).headers.get('retry-after')).toBe('30')
    expect((await get()).headers.get('date')).toBe(new Date(now).toUTCString())
  } finally {
    await limited.close()
  }
})

test('the request log lists each request with its outcome, without credentials', async () => {
  const own = await startSandbox({ products: 30, rateLimit: 2 })
  try {
    await (await ask(own, 'v4/products/stream', { body: everything, headers: { 'user-agent': 'tester/1' } })).text()
    await (await ask(own, 'v4/products/find', { query: { id: 'M1' } })).text()
    await (await ask(own, 'v4/else')).text()
    expect(own.requests).toMatchObject([
      { method: 'POST', endpoint: 'v4/products/stream', body: everything, status: 200, records: 30, end: 'complete' },
      { method: 'GET', endpoint: 'v4/products/find', url: '/v4/products/find?id=M1', status: 404, records: 0 },
      { endpoint: null, status: 429 },
    ])
    expect(own.requests[0]?.headers['user-agent']).toBe('tester/1')
    expect(JSON.stringify(own.requests)).not.toMatch(/authorization|c2FuZGJveDpzYW5kYm94/i)
    expect(own.requests[0]?.bytes).toBeGreaterThan(100_000)
  } finally {
    await own.close()
  }
})

test('a port in use is a USAGE error that names the port', async () => {
  const port = Number(new URL(sandbox.baseUrl).port)
  const failure = await startSandbox({ port }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CatalogueError)
  expect(failure).toMatchObject({
    code: 'USAGE',
    title: 'The sandbox could not start',
    message: `port ${port} is in use: choose another --port, or 0`,
  })
})

test('a port out of range is a USAGE error', async () => {
  await expect(startSandbox({ port: 70_000 })).rejects.toMatchObject({ code: 'USAGE' })
})

test('closing the sandbox ends every connection, even during an answer', async () => {
  const own = await startSandbox({ products: 500, rateLimit: false })
  const response = await ask(own, 'v4/products/stream', { body: everything, headers: { 'x-sandbox-fault': 'stall=3' } })
  const reading = response.text().then(
    () => 'complete',
    () => 'failed',
  )
  await own.close()
  expect(await reading).toBe('failed')
  await expect(ask(own, 'v4/colors/query', { body: {} })).rejects.toThrow('fetch failed')
})

test('option warmUp of the sandbox generates products before a request needs them', async () => {
  const warm = await startSandbox({ products: 40, warmUp: true, rateLimit: false })
  try {
    expect(await readStream(warm, 'v4/products/stream')).toHaveLength(40)
  } finally {
    await warm.close()
  }
})

const user = {
  email: 'new.user@example.com',
  password: 'correct horse',
  role: 'software_developer',
  organization: 1234,
  profile: { name: 'New User' },
  preferences: { language: 'nl' },
  subscription: { type: 7 },
}

test('a created user is answered without the password and is in the list', async () => {
  const before = await readPage(sandbox, 'v4/users/query', {})
  const response = await ask(sandbox, 'v4/users/create', { body: user })
  expect(response.status).toBe(200)
  const { user: created } = (await response.json()) as { user: Json }
  const { password, ...rest } = user
  expect(created).toMatchObject({ ...rest, isEnabled: true, preferences: { language: 'nl', isPublic: true } })
  expect(JSON.stringify(created)).not.toContain(password)
  expect(before.results.map(({ id }) => id)).not.toContain(created['id'])
  const after = await readPage(sandbox, 'v4/users/query', { filter: { id: created['id'] } })
  expect(after.results).toEqual([created])
  expect((await readPage(sandbox, 'v4/users/query', {})).meta.total).toBe(before.meta.total + 1)
})

test('the e-mail address of another user is a 422', async () => {
  const body = { ...user, email: 'twice@example.com' }
  expect((await ask(sandbox, 'v4/users/create', { body })).status).toBe(200)
  const again = await ask(sandbox, 'v4/users/create', { body: { ...body, email: 'Twice@Example.com' } })
  expect((await readError(again)).violations?.map(({ path }) => path)).toEqual(['email'])
})

test.each<[string, Json, string]>([
  ['no email', { email: undefined }, 'email'],
  ['an email that is none', { email: 'nobody' }, 'email'],
  ['no role', { role: undefined }, 'role'],
  ['an unknown role', { role: 'admin' }, 'role'],
  ['no organization', { organization: undefined }, 'organization'],
  ['an organization as text', { organization: '1234' }, 'organization'],
  ['no profile', { profile: undefined }, 'profile'],
  ['no name', { profile: {} }, 'profile.name'],
  ['no language', { preferences: {} }, 'preferences.language'],
  ['a subscription type as text', { subscription: { type: '7' } }, 'subscription.type'],
  ['a start that is no timestamp', { subscription: { type: 7, start: '2026-01-01' } }, 'subscription.start'],
  ['isEnabled as text', { isEnabled: 'yes' }, 'isEnabled'],
  ['target groups that are no list', { targetGroups: 'public' }, 'targetGroups'],
  ['an unknown member', { phone: '1' }, 'phone'],
])('a user with %s is a 422 that names the member', async (_, change, path) => {
  const response = await ask(sandbox, 'v4/users/create', { body: { ...user, email: 'wrong@example.com', ...change } })
  expect(response.status).toBe(422)
  const text = await response.clone().text()
  expect(text).not.toContain(user.password)
  expect((await readError(response)).violations?.map((violation) => violation.path)).toEqual([path])
})

test('a key without the permission creates no user: 403', async () => {
  const other = await startSandbox({ products: 1, mayCreateUsers: false })
  try {
    const response = await ask(other, 'v4/users/create', { body: user })
    expect(await readError(response)).toMatchObject({ status: 403, code: 'forbidden' })
  } finally {
    await other.close()
  }
})

function sendText(body: string, type: string) {
  return fetch(`${sandbox.baseUrl}/v4/brands/query`, {
    method: 'POST',
    headers: { authorization: toBasic('some-id', 'a:secret'), 'content-type': type },
    body,
  })
}

async function statusFor(filter: Json): Promise<number> {
  return (await ask(sandbox, 'v4/products/stream', { body: { ...everything, filter } })).status
}

function toCodes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

async function readNames(from: Sandbox): Promise<unknown[]> {
  return (await readStream(from, 'v4/products/stream')).map(({ result }) => result['name'])
}
