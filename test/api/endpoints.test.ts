import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { checkEndpointName, endpointNames, endpoints } from '../../src/api/endpoints.ts'
import { checkRequest, type FilterOf, type SortingOf } from '../../src/api/check-request.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { listRequestNotes } from '../../src/api/list-request-notes.ts'
import { operationsNotOffered } from '../../src/api/operations-not-offered.ts'
import { createRequestSchema } from '../../src/api/request-schema.ts'

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
    expect(endpoint.openKeys && endpoint.assumption === undefined).toBe(false)
    expect(endpoint.contract === null || endpoint.contract.slice(0, 3) === endpoint.name.slice(0, 3)).toBe(true)
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
    expect([filter, unknown, open, sorting]).toHaveLength(4)
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

describe('endpoints whose parameters are not shown', () => {
  const request = {
    filter: { id: 5, serach: 'x', or: [{ parent: 3 }, { not: { active: true } }] },
    sorting: { order: 'ASC' },
  }

  it('endpoints whose parameters are not shown accept keys of their own, and say which', () => {
    expect(checkRequest('v4/brands/query', request, { now })).toEqual([])
    expect(
      listRequestNotes('v4/brands/query', request).map(({ path, suggestion }) => [path.join('.'), suggestion]),
    ).toEqual([
      ['filter.serach', 'search'],
      ['filter.or.0.parent', undefined],
      ['filter.or.1.not.active', undefined],
      ['sorting.order', undefined],
    ])
  })

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
