import { describe, expect, test } from 'vitest'
import * as streams from '../../src/streams.ts'

/** The stages as a caller without types sees them. */
const stages = streams as unknown as Record<string, (...options: unknown[]) => unknown>
const contract = streams.contracts['v4/product']
const noContract = "contract such as contracts['v4/product'], got"

describe('a stage that is called without types', () => {
  test.each([
    ['readRows', [], 'an object of options, got nothing'],
    ['readRows', [{ table: 'products' }], `a ${noContract} nothing`],
    ['readRows', [{ contract: 'v4/product', table: 'products' }], `a ${noContract} text "v4/product"`],
    ['readRows', [{ contract }], 'table with the name of a table such as "products", got nothing'],
    ['readRows', [{ contract, table: 'products', onReject: true }], 'onReject to be a function, got true'],
    ['columnsOf', [], 'an object of options, got nothing'],
    ['columnsOf', [{ contract: undefined, table: 'products' }], `a ${noContract} nothing`],
    ['flattenRecords', [], 'an object of options, got nothing'],
    ['flattenRecords', [{ contract }], 'table with the name of a table such as "products", got nothing'],
    ['validateRecords', [], `a ${noContract} nothing`],
    ['validateRecords', [contract, { onDrift: 'report' }], 'onDrift to be a function, got text "report"'],
    ['trackCompleteness', [{ onEnd: 1 }], 'onEnd to be a function, got number 1'],
    ['toParquet', [], 'an object of options, got nothing'],
    ['toParquet', [{}], 'columns with their types, as columnsOf gives them, got nothing'],
    ['toParquet', [{ columns: ['id'] }], 'columns with their types, as columnsOf gives them, got a list of 1'],
    ['toCsv', [{ columns: 'id' }], 'columns to be a list of names or columns, got text "id"'],
  ])('%s of %j throws USAGE with what was expected', (name, options, expected) => {
    expect(() => stages[name]?.(...options)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(`: expected ${expected}`),
        fix: expect.stringContaining('docs/library.md'),
      }),
    )
  })
})
