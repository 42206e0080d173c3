import { expect, test } from 'vitest'
import { pipelineShape, rareSections } from '../../src/config/schemas/pipeline-schema.ts'

test('a rare section that a config lacks is valid and has no value, as `check` assumes without its schema', () => {
  const without = Object.entries(pipelineShape).filter(([, schema]) => {
    const { success, data } = schema.safeParse(undefined)
    return success && data === undefined
  })
  expect(without.map(([key]) => key)).toEqual(expect.arrayContaining(rareSections))
})
