import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  checkPipeline,
  contractNames,
  endpointNames,
  endpoints,
  isEndpointName,
  type EndpointName,
} from '../../src/index.ts'

describe('endpoints of the library', () => {
  test('every endpoint is plain data under its name', () => {
    expect(Object.keys(endpoints)).toEqual(endpointNames)
    expect(JSON.parse(JSON.stringify(endpoints))).toEqual(endpoints)
    const found = Object.values(endpoints)
    expect(found.map(({ name, path }) => ({ name, path }))).toEqual(
      endpointNames.map((name) => ({ name, path: `/${name}` })),
    )
    expect([...contractNames, null]).toEqual(expect.arrayContaining(found.map(({ contract }) => contract)))
  })

  test('an endpoint says which filters and sortings it takes, and what is assumed of it', () => {
    expect(endpoints['v4/products/stream']).toMatchObject({
      method: 'POST',
      contract: 'v4/product',
      read: 'stream',
      needs: { filter: 'required', sorting: 'required', page: 'none' },
      sortings: ['id', 'cnk', 'createdAt', 'touchedAt', 'statusTouchedAt', 'status', 'name'],
      assumption: 'Filter and sorting are assumed to be those of v4/products/query.',
      deprecated: null,
    })
    expect(endpoints['v4/products/stream'].filters['status']).toMatch(/"active".*or a list of them/)
  })

  test('isEndpointName narrows text to a name of an endpoint', () => {
    const text: string = 'v4/products/stream'
    expect(isEndpointName(text)).toBe(true)
    expect(isEndpointName('v4/products/strem')).toBe(false)
    expectTypeOf(isEndpointName).guards.toEqualTypeOf<EndpointName>()
  })
})

describe('checkPipeline of the library', () => {
  test('checkPipeline gives every problem with its place, and needs no secrets', () => {
    const source = { endpoint: 'v4/products/stream', baseUrl: '${UNSET_URL}', filter: { statuss: ['active'] } }
    const { problems, notes } = checkPipeline({ name: 'products', source, tabels: {} }, { env: {} })
    expect(problems).toEqual([
      expect.objectContaining({ path: ['source', 'filter', 'statuss'], suggestion: 'status' }),
      expect.objectContaining({ path: ['tabels'], suggestion: 'tables' }),
    ])
    expect(notes).toContainEqual(
      expect.objectContaining({ message: 'source: keyId and keySecret are missing: it can run only --from files' }),
    )
  })

  test('checkPipeline of what a run needs also finds variables that are not set', () => {
    const source = {
      endpoint: 'v4/products/stream',
      baseUrl: '${UNSET_URL}',
      keyId: 'id',
      keySecret: 'a secret of the test',
    } as const
    const config = { name: 'products', source }
    expect(checkPipeline(config, { env: {} }).problems).toEqual([])
    expect(checkPipeline(config, { env: {}, needsService: true }).problems).toEqual([
      expect.objectContaining({ path: ['source', 'baseUrl'] }),
    ])
  })

  test.each([null, undefined, 'text', [], 7])('checkPipeline never throws, also for %j', (config) => {
    expect(checkPipeline(config, { env: {} }).problems).not.toEqual([])
  })
})
