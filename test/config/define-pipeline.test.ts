import { describe, expect, expectTypeOf, test } from 'vitest'
import { checkPipeline } from '../../src/plan/check-pipeline.ts'
import { definePipeline } from '../../src/config/define-pipeline.ts'
import type { PipelineConfig } from '../../src/config/pipeline-config.ts'
import type { PipelineInput } from '../../src/config/schemas/pipeline-schema.ts'

const name = 'typed'
const access = { baseUrl: '${CATALOGUE_URL}', keyId: '${KEY_ID}', keySecret: '${KEY_SECRET}' }

describe('the type of a pipeline config', () => {
  test('PipelineConfig, made from the schema with a comment on each key, is the type that zod infers', () => {
    expectTypeOf<PipelineConfig>().toEqualTypeOf<PipelineInput>()
  })

  test('definePipeline compiles configs that check finds nothing wrong with', () => {
    const configs = [
      definePipeline({ name, source: { files: ['a.ndjson'], contract: 'v4/product' } }),
      definePipeline({
        name,
        source: {
          ...access,
          endpoint: 'v4/products/stream',
          filter: { status: ['active'], updatedSince: '-24h', or: [{ cnk: 123 }, { not: { brand: '${BRAND}' } }] },
          sorting: { name: { direction: 'ASC', locale: 'nl' } },
        },
      }),
      definePipeline({ name, source: { ...access, endpoint: 'v4/brands/query', filter: { id: [1], notShown: true } } }),
      definePipeline({ name, source: { ...access, endpoint: 'v4/brands/query', sorting: { notShown: 'DESC' } } }),
      definePipeline({
        name,
        source: { ...access, endpoint: 'v4/media/stream', filter: { touchedAt: '-7d', other: 1 } },
      }),
      definePipeline({
        name,
        source: {
          ...access,
          endpoint: 'v4/products/stream',
          filter: { pzn: '1', snomedId: 5 },
          sorting: { artgId: 'ASC' },
        },
      }),
      definePipeline({ name, source: { ...access, endpoint: 'v3/brands/all' } }),
    ]
    const env = { CATALOGUE_URL: 'http://localhost', KEY_ID: 'id', KEY_SECRET: 'a secret text', BRAND: '7' }
    for (const config of configs) {
      expect(checkPipeline(config, { env, needsService: true, now: 0 }).problems).toEqual([])
    }
  })

  test('a misspelt name does not compile, and check finds it at run time', () => {
    const configs = [
      // @ts-expect-error an endpoint
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/strem' } }),
      // @ts-expect-error a contract
      definePipeline({ name, source: { files: 'a.ndjson', contract: 'v4/produkt' } }),
      // @ts-expect-error a filter key
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', filter: { statuss: ['active'] } } }),
      // @ts-expect-error a value of an enum filter
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', filter: { status: ['activ'] } } }),
      // @ts-expect-error a filter key inside of a combination
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', filter: { or: [{ cnkk: 1 }] } } }),
      // @ts-expect-error a sorting
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', sorting: { idd: 'ASC' } } }),
      // @ts-expect-error a direction
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', sorting: { id: 'ASCENDING' } } }),
      // @ts-expect-error a key of the source
      definePipeline({ name, source: { ...access, endpoint: 'v4/products/stream', filters: {} } }),
      // @ts-expect-error a key of the config
      definePipeline({ name, sources: {}, source: { files: 'a.ndjson', contract: 'v4/product' } }),
      // @ts-expect-error files and an endpoint at once
      definePipeline({ name, source: { files: 'a.ndjson', endpoint: 'v4/products/stream', contract: 'v4/product' } }),
    ]
    const env = { CATALOGUE_URL: 'http://localhost', KEY_ID: 'id', KEY_SECRET: 'a secret text' }
    for (const config of configs) {
      expect(checkPipeline(config, { env, needsService: true, now: 0 }).problems).not.toEqual([])
    }
  })
})
