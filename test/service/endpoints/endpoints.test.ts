import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  checkEndpointName,
  endpointNames,
  endpoints,
  type EndpointName,
} from '../../../src/service/endpoints/endpoints.ts'
import { checkRequest, type FilterOf, type SortingOf } from '../../../src/service/endpoints/check-request.ts'
import type { Endpoint } from '../../../src/service/endpoints/endpoint.ts'
import { listRequestNotes } from '../../../src/service/endpoints/list-request-notes.ts'
import { operationsNotOffered } from '../../../src/service/endpoints/operations-not-offered.ts'
import { createRequestSchema } from '../../../src/service/endpoints/request-schema.ts'

const now = new Date('2026-03-01T12:00:00Z')
const all: Endpoint[] = Object.values(endpoints)

describe('the endpoint table', () => {
  it('the endpoint table has every endpoint of the specification that returns data', () => {
    expect(all.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [
        'POST /v4/products/query',
        'POST /v4/products/stream',
        'GET /v4/products/find',
        'GET /v4/products/get-fields',
        'POST /v4/product/attributes/query',
        'GET /v4/product/attributes/find',
        'POST /v4/product/attribute/options/query',
        'GET /v4/product/attribute/options/find',
        'POST /v4/media/query',
        'POST /v4/media/stream',
        'GET /v4/media/find',
        'GET /v4/media/get-fields',
        'POST /v4/organizations/query',
        'GET /v4/organizations/find',
        'POST /v4/users/query',
        'POST /v4/subscription-types/query',
        'POST /v4/corrections/query',
        'GET /v4/corrections/find',
        'GET /v4/corrections/types',
        'POST /v4/brands/query',
        'GET /v4/brands/find',
        'POST /v4/public-categories/query',
        'POST /v4/catalog-categories/query',
        'POST /v4/dietary-restrictions/query',
        'POST /v4/colors/query',
        'POST /v4/bcfi-categories/query',
        'POST /v4/product-families/query',
        'POST /v4/active-ingredients/query',
        'POST /v4/updates/query',
        'POST /v3/products/search',
        'POST /v3/products/export',
        'GET /v3/products/get',
        'GET /v3/products/minimum-content',
        'GET /v3/apb-categories/all',
        'GET /v3/bcfi-categories/all',
        'GET /v3/brands/all',
        'GET /v3/organizations/all',
        'GET /v3/public-categories/all',
        'GET /v3/attributes/all',
        'GET /v3/active-ingredients/all',
        'GET /v3/corrections/get',
        'GET /v3/corrections/types/all',
        'POST /v3/news-items/search',
      ].toSorted(),
    )
  })

  it.each(all)('the endpoint table is consistent for $name', (endpoint) => {
    expect(endpoint.path).toBe(`/${endpoint.name}`)
    expect(endpoint.combinators).toBe(endpoint.method === 'POST')
    expect(endpoint.page === 'none').toBe(endpoint.read !== 'paged')
    expect(endpoint.openKeys === true && endpoint.assumption === undefined).toBe(false)
    expect(endpoint.contract === 'raw' || endpoint.contract.slice(0, 3) === endpoint.name.slice(0, 3)).toBe(true)
  })

  it('the endpoint table has a right default for every filter and sorting that must be sent, but not for a single record', () => {
    const required = endpointNames.filter((name) => endpoints[name].sorting === 'required')
    expect(required).toEqual(['v4/products/query', 'v4/products/stream', 'v4/media/query', 'v4/media/stream'])
    for (const name of required) {
      const { defaultFilter: filter, defaultSorting: sorting }: Endpoint = endpoints[name]
      expect([filter, sorting]).toEqual([{}, { id: 'ASC' }])
      expect(checkRequest(name, { filter, sorting }, { now })).toEqual([])
    }
    const without = all.filter(({ filter, defaultFilter }) => filter === 'required' && defaultFilter === null)
    expect(without).toEqual(all.filter(({ read }) => read === 'find'))
  })

  it.each(all)('the endpoint table gives a JSON Schema for $name', (endpoint) => {
    const schema = z.toJSONSchema(createRequestSchema(endpoint), { io: 'input' })
    expect(Object.keys(schema.properties ?? {})).toEqual(['filter', 'sorting', 'page'])
    expect(schema.required ?? []).toEqual(endpoint.read === 'find' ? ['filter'] : [])
  })

  it('the endpoint table types filters and sortings', () => {
    const filter: FilterOf<'v4/products/stream'> = { status: ['active'], or: [{ cnk: 123 }, { not: { brand: 1 } }] }
    expectTypeOf(filter.status).not.toBeAny()
    // @ts-expect-error a status that does not exist
    expectTypeOf<{ status: 'gone' }>().toExtend<FilterOf<'v4/products/stream'>>()
    // @ts-expect-error no such key
    const unknown: FilterOf<'v4/products/stream'> = { brandId: 1 }
    const open: FilterOf<'v4/brands/query'> = { somethingElse: 1 }
    const sorting: SortingOf<'v4/products/query'> = { name: { direction: 'ASC', locale: 'nl' } }
    const openSorting: SortingOf<'v4/brands/query'> = { order: 'DESC' }
    const market: FilterOf<'v3/products/export'> = { pzn: '1', or: [{ snomedId: 5 }] }
    const marketSorting: SortingOf<'v4/products/stream'> = { artgId: 'ASC' }
    // @ts-expect-error a direction
    const upwards: SortingOf<'v4/brands/query'> = { order: 'UP' }
    // @ts-expect-error a key of other markets, where no consumer has sent it
    const news: FilterOf<'v4/updates/query'> = { pzn: '1' }
    const typed = [filter, unknown, open, sorting, openSorting, market, marketSorting, upwards, news]
    expect(typed).toHaveLength(9)
  })
})

describe('operations that are not offered', () => {
  it('operations that are not offered are the 22 others that the specification names', () => {
    expect(operationsNotOffered).toHaveLength(22)
    const offered = new Set(all.map(({ path }) => path))
    expect(operationsNotOffered.filter(({ path }) => offered.has(path))).toEqual([])
    // 66 paths are named; one is that of `users create`.
    expect(offered.size + operationsNotOffered.length + 1).toBe(66)
  })

  it.each(['v4/products/create', '/v4/products/create'])('operations that are not offered say why as "%s"', (name) => {
    expect(checkEndpointName(name)?.message).toMatch(/^"v4\/products\/create" is not offered: It changes data/)
  })
})

describe('checkEndpointName', () => {
  it('checkEndpointName accepts every name of the table', () => {
    for (const name of endpointNames) expect(checkEndpointName(name)).toBeUndefined()
  })

  it.each([
    ['v4/product/stream', 'v4/products/stream'],
    ['/v4/products/stream', 'v4/products/stream'],
    ['v4/products/Stream', 'v4/products/stream'],
    ['products/export', 'v3/products/export'],
  ])('checkEndpointName suggests what "%s" may mean', (name, suggestion) => {
    expect(checkEndpointName(name)).toMatchObject({ path: [], suggestion })
  })

  it.each(['v4/products/create!', 'toString', '', 5, null, undefined])('checkEndpointName refuses %j', (name) => {
    expect(checkEndpointName(name)?.message).toMatch(/^unknown endpoint, expected one that .*, got /)
  })
})

function toNote(key: string): string {
  return `"${key}" is sent unchecked, as the specification does not show what v4/brands/query takes`
}

describe('endpoints whose parameters are not shown', () => {
  const request = {
    filter: { id: 5, search: 'x', or: [{ parent: 3 }, { not: { active: true } }] },
    sorting: { order: 'ASC' },
  }

  it('endpoints whose parameters are not shown accept keys of their own, and say which', () => {
    expect(checkRequest('v4/brands/query', request, { now })).toEqual([])
    expect(listRequestNotes('v4/brands/query', request).map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['filter.or.0.parent', toNote('parent')],
      ['filter.or.1.not.active', toNote('active')],
      ['sorting.order', toNote('order')],
    ])
  })

  it.each<[EndpointName, object, string, string]>([
    ['v4/brands/query', { filter: { or: [{ serach: 'x' }] } }, 'filter.or.0.serach', 'search'],
    ['v4/media/stream', { filter: { photoTypes: 'packshot' } }, 'filter.photoTypes', 'photoType'],
    ['v4/media/query', { sorting: { createAt: 'ASC' } }, 'sorting.createAt', 'createdAt'],
    [
      'v4/products/query',
      { filter: { search: { query: 'a', locale: 'nl', type: 'contain' } } },
      'filter.search.type',
      'contains',
    ],
    ['v4/products/query', { filter: { hasContent: { flag: 'naem', locale: 'nl' } } }, 'filter.hasContent.flag', 'name'],
  ])('endpoints whose parameters are not shown refuse misspelt ones: %s %j', (name, wrong, path, suggestion) => {
    expect(checkRequest(name, wrong, { now })).toMatchObject(
      [{ path: path.split('.'), suggestion }].map((problem) => ({
        ...problem,
        path: problem.path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
      })),
    )
  })

  it('choices that are not shown are sent with a note: flags of hasContent, types of search, keys of media', () => {
    const products = {
      filter: {
        hasContent: { flag: 'descriptions', locale: 'nl' },
        search: { query: 'a', locale: 'nl', type: 'exact' },
      },
    }
    expect(checkRequest('v4/products/stream', products, { now })).toEqual([])
    expect(listRequestNotes('v4/products/stream', products).map(({ path }) => path.join('.'))).toEqual([
      'filter.hasContent.flag',
      'filter.search.type',
    ])
    const shown = {
      filter: { hasContent: { flag: 'name', locale: 'nl' }, search: { query: 'a', locale: 'nl', type: 'contains' } },
    }
    expect(listRequestNotes('v4/products/stream', shown)).toEqual([])
    const media = { filter: { touchedAt: '-7d', formats: ['huge'] }, sorting: { popularity: 'DESC' } }
    expect(checkRequest('v4/media/stream', media, { now })).toEqual([])
    expect(listRequestNotes('v4/media/stream', media).map(({ path }) => path.join('.'))).toEqual([
      'filter.formats',
      'sorting.popularity',
    ])
  })

  it.each<EndpointName>(['v4/products/query', 'v4/products/stream', 'v3/products/search', 'v3/products/export'])(
    'keys of other markets are sent to %s with a note, and no other key that it does not list',
    (name) => {
      const filter = { and: [{ pzn: '00012345' }, { not: { snomedConcept: [1] } }, { productFamilies: [7] }] }
      const sorting = { artgId: 'ASC' }
      expect(checkRequest(name, { filter, sorting }, { now })).toEqual([])
      expect(listRequestNotes(name, { filter, sorting }).map(({ path }) => path.at(-1))).toEqual([
        'pzn',
        'snomedConcept',
        'productFamilies',
        'artgId',
      ])
      const wrong = { filter: { pzm: 1, or: [{ pbss: 1 }] }, sorting: { pzn: 'up' } }
      expect(checkRequest(name, wrong, { now }).map(({ path }) => path.join('.'))).toEqual([
        'filter.pzm',
        'filter.or.0.pbss',
        'sorting.pzn',
      ])
      expect(checkRequest('v4/updates/query', { filter: { pzn: 1 } }, { now })).toHaveLength(1)
    },
  )

  it('endpoints whose parameters are not shown still have their known keys and every direction checked', () => {
    const wrong = { filter: { id: 'x', anything: 1 }, sorting: { order: 'up' } }
    expect(checkRequest('v4/brands/query', wrong, { now }).map(({ path }) => path)).toEqual([
      ['filter', 'id'],
      ['sorting', 'order'],
    ])
  })

  it('endpoints whose parameters are not shown are the only ones with unchecked keys', () => {
    expect(listRequestNotes('v4/products/stream', request)).toEqual([])
    expect(listRequestNotes('v4/brands/query', { filter: 5, sorting: null })).toEqual([])
  })
})
