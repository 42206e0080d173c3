import { expect, test } from 'vitest'
import { endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import { toHttpRequest, type SourceRequest } from '../../../src/service/http/http-request.ts'
import { toReadStrategy } from '../../../src/service/read/read-endpoint.ts'

const request = (name: EndpointName, filter: SourceRequest['filter'], sorting: SourceRequest['sorting'] = null) =>
  toHttpRequest(endpoints[name], { filter, sorting })

test('a required filter and sorting of a request are sent, empty ones too', () => {
  expect(request('v4/products/stream', {}, { id: 'ASC' })).toEqual({
    method: 'POST',
    path: '/v4/products/stream',
    body: { filter: {}, sorting: { id: 'ASC' } },
  })
})

test('an optional filter or sorting of a request that equals the default is left out', () => {
  expect(request('v4/updates/query', {}, { id: 'ASC' }).body).toEqual({})
  expect(request('v4/updates/query', { id: 1 }, { id: 'DESC' }).body).toEqual({
    filter: { id: 1 },
    sorting: { id: 'DESC' },
  })
  // The default order is none that the endpoint can be asked for.
  expect(request('v4/corrections/query', null, { id: 'ASC' }).body).toEqual({})
})

test('a page of a request is sent in the body', () => {
  const { body } = toHttpRequest(endpoints['v4/brands/query'], { filter: null, sorting: null }, { no: 2, size: 50 })
  expect(body).toEqual({ page: { no: 2, size: 50 } })
})

test('a GET request has its filter in the query string', () => {
  expect(request('v4/products/find', { id: 'M1', locale: ['nl', 'fr'], deep: { a: 1 }, yes: true })).toEqual({
    method: 'GET',
    path: '/v4/products/find?id=M1&locale=nl&locale=fr&deep=%7B%22a%22%3A1%7D&yes=true',
  })
  expect(request('v3/brands/all', null).path).toBe('/v3/brands/all')
})

test.each([
  ['v4/products/stream', 'stream'],
  ['v3/products/export', 'stream'],
  ['v4/products/query', 'pages'],
  ['v3/products/search', 'pages'],
  ['v4/updates/query', 'document'],
  ['v4/brands/query', 'document'],
  ['v3/brands/all', 'document'],
  ['v4/media/find', 'find'],
] as const)('endpoint %s is read as %s', (name, way) => {
  expect(toReadStrategy(endpoints[name], { page: null })).toBe(way)
})

test('a list that is asked for with a page is read in pages', () => {
  expect(toReadStrategy(endpoints['v4/updates/query'], { page: { size: 10 } })).toBe('pages')
})
