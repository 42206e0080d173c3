import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExaminationReport } from '../../src/doctor/examination-report.ts'
import { examineService } from '../../src/doctor/examine-service.ts'
import { createRequestBudget } from '../../src/service/http/request-budget.ts'
import { FakeClock } from '../service/http/fake-clock.ts'
import { startHostileService, type HostileService } from './hostile-service.ts'

/** A clock whose waits take no time, such as the minute after a 429. */
const clock = new FakeClock()
let service: HostileService
let report: ExaminationReport
let grownBytes: number

beforeAll(async () => {
  service = await startHostileService()
  const before = process.memoryUsage().rss
  report = await examineService(
    { baseUrl: service.baseUrl, keyId: 'hostile', keySecret: 'secret-of-the-test' },
    { signal: new AbortController().signal, answerTimeoutMs: 1000, clock, budget: createRequestBudget({ clock }) },
  )
  grownBytes = process.memoryUsage().rss - before
})
afterAll(() => service.close())

test("doctor reports why an endpoint can't be read, and still asks the others", () => {
  const reasons = Object.fromEntries(report.endpoints.map(({ name, silence }) => [name, silence]))
  expect(reasons).toMatchObject({
    'v4/brands/query': 'status 200 with a page of HTML or XML',
    'v4/colors/query': 'status 200 with more than 16 MB',
    'v4/organizations/query': 'status 200 with more than 16 MB',
    'v4/product-families/query': expect.stringMatching(/^no answer within 1 s/),
    'v4/bcfi-categories/query': 'no whole answer within 1 s',
    'v4/public-categories/query': 'it redirects to another address',
    'v4/catalog-categories/query': null,
    'v4/dietary-restrictions/query': 'status 403: not allowed for this key',
    'v4/users/query': 'status 401: the key is not accepted',
    'v4/subscription-types/query': 'status 405: the method is not allowed',
    'v4/updates/query': 'status 429: too many requests',
    'v4/corrections/query': 'status 500: the service failed',
    'v4/active-ingredients/query': expect.stringContaining('the connection was cut'),
    'v4/media/query': 'status 200 with more than 16 MB',
    'v4/product/attributes/query': 'the answer was cut off',
    'v4/product/attribute/options/query': 'it answers in an encoding that was not asked for',
    'v3/brands/all': 'status 200 with text that is no JSON',
    'v3/organizations/all': 'the answer was cut off',
    'v3/public-categories/all': 'status 200 with an error',
    'v3/attributes/all': 'status 200 with neither an object nor a list',
    'v3/active-ingredients/all': 'status 200 with text that is no JSON',
    'v4/corrections/types': 'status 404: not found',
    'v4/products/stream': 'status 200 with a first line of more than 16 MB',
    'v3/products/export': null,
    'v4/products/query': null,
    'v3/products/search': null,
    'v4/brands/find': 'not asked: no id is known',
  })
})

test('the report holds no text, control character or odd name of a hostile answer', () => {
  const text = JSON.stringify(report)
  expect(text).not.toContain('MARKER')
  expect(text).not.toMatch(/\\u001b|\\u202e|\u202E|polluted|__proto__/i)
  const { fieldsBeyond } = report.endpoints.find(({ name }) => name === 'v4/catalog-categories/query') ?? {}
  expect(fieldsBeyond).toEqual([
    { path: '(a name that is not shown)', types: ['object', 'whole number'] },
    { path: 'constructor', types: ['whole number'] },
    { path: 'toString', types: ['whole number'] },
  ])
})

test('doctor holds no endless or giant answer in memory', () => {
  expect(grownBytes).toBeLessThan(500 * 1024 * 1024)
})

test('doctor asks an endpoint again after 429, once the budget allows it', () => {
  expect(service.requests.filter((request) => request.endsWith('v4/updates/query'))).toHaveLength(2)
  expect(Math.max(...clock.sleeps)).toBeGreaterThan(59_000)
})

test('doctor uses only methods and paths that read', () => {
  const writing =
    /\/(?:create|update|delete|add-media|remove-media|upload|create-link|publish|unpublish|revoke|check|subscription)$/
  expect(service.requests.filter((request) => writing.test(request))).toEqual([])
})
