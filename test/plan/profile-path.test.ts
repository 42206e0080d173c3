import { expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { checkConfig, planPipeline } from '../../src/plan/plan-pipeline.ts'

const base = { name: 'x', source: { files: 'x.ndjson', contract: 'v4/product' } } as const

const profilePath = (config: Partial<PipelineConfig>): string | undefined =>
  planPipeline({ ...base, ...config }).report.profile?.path

test("the profile is beside the manifest, with the manifest's name if it is not the default", () => {
  expect(profilePath({})).toBe('out/x/_profile.json')
  expect(profilePath({ profile: true })).toBe('out/x/_profile.json')
  expect(profilePath({ manifest: { path: 'other/_manifest.json' } })).toBe('other/_profile.json')
  expect(profilePath({ manifest: { path: 'other/run.json' } })).toBe('other/run.json.profile.json')
})

test('the profile of a pipeline in a bucket is an object beside the manifest', () => {
  const outputs = [{ format: 'csv', path: 's3://warehouse/{table}.csv' }] as const
  expect(profilePath({ outputs: [...outputs] })).toBe('s3://warehouse/_profile.json')
})

test('the profile has a path of its own, or none', () => {
  expect(profilePath({ profile: { path: 'else/{pipeline}.json' } })).toBe('else/x.json')
  expect(profilePath({ profile: false })).toBeUndefined()
})

test('a profile with the path of the manifest is a problem of the config', () => {
  const config = { ...base, manifest: { path: 'out/m' }, profile: { path: 'out/m' } }
  expect(checkConfig(config).problems.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['profile.path', 'the profile and the manifest would both be "out/m": give one of them another path'],
  ])
})
