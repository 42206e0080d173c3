import { expect, test } from 'vitest'
import { pipelineShape, rareSections } from '../../src/config/pipeline-schema.ts'

test('sections whose schema is made only for those who write them are valid and have no value without', () => {
  const without = Object.entries(pipelineShape).filter(([, schema]) => {
    const { success, data } = schema.safeParse(undefined)
    return success && data === undefined
  })
  expect(without.map(([key]) => key)).toEqual(expect.arrayContaining(rareSections))
})
