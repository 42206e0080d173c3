import { expect, test } from 'vitest'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'

test.each([
  [undefined, null],
  ['20%', { percent: 20, severity: 'warn' }],
  ['±20%', { percent: 20, severity: 'warn' }],
  ['+/- 20 %', { percent: 20, severity: 'warn' }],
  ['+-0.7%', { percent: 0.7, severity: 'warn' }],
  [0.07, { percent: 7, severity: 'warn' }],
  [
    { within: '±40%', severity: 'error' as const },
    { percent: 40, severity: 'error' },
  ],
] satisfies [PipelineConfig['expectVolume'], object | null][])(
  'expectVolume: %o is planned as %o',
  (expectVolume, planned) => {
    const source = { files: 'in.ndjson', contract: 'v4/brand' } as const
    const plan = planPipeline({ name: 'brands', source, expectVolume })
    expect(plan.limits.volume).toEqual(planned)
    expect(plan.outputs.configHash).toBe(planPipeline({ name: 'brands', source }).outputs.configHash)
  },
)
