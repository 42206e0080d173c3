import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { listTargetColumns } from '../../../src/loads/databases/load-statements.ts'
import { cases } from '../../depth.ts'
import { LoadModel, modelTables } from './load-model.ts'
import { bringLoads, modelLoads, modelModes } from './model-loads.ts'
import { readLines, startDatabase, testedFormats } from './targets.ts'

describe.each(testedFormats)('%s', (format) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeAll(async () => (database = await startDatabase(format)))
  afterAll(() => database.stop())

  test.each(modelModes)('a series of loads of mode $mode ($removed) leaves the rows of the model', async (mode) => {
    await fc.assert(
      fc.asyncProperty(modelLoads, async (loads) => {
        const target = database.createTarget()
        const plan: DatabaseOutputPlan = { target, pipeline: "it's", ...mode, tables: modelTables }
        const brought = bringLoads(plan, new LoadModel(plan), loads, ({ name }, table) =>
          readLines(database, target, name, listTargetColumns(plan, table)),
        )
        for await (const { found, wanted } of brought) expect(found).toEqual(wanted)
      }),
      { numRuns: cases(2, 1) },
    )
  })
})
