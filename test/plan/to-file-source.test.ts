import { describe, expect, test } from 'vitest'
import { toFileSource } from '../../src/plan/to-file-source.ts'

const service = { baseUrl: '${URL}', keyId: '${ID}', keySecret: '${SECRET}', filter: { cnk: '${CNK}' } }
const toSource = (source: unknown, env = {}) => (toFileSource({ name: 'n', source }, ['a'], env) as Config).source

interface Config {
  readonly source: unknown
}

describe('files in place of an endpoint', () => {
  test('files replace the keys of requests except sourceIds, and get the contract of the endpoint', () => {
    const request = { sorting: {}, page: {}, partition: {}, timeouts: {}, retries: 3, maxLineBytes: 5 }
    const config = { name: 'n', sourceIds: { file: 'a.csv', column: 'cnk' }, locales: ['nl'] }
    const source = { endpoint: 'v3/products/export', ...service, ...request }
    expect(toFileSource({ ...config, source }, ['b', '*.gz'], {})).toEqual({
      name: 'n',
      sourceIds: { file: 'a.csv', column: 'cnk' },
      locales: ['nl'],
      source: { contract: 'v3/product', maxLineBytes: 5, files: ['b', '*.gz'] },
    })
  })

  test('files replace an endpoint that comes from the environment', () => {
    const endpoint = '${ENDPOINT:-v4/media/stream}'
    expect(toSource({ endpoint })).toEqual({ contract: 'v4/media', files: ['a'] })
    expect(toSource({ endpoint }, { ENDPOINT: 'v4/colors/query' })).toEqual({ contract: 'v4/color', files: ['a'] })
  })

  test('files keep the contract of the config if the endpoint has none', () => {
    const source = { endpoint: 'v4/users/query', contract: 'v4/brand', ...service }
    expect(toSource(source)).toEqual({ contract: 'v4/brand', files: ['a'] })
  })

  test('files keep other keys of the source, so that mistakes are found', () => {
    const source = { endpoint: 'v4/colors/query', ...service, maxLineByte: 5 }
    expect(toSource(source)).toEqual({ contract: 'v4/color', maxLineByte: 5, files: ['a'] })
    expect(toSource({ endpoint: 'v4/colours', ...service })).toEqual({ endpoint: 'v4/colours' })
  })

  test('files replace other files', () => {
    const source = { files: 'b', contract: 'v4/brand', format: 'json', filter: {} }
    expect(toSource(source)).toEqual({ ...source, files: ['a'] })
  })

  test('paths of files are not interpolated', () => {
    const { source } = toFileSource({ source: {} }, ['a/${B}/$${c}'], {}) as Config
    expect(source).toEqual({ files: ['a/$${B}/$$${c}'] })
  })

  test.each([null, 'text', [], {}, { source: 'text' }])('data that is not a config stays unchanged: %j', (value) => {
    expect(toFileSource(value, ['a'], {})).toBe(value)
  })
})
