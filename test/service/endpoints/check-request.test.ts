import { describe, expect, it } from 'vitest'
import { someOf } from '../../depth.ts'
import { checkRequest } from '../../../src/service/endpoints/check-request.ts'
import { endpointNames, endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'

const stream = 'v4/products/stream'

const codes = (count: number) => Array.from({ length: count }, (_, index) => index)
const ids = (count: number) => codes(count).map((index) => `M${index}`)

const check = (request: Parameters<typeof checkRequest>[1], name: EndpointName = stream) =>
  checkRequest(name, request, { now: new Date('2026-03-01T12:00:00Z') })

describe('problems of a request', () => {
  it('a request with mistakes reports all of them, in the order of the document, with paths and suggestions', () => {
    const problems = check({
      filter: {
        statsu: 'active',
        status: ['active', 'inactiv', 'gone'],
        or: [{ brandId: 3 }, { cnk: 'x' }, {}],
        not: { search: { querry: 'a', query: 5 } },
        createdAt: { from: '2026-01-01', untill: 'now' },
      },
      sorting: { id: 'asc' },
      page: { size: 100 },
    })
    expect(problems.map(({ path, suggestion }) => [path.join('.'), suggestion])).toEqual([
      ['filter.statsu', 'status'],
      ['filter.status.1', 'inactive'],
      ['filter.status.2', undefined],
      ['filter.or.0.brandId', 'brand'],
      ['filter.or.1.cnk', undefined],
      ['filter.or.2', undefined],
      ['filter.not.search.querry', 'query'],
      ['filter.not.search.query', undefined],
      ['filter.not.search.locale', undefined],
      ['filter.createdAt.untill', 'until'],
      ['sorting.id', 'ASC'],
      ['page', undefined],
    ])
  })

  it('the problems of a request follow the document where sorting comes first', () => {
    const problems = check({ sorting: { idd: 'ASC' }, filter: { idd: 'M1' } })
    expect(problems.map(({ path }) => path)).toEqual([
      ['sorting', 'idd'],
      ['filter', 'idd'],
    ])
  })

  it.each([
    [
      { filter: { brandId: 1 } },
      /^unknown filter key "brandId", expected one of "id", "status", .*"and", "or", "not"$/,
    ],
    [
      { filter: { status: 'activ' } },
      'expected one of "active", "replaced", "inactive", or a list of them, got text "activ"',
    ],
    [{ filter: { status: ['activ'] } }, 'expected one of "active", "replaced", "inactive", got text "activ"'],
    [{ filter: { eanGtin13: 12345678901234 } }, /^expected an EAN-13 code \(13 digits, .*got number 12345678901234$/],
    [{ filter: { createdAt: 1767225600000 } }, /^expected a date-time .* got number 1767225600000$/],
    [{ filter: { createdAt: {} } }, 'expected "from", "until" or both, got an object'],
    [{ filter: { and: { id: 'M1' } } }, 'expected a list of filters, got an object'],
    [{ filter: { or: [] } }, 'expected a list of filters, got an empty list'],
    [{ filter: { not: [{ id: 'M1' }] } }, 'expected a filter object, got a list of 1'],
    [{ filter: { not: {} } }, 'expected a filter with at least one key, got an empty one'],
    [{ filter: null }, 'expected a filter object, got null'],
    [{ filter: { search: { query: 'a' } } }, 'expected a locale such as "nl" or "en_AU", got nothing'],
    [{ sorting: { price: 'ASC' } }, /^unknown sorting "price", expected one of "id", "cnk"/],
    [{ page: { size: 100 } }, 'unexpected, v4/products/stream is not read in pages'],
  ])('a request with a mistake has a problem that says what is wrong in %j', (request, message) => {
    const [problem, ...others] = check(request)
    expect(others).toEqual([])
    expect(problem?.message).toMatch(message)
  })

  it.each([undefined, null, 5, 'filter', [], [[]], true, { filter: Symbol('x') }, { filter: 5n }, new Date(0)])(
    'the check of a request never throws',
    (value) => {
      for (const name of someOf(endpointNames, stream, 'v3/products/search', 'v4/brands/query')) {
        for (const member of ['filter', 'sorting', 'page']) {
          expect(() => check({ [member]: value }, name)).not.toThrow()
          expect(() => check({ [member]: { id: value, and: value, or: [value], no: value } }, name)).not.toThrow()
        }
      }
    },
  )

  it('the check of a request survives a filter that holds itself, and one that is absurdly deep', () => {
    const cyclic: Record<string, unknown> = { status: 'active' }
    cyclic['not'] = cyclic
    let deep: object = { id: 'M1' }
    for (let level = 0; level < 50_000; level += 1) deep = { not: deep }
    for (const filter of [cyclic, deep]) {
      expect(check({ filter })).toEqual([
        { path: ['filter'], message: 'nested too deeply, expected at most 100 levels' },
      ])
    }
  })

  it('keys of the object prototype are unknown keys of a request', () => {
    const filter = JSON.parse('{"constructor": 1, "toString": 1, "hasOwnProperty": {"id": 1}}') as object
    expect(check({ filter }).map(({ path }) => path[1])).toEqual(['constructor', 'toString', 'hasOwnProperty'])
  })
})

describe('combinators', () => {
  const nest = (levels: number, leaf: object): object => {
    if (levels === 0) return leaf
    const inner = nest(levels - 1, leaf)
    return [{ and: [{ prescription: true }, inner] }, { or: [inner, { id: 'M1' }] }, { not: inner }][levels % 3]!
  }

  it.each([1, 2, 3, 4, 5])('combinators are accepted %i deep, and a mistake at the bottom is found', (levels) => {
    expect(check({ filter: nest(levels, { cnk: ['0123456'] }) })).toEqual([])
    const problems = check({ filter: nest(levels, { cnkk: ['0123456'] }) })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ suggestion: 'cnk' })
    expect(problems[0]!.path.at(-1)).toBe('cnkk')
    expect(problems[0]!.path.filter((key) => ['and', 'or', 'not'].includes(String(key)))).toHaveLength(levels)
  })

  it('combinators are accepted beside other keys, and several keys in one object', () => {
    const filter = { status: 'active', and: [{ brand: 1, prescription: true }], not: { cnk: 1 } }
    expect(check({ filter })).toEqual([])
  })

  it('combinators are unknown where a filter is a query string', () => {
    expect(check({ filter: { id: 'M1' } }, 'v4/products/find')).toEqual([])
    expect(check({ filter: { id: ['M1', 'M2'] } }, 'v4/products/find')).toHaveLength(1)
  })
})

describe('counts of codes', () => {
  it.each([
    { id: ids(3283) },
    { cnk: codes(3283), id: ids(2000) },
    { and: [{ eanGtin13: codes(1500) }, { and: [{ ean: codes(1500) }] }] },
    { or: [{ cnk: codes(500) }, { ean: codes(500) }] },
    { brand: codes(1000) },
  ])('a count of identifiers may be any where a list can be split over requests', (filter) => {
    expect(check({ filter })).toEqual([])
  })

  it('a count of codes of other keys is at most 1000', () => {
    expect(check({ filter: { not: { brand: codes(1001) } } })).toEqual([
      { path: ['filter', 'not', 'brand'], message: 'expected at most 1000 values, got 1001' },
    ])
  })

  it('a count of identifiers under "or" and "not" is at most 1000 in all', () => {
    const filter = { or: [{ cnk: codes(600) }, { and: [{ ean: codes(401) }] }, { id: ids(5) }], id: ids(5000) }
    expect(check({ filter })).toEqual([
      {
        path: ['filter', 'or', 1, 'and', 0, 'ean'],
        message:
          'expected at most 1000 codes in all under "or" and "not", which cannot be split over requests, got 1001',
      },
    ])
    expect(check({ filter: { not: { not: { id: ids(1001) } } } })).toHaveLength(1)
  })

  it('counts of codes are reported beside the wrong items of the same list', () => {
    const problems = check({ filter: { brand: [...codes(1001), 'x'] } })
    expect(problems.map(({ path }) => path)).toEqual([
      ['filter', 'brand'],
      ['filter', 'brand', 1001],
    ])
  })
})

describe('sortings', () => {
  const directions: [EndpointName, string[]][] = [
    ['v4/products/query', ['id', 'cnk', 'createdAt', 'touchedAt', 'statusTouchedAt', 'status']],
    ['v4/products/stream', ['id', 'cnk', 'createdAt', 'touchedAt', 'statusTouchedAt', 'status']],
    ['v3/products/search', ['id', 'cnk']],
    ['v3/products/export', ['id', 'cnk']],
    ['v4/updates/query', ['id', 'createdAt', 'sortOrder']],
    ['v4/corrections/query', ['touchedAt']],
  ]

  it.each(directions)('a sorting of %s takes ASC or DESC', (name, keys) => {
    for (const key of keys) {
      expect(check({ sorting: { [key]: 'ASC' } }, name)).toEqual([])
      expect(check({ sorting: { [key]: 'DESC' } }, name)).toEqual([])
      expect(check({ sorting: { [key]: 'desc' } }, name)).toMatchObject([
        { path: ['sorting', key], suggestion: 'DESC' },
      ])
      expect(check({ sorting: { [key]: { direction: 'ASC', locale: 'nl' } } }, name)).toHaveLength(1)
    }
    expect(check({ sorting: { price: 'ASC' } }, name)).toHaveLength(1)
  })

  it('a sorting of media, which the specification does not show, takes any key and a direction', () => {
    for (const key of ['id', 'createdAt', 'touchedAt', 'price']) {
      expect(check({ sorting: { [key]: 'DESC' } }, 'v4/media/stream')).toEqual([])
      expect(check({ sorting: { [key]: 'desc' } }, 'v4/media/stream')).toHaveLength(1)
    }
  })

  it('a sorting by name takes a direction and a locale', () => {
    expect(check({ sorting: { name: { direction: 'DESC', locale: 'nl' } } })).toEqual([])
    expect(check({ sorting: { name: 'ASC' } })).toHaveLength(1)
    expect(check({ sorting: { name: { direction: 'up' } } }).map(({ path }) => path)).toEqual([
      ['sorting', 'name', 'direction'],
      ['sorting', 'name', 'locale'],
    ])
  })

  it('a sorting is one object with one key', () => {
    expect(check({ sorting: {} })).toMatchObject([{ path: ['sorting'], message: 'expected one sorting, got none' }])
    expect(check({ sorting: [{ id: 'ASC' }] })).toHaveLength(1)
    expect(check({ sorting: { id: undefined } })).toHaveLength(1)
    expect(check({ sorting: { id: undefined, cnk: 'ASC' } })).toEqual([])
    expect(check({ sorting: { cnk: 'ASC', id: 'up' } })).toMatchObject([
      { path: ['sorting'], message: 'expected one sorting, got 2' },
      { path: ['sorting', 'id'] },
    ])
  })

  it('sortings are refused where the specification shows none', () => {
    expect(check({ sorting: { id: 'ASC' } }, 'v4/active-ingredients/query')).toEqual([
      { path: ['sorting'], message: 'unexpected, v4/active-ingredients/query takes none' },
    ])
  })
})

describe('pages of a request', () => {
  const paged = endpointNames.filter((name) => endpoints[name].page !== 'none')

  it.each(paged)('a page of %s has one of four sizes', (name) => {
    for (const size of [10, 50, 100, 250]) expect(check({ page: { no: 0, size } }, name)).toEqual([])
    for (const size of [0, 20, 500, '100', null]) expect(check({ page: { size } }, name)).toHaveLength(1)
    expect(check({ page: {} }, name)).toEqual([])
    expect(check({ page: { no: -1, siz: 5 } }, name)).toMatchObject([
      { path: ['page', 'no'] },
      { path: ['page', 'siz'], suggestion: 'size' },
    ])
  })

  it('a wrong page size suggests the nearest size', () => {
    expect(check({ page: { size: 500 } }, 'v4/products/query')).toEqual([
      { path: ['page', 'size'], message: 'expected one of 10, 50, 100, 250, got number 500', suggestion: '250' },
    ])
  })

  it('a page is refused by an endpoint that is not read in pages', () => {
    for (const name of endpointNames.filter((each) => endpoints[each].page === 'none')) {
      expect(check({ filter: { id: 'M1' }, page: { size: 100 } }, name).map(({ path }) => path[0])).toContain('page')
    }
  })
})

describe('members that are left out of a request', () => {
  it('a filter that is left out is no problem where there is a default', () => {
    for (const name of endpointNames.filter((each) => endpoints[each].read !== 'find')) {
      expect(check({}, name)).toEqual([])
    }
  })

  it('a filter that is left out is a problem where one record is asked for', () => {
    expect(check({}, 'v4/products/find')).toEqual([
      { path: ['filter'], message: 'expected a filter object, got nothing' },
    ])
  })
})
