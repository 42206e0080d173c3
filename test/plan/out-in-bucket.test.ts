import { expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { checkConfig, planPipeline } from '../../src/plan/plan-pipeline.ts'

const base = { name: 'x', source: { files: 'x.ndjson', contract: 'v4/product' } } as const
const outDir = 's3://warehouse/nightly/'

test('a prefix of a bucket takes the place of out/ in every path', () => {
  const plan = planPipeline({ ...base, profile: { path: 'out/p.json' } }, { outDir })
  expect(plan.outputs.files.map(({ path }) => path)).toContain('s3://warehouse/nightly/x/products.csv')
  expect([
    plan.report.manifest.path,
    plan.report.rejects.path,
    plan.report.profile?.path,
    plan.report.page?.path,
  ]).toEqual([
    's3://warehouse/nightly/x/_manifest.json',
    's3://warehouse/nightly/x/_rejects.ndjson',
    's3://warehouse/nightly/p.json',
    's3://warehouse/nightly/x/_report.html',
  ])
})

test('a database is a file on a machine, not an object', () => {
  const outputs: PipelineConfig['outputs'] = [{ format: 'duckdb', path: 'out/x.duckdb' }]
  expect(checkConfig({ ...base, outputs }, { outDir }).problems).toContainEqual({
    path: ['outputs', 0, 'path'],
    message: 'expected a file on this machine, got s3://warehouse/nightly/x.duckdb',
  })
})
