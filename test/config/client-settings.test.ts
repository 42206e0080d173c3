import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { ServiceSourcePlan } from '../../src/plan/source/source-plan.ts'
import { checkText, checkValue, like } from '../plan/check-text.ts'

type Source = Readonly<Record<string, unknown>>
type Env = Readonly<Record<string, string>>

function plan(more: Source, env: Env = {}) {
  const checked = checkValue({ name: 'x', source: { endpoint: 'v4/brands/query', ...more } }, { env })
  expect(checked.problems).toEqual([])
  return checked.plan!
}

const planSource = (more: Source, env?: Env) => plan(more, env).source as ServiceSourcePlan

const access = { baseUrl: 'https://api.example.com', keyId: 'some-key', keySecret: 'some-secret' }
const notesOf = (more: Source, endpoint = 'v4/brands/query') =>
  checkValue({ name: 'x', source: { endpoint, ...access, ...more } }).notes.map(
    ({ path, message, suggestion }) =>
      `${path.join('.')}: ${message}${suggestion === undefined ? '' : ` (${suggestion}?)`}`,
  )

describe('how the service is asked', () => {
  test('requests have default settings', () => {
    expect(planSource({}).client).toEqual({
      userAgent: null,
      requestsPerMinute: 100,
      retries: 5,
      limits: { connectTimeoutMs: 10_000, firstByteTimeoutMs: 120_000, idleTimeoutMs: 60_000 },
    })
  })

  test('settings of requests come from the config and the environment', () => {
    const timeouts = { connect: '2.5s', firstByte: '5m', idle: '${IDLE}' }
    const client = {
      userAgent: 'nightly-load/2.1 (+ops@example.com)',
      requestsPerMinute: '${RATE}',
      retries: 0,
      timeouts,
    }
    expect(planSource(client, { IDLE: '90', RATE: '50' }).client).toEqual({
      userAgent: 'nightly-load/2.1 (+ops@example.com)',
      requestsPerMinute: 50,
      retries: 0,
      limits: { connectTimeoutMs: 2500, firstByteTimeoutMs: 300_000, idleTimeoutMs: 90_000 },
    })
    expect(planSource({ timeouts: { idle: 0.5 } }).client.limits).toMatchObject({
      firstByteTimeoutMs: 120_000,
      idleTimeoutMs: 500,
    })
  })

  test.each([
    ['userAgent: ""', /expected a name such as nightly-load/],
    ['userAgent: "a\\r\\nX-Evil: 1"', /expected a name such as nightly-load/],
    ['userAgent: " a"', /expected a name such as nightly-load/],
    ['userAgent: "naïve"', /expected a name such as nightly-load/],
    [`userAgent: ${'a'.repeat(201)}`, /expected a name such as nightly-load/],
    ['userAgent: 5', /expected text, got number 5/],
    ['requestsPerMinute: 0', /expected a whole number from 1 to 100000, got number 0/],
    ['requestsPerMinute: 1.5', /expected a whole number from 1/],
    ['requestsPerMinute: "1e3"', /expected a whole number from 1/],
    ['requestsPerMinute: []', /expected a number, or text, got an empty list/],
    ['retries: -1', /expected a whole number from 0 to 100/],
    ['timeouts: 10s', /expected an object, got text "10s"/],
    ['timeouts: { connect: 0s }', /expected a duration/],
    ['timeouts: { idle: -1 }', /expected a duration/],
    ['timeouts: { idle: -24h }', /expected a duration/],
    ['timeouts: { idle: 25h }', /expected a duration/],
    ['timeouts: { idle: 2 min }', /expected a duration/],
    ['timeouts: { total: 1h }', /unknown key "total", expected one of connect, firstByte, idle/],
    ['partition: { by: createdAt, windows: 0 }', /expected a whole number from 1 to 1000, got number 0/],
  ])('a faulty setting of requests is refused: %s', (text, message) => {
    const found = checkText(`name: x\nsource:\n  endpoint: v4/products/stream\n  ${text}\n`)
    expect(found).toEqual([like(message)])
  })

  test.each(['userAgent: me', 'requestsPerMinute: 5', 'timeouts: {}', 'retries: 1'])(
    'a source of files refuses the setting of requests %s',
    (text) => {
      const found = checkText(`name: x\nsource:\n  files: a.ndjson\n  contract: v4/brand\n  ${text}\n`)
      expect(found).toEqual([like(/^5:3 source: expected \w+ only in a source with an endpoint, got it beside files$/)])
    },
  )

  test('settings of requests leave the config hash as it is', () => {
    const other = {
      userAgent: 'me/1',
      requestsPerMinute: 5,
      retries: 1,
      timeouts: { idle: 5 },
      baseUrl: 'https://other.example.com',
      keyId: 'another-key',
      keySecret: 'another-secret',
    }
    expect(plan(other, { HTTPS_PROXY: 'proxy.example.com' }).outputs.configHash).toBe(plan({}).outputs.configHash)
    expect(plan({ page: { size: '50' } }).outputs.configHash).toBe(plan({ page: { size: 50 } }).outputs.configHash)
    expect(plan({ page: { size: 50 } }).outputs.configHash).not.toBe(plan({}).outputs.configHash)
  })
})

describe('a proxy', () => {
  const source = { baseUrl: 'https://api.example.com', keyId: 'some-key', keySecret: 'some-secret' }

  test('a proxy comes from the environment, and nothing prints its password', () => {
    const planned = planSource(source, { HTTPS_PROXY: 'http://me:pr0xy-pass@proxy.example.com:3128' })
    expect(planned.proxy?.address).toBe('http://proxy.example.com:3128')
    for (const shown of [JSON.stringify(planned), inspect(planned, { depth: 9, showHidden: true, getters: false })])
      expect(shown).not.toContain('pr0xy-pass')
    expect(JSON.parse(JSON.stringify(planned))).toMatchObject({ proxy: 'http://proxy.example.com:3128' })
  })

  test('an unreadable proxy address is a problem if the run needs the service, and is not shown', () => {
    const env = { https_proxy: 'socks5://me:pr0xy-pass@proxy.example.com' }
    const config = { name: 'x', source: { endpoint: 'v4/brands/query', ...source } }
    expect(checkValue(config, { env }).problems).toEqual([])
    const { problems } = checkValue(config, { env, needsService: true })
    expect(problems).toEqual([
      {
        path: ['source', 'baseUrl'],
        message:
          'environment variable https_proxy: expected the address of a proxy such as http://proxy.example.com:3128, got something else that is not shown',
      },
    ])
  })
})

describe('notes', () => {
  test('notes name keys that are sent unchecked, in the order of the file', () => {
    const filter = { or: [{ parent: 3 }, { id: 5 }], active: 'x' }
    const unchecked = 'is sent unchecked, as the specification does not show what v4/brands/query takes'
    expect(notesOf({ sorting: { order: 'ASC' }, filter })).toEqual([
      `source.sorting.order: "order" ${unchecked}`,
      `source.filter.or.0.parent: "parent" ${unchecked}`,
      `source.filter.active: "active" ${unchecked}`,
    ])
  })

  test('notes name deprecated filters', () => {
    expect(notesOf({ filter: { gtin: '1', ecommerce: 'yes' } }, 'v4/products/stream')).toEqual([
      'source.filter.gtin: "gtin" is deprecated: use eanGtin14',
      'source.filter.ecommerce: "ecommerce" is deprecated',
    ])
    expect(notesOf({}, 'v4/product/attribute/options/query')).toEqual([
      'source.endpoint: v4/product/attribute/options/query is deprecated: use colors, dietaryRestrictions or galenicShapes',
    ])
  })

  test.each([
    ['http://api.example.com', 1],
    ['http://10.0.0.1:8080', 1],
    ['https://api.example.com', 0],
    ['http://127.0.0.1:8080', 0],
    ['http://localhost:8080', 0],
    ['http://[::1]:8080/api', 0],
    ['${UNSET}', 0],
  ])('notes say when credentials travel unencrypted to %s', (baseUrl, count) => {
    expect(notesOf({ baseUrl })).toHaveLength(count)
  })

  test('notes name a rate above the specified one, and pages that are left out', () => {
    expect(notesOf({ requestsPerMinute: 101, page: { no: 1 } })).toEqual([
      expect.stringMatching(/^source.requestsPerMinute: the specification allows 100 requests a minute, got 101/),
      expect.stringMatching(/^source.page.no: the pages before this one are left out/),
    ])
    expect(notesOf({ requestsPerMinute: 100, page: { no: 0 } })).toEqual([])
  })

  test('notes name what a run from the service would miss', () => {
    const source = { endpoint: 'v4/brands/query', baseUrl: '${URL}', keyId: '${KEY}' }
    const message = 'source: keySecret is missing: it can run only --from files'
    expect(checkValue({ name: 'x', source }).notes).toEqual([{ path: ['source'], message }])
    expect(checkValue({ name: 'x', source }, { needsService: true }).notes).toEqual([])
  })

  test('notes are listed beside problems', () => {
    const { problems, notes } = checkValue({
      name: 'x',
      source: { endpoint: 'v4/brands/query', ...access, filter: { a: 1 }, x: 1 },
    })
    expect([problems, notes]).toMatchObject([[{ path: ['source', 'x'] }], [{ path: ['source', 'filter', 'a'] }]])
  })
})
