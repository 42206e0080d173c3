import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkPipeline } from '../../../src/plan/check-pipeline.ts'
import type { ServiceSourcePlan } from '../../../src/plan/source/source-plan.ts'
import type { Problem } from '../../../src/config/problem.ts'
import { createRequestBudget } from '../../../src/service/http/request-budget.ts'
import { createServiceSources } from '../../../src/service/read/create-service-sources.ts'
import { endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { toFirstRequest } from '../../../src/service/read/request-plan.ts'
import { FakeClock } from '../http/fake-clock.ts'
import { Converted, filterTables, now } from './filter-cases.ts'
import { answerText, keyId, keySecret, ServiceStub } from '../read/service-stub.ts'

describe.each(filterTables)('a config for %s', (endpoint, cases) => {
  test('a config may filter by the keys of the specification, no more and no fewer', () => {
    expect(Object.keys(endpoints[endpoint].filters).toSorted()).toEqual(cases.map(([key]) => key).toSorted())
  })

  test.each(cases)('a config sends %s as it should be', (key, right) => {
    for (const value of right) {
      const { written, sent } = value instanceof Converted ? value : { written: value, sent: value }
      expect(toBody({ endpoint, filter: { [key]: written } })).toHaveProperty('filter', { [key]: sent })
    }
  })

  test.each(cases)('a config with a wrong %s is refused, at its place', (key, _right, wrong) => {
    for (const value of wrong) {
      const problems = findProblems({ endpoint, filter: { [key]: value } })
      expect({ value, isRefused: problems.length > 0 }).toEqual({ value, isRefused: true })
      for (const { path, message } of problems) {
        expect(path.slice(0, 3)).toEqual(['source', 'filter', key])
        expect(message).toMatch(/expected/)
      }
    }
  })
})

test.each([
  ['v4/products/query', 'v4/products/stream'],
  ['v4/media/query', 'v4/media/stream'],
  ['v3/products/search', 'v3/products/export'],
] as const)('%s takes the filters of %s', (one, other) => {
  expect(listFilters(one)).toEqual(listFilters(other))
})

describe('the body of a request', () => {
  const required = { filter: {}, sorting: { id: 'ASC' } }
  const page = { no: 0, size: 250 }

  test.each<[EndpointName, Source, unknown]>([
    ['v4/products/query', {}, { ...required, page }],
    ['v4/products/query', { page: { size: 10 } }, { ...required, page: { no: 0, size: 10 } }],
    ['v4/products/query', { page: { no: 3, size: 50 } }, { ...required, page: { no: 3, size: 50 } }],
    ['v4/products/stream', {}, required],
    ['v4/products/stream', { sorting: { touchedAt: 'DESC' } }, { filter: {}, sorting: { touchedAt: 'DESC' } }],
    ['v4/media/query', { filter: { type: 'photo' } }, { ...required, filter: { type: 'photo' }, page }],
    ['v4/media/stream', {}, required],
    ['v3/products/search', {}, { filter: {}, page }],
    ['v3/products/search', { filter: { prescription: true } }, { filter: { prescription: true }, page }],
    ['v3/products/export', {}, { filter: {} }],
    ['v3/products/export', { sorting: { cnk: 'ASC' } }, { filter: {}, sorting: { cnk: 'ASC' } }],
    ['v4/updates/query', {}, {}],
    ['v4/updates/query', { page: {} }, { page }],
    [
      'v4/updates/query',
      { sorting: { sortOrder: 'DESC' }, page: { size: 100 } },
      { sorting: { sortOrder: 'DESC' }, page: { no: 0, size: 100 } },
    ],
    ['v4/corrections/query', { filter: { status: 'open' } }, { filter: { status: 'open' } }],
    ['v4/corrections/query', { sorting: { touchedAt: 'ASC' } }, { sorting: { touchedAt: 'ASC' } }],
    ['v4/active-ingredients/query', { filter: { id: [1, 2] } }, { filter: { id: [1, 2] } }],
    ['v4/brands/query', { filter: { parent: 3 } }, { filter: { parent: 3 } }],
  ])('the body of a request of %s with %j is as it should be', (endpoint, source, body) => {
    expect(toBody({ endpoint, ...source })).toEqual(body)
  })

  test('the body of a request for one record is a query string', () => {
    expect(toRequest({ endpoint: 'v4/products/find', filter: { id: 'M1', locale: 'nl' } })).toEqual({
      method: 'GET',
      path: '/v4/products/find?id=M1&locale=nl',
    })
    expect(toRequest({ endpoint: 'v3/brands/all' })).toEqual({ method: 'GET', path: '/v3/brands/all' })
    expect(findProblems({ endpoint: 'v4/products/find', filter: {} })).toMatchObject([
      { path: ['source', 'filter', 'id'] },
    ])
  })

  test('the body of a request combines keys with "and", at any depth', () => {
    const filter = {
      status: ['active', 'replaced'],
      or: [
        { cnk: ['123456', 1234567], prescription: false },
        { not: { brand: '7', createdAt: { from: '2026-01-01', until: '-1h' } } },
      ],
      not: { and: [{ narcotic: 'yes' }, { or: [{ biocide: 'yes' }, { colors: 'red' }] }] },
    }
    expect(toBody({ endpoint: 'v4/products/stream', filter })).toEqual({
      filter: {
        and: [
          { status: ['active', 'replaced'] },
          {
            or: [
              { and: [{ cnk: ['0123456', '1234567'] }, { prescription: false }] },
              { not: { and: [{ brand: 7 }, { createdAt: { from: 1767225600, until: 1772362800 } }] } },
            ],
          },
          { not: { and: [{ narcotic: 'yes' }, { or: [{ biocide: 'yes' }, { colors: 'red' }] }] } },
        ],
      },
      sorting: { id: 'ASC' },
    })
  })

  test('the body of a request is what the service gets', async () => {
    const sources: Source[] = [
      { endpoint: 'v4/products/stream', filter: { status: 'active', createdAt: '-24h' } },
      { endpoint: 'v3/products/search', filter: { cnk: 5 }, page: { size: 50 } },
      { endpoint: 'v4/corrections/query', filter: { locale: ['nl'] } },
      { endpoint: 'v4/products/find', filter: { id: 'M1' } },
    ]
    for (const source of sources) {
      await using stub = await ServiceStub.start(answerText(400, ''))
      const clock = new FakeClock()
      const service = createServiceSources(
        toPlan(source),
        { baseUrl: stub.url, keyId, keySecret },
        { budget: createRequestBudget({ clock }), clock, maxLineBytes: 1000, incomplete: 'fail' },
      )
      const [opened] = service.sources
      const blocks = opened?.read(new AbortController().signal).blocks[Symbol.asyncIterator]()
      await expect(blocks?.next()).rejects.toThrow('got 400')
      const { method, path: url, body } = toRequest(source)
      expect(stub.requests).toMatchObject([{ method, url, body }])
      await service.close()
    }
  })
})

describe('sortings in a config', () => {
  const products = ['id', 'cnk', 'createdAt', 'touchedAt', 'statusTouchedAt', 'status']
  const keys: [EndpointName, string[]][] = [
    ['v4/products/query', products],
    ['v4/products/stream', products],
    ['v3/products/search', ['id', 'cnk']],
    ['v3/products/export', ['id', 'cnk']],
    ['v4/updates/query', ['id', 'createdAt', 'sortOrder']],
    ['v4/corrections/query', ['touchedAt']],
  ]

  test.each(keys)('the sortings of %s in a config are those of the specification', (endpoint, known) => {
    expect(Object.keys(endpoints[endpoint].sortings).filter((key) => key !== 'name')).toEqual(known)
    for (const key of known) {
      const sent = { sorting: { [key]: 'DESC' } }
      // The service's own order need not be asked for.
      expect(toBody({ endpoint, sorting: { [key]: 'DESC' } })).toMatchObject(sent)
      for (const wrong of ['desc', 1, null, { direction: 'ASC' }])
        expect(pathsOf({ endpoint, sorting: { [key]: wrong } })).toEqual([`source.sorting.${key}`])
    }
    expect(pathsOf({ endpoint, sorting: { price: 'ASC' } })).toEqual(['source.sorting.price'])
    expect(pathsOf({ endpoint, sorting: {} })).toEqual(['source.sorting'])
  })

  test('a sorting by name has a direction and a locale, and there is one sorting at most', () => {
    const sorting = { name: { direction: 'ASC', locale: 'nl' } }
    expect(toBody({ endpoint: 'v4/products/stream', sorting })).toEqual({ filter: {}, sorting })
    expect(pathsOf({ endpoint: 'v4/products/stream', sorting: { name: 'ASC' } })).toEqual(['source.sorting.name'])
    expect(pathsOf({ endpoint: 'v4/products/stream', sorting: { id: 'ASC', cnk: 'ASC' } })).toEqual(['source.sorting'])
    expect(pathsOf({ endpoint: 'v4/active-ingredients/query', sorting: { id: 'ASC' } })).toEqual(['source.sorting'])
  })
})

describe('pages in a config', () => {
  test.each([10, 50, 100, 250, '100'])('a page in a config may have the size %j', (size) => {
    const body = toBody({ endpoint: 'v4/products/query', page: { size } })
    expect(body).toMatchObject({ page: { no: 0, size: Number(size) } })
  })

  test.each([0, 1, 20, 500, 1000, -10, 10.5, '20', 'ten', '', null, true, [10]])(
    'a page in a config may not have the size %j',
    (size) => {
      expect(pathsOf({ endpoint: 'v4/products/query', page: { size } })).toEqual(['source.page.size'])
    },
  )

  test.each([-1, 0.5, 'one', null])('a page in a config may not have the number %j', (no) => {
    expect(pathsOf({ endpoint: 'v4/products/query', page: { no } })).toEqual(['source.page.no'])
  })

  test('a page in a config is refused where nothing is read in pages', () => {
    for (const endpoint of ['v4/products/stream', 'v4/media/stream', 'v3/products/export', 'v3/brands/all'])
      expect(pathsOf({ endpoint, page: { size: 100 } })).toEqual(['source.page'])
  })
})

describe('numbers and date-times of a filter', () => {
  test('a number or date-time of a filter may come from the environment, as text', () => {
    const env = { ID: '7', CNK: '12345', SIZE: '50', SINCE: '1767225600', LEAST: '0.5' }
    const filter = {
      brand: ['${ID}'],
      cnk: '${CNK}',
      updatedSince: { from: '${SINCE}', until: '${UNTIL:--1h}' },
      popularity: { value: '${LEAST}', operator: 'gte' },
    }
    expect(toBody({ endpoint: 'v4/products/query', filter, page: { size: '${SIZE}' } }, env)).toMatchObject({
      filter: {
        and: [
          { brand: [7] },
          { cnk: '0012345' },
          { updatedSince: { from: 1767225600, until: 1772362800 } },
          { popularity: { value: 0.5, operator: 'gte' } },
        ],
      },
      page: { size: 50 },
    })
    expect(pathsOf({ endpoint: 'v4/products/query', filter: { brand: '${NONE}' } })).toEqual([
      'source.filter.brand',
      'source.filter.brand',
    ])
  })

  test('a number or date-time of a filter may be written in YAML without quotes', () => {
    const filter = parse('{ cnk: [0123456, 123], eanGtin13: 0541234567890, createdAt: { from: 2026-01-01 } }') as object
    expect(toBody({ endpoint: 'v4/products/stream', filter })).toMatchObject({
      filter: {
        and: [{ cnk: ['0123456', '0000123'] }, { eanGtin13: '0541234567890' }, { createdAt: { from: 1767225600 } }],
      },
    })
  })

  test('date-times of a range that is empty by now are refused, though it was not yesterday', () => {
    const createdAt = { from: '-24h', until: '2026-02-27' }
    expect(findProblems({ endpoint: 'v4/products/stream', filter: { not: { createdAt } } })).toEqual([
      {
        path: ['source', 'filter', 'not', 'createdAt', 'until'],
        message:
          'expected a date-time that is not before "from", which is 2026-02-28T12:00:00Z, got 2026-02-27T23:59:59Z',
      },
    ])
  })
})

const codes = (count: number): string[] => Array.from({ length: count }, (_, index) => `M${index}`)

describe('lists of codes', () => {
  const endpoint = 'v4/products/stream'

  test('a list of codes may be of any length where it can be split over requests', () => {
    for (const filter of [{ id: codes(3283) }, { status: 'active', and: [{ id: codes(1001) }] }])
      expect(findProblems({ endpoint, filter })).toEqual([])
  })

  test.each([{ or: [{ id: codes(1001) }, { cnk: 5 }] }, { not: { id: codes(1001) } }])(
    'a list of more than 1000 codes is refused where it can not be split',
    (filter) => {
      expect(findProblems({ endpoint, filter })[0]).toMatchObject({
        message: expect.stringMatching('at most 1000 codes in all under "or" and "not"') as string,
      })
    },
  )

  test('a list of codes of another key has at most 1000', () => {
    const brand = codes(1001).map((_, index) => index)
    expect(pathsOf({ endpoint, filter: { brand } })).toEqual(['source.filter.brand'])
  })
})

type Source = Readonly<Record<string, unknown>>
type Env = Readonly<Record<string, string>>

function check(source: Source, env: Env = {}) {
  const config = {
    name: 'bodies',
    source,
    tables: { ids: { columns: ['id'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
  }
  return checkPipeline(config, { env, needsService: false, now: now.getTime() })
}

function findProblems(source: Source, env?: Env): readonly Problem[] {
  const { problems, plan } = check(source, env)
  expect(plan === null).toBe(problems.length > 0)
  return problems
}

function pathsOf(source: Source): string[] {
  return findProblems(source).map(({ path }) => path.join('.'))
}

function toPlan(source: Source, env?: Env): ServiceSourcePlan {
  const { problems, plan } = check(source, env)
  expect(problems).toEqual([])
  if (plan?.source.kind !== 'service') throw new TypeError('expected a plan for the service')
  return plan.source
}

function toRequest(source: Source, env?: Env) {
  return toFirstRequest(toPlan(source, env))
}

function listFilters(endpoint: EndpointName): string[] {
  return Object.entries(endpoints[endpoint].filters).map(([key, { accepts }]) => `${key}: ${accepts}`)
}

function toBody(source: Source, env?: Env): unknown {
  return toRequest(source, env).body
}
