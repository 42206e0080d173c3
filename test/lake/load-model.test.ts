import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LakeOutputPlan, listLakeColumns } from '../../src/lake/lake-plan.ts'
import { cases } from '../depth.ts'
import { LoadModel, modelTables } from '../loads/databases/load-model.ts'
import { bringLoads, modelLoads, modelModes } from '../loads/databases/model-loads.ts'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import { product } from './lake-rig.ts'
import { readDeltaLines } from './readers/read-delta.ts'
import { readIcebergLines } from './readers/read-iceberg.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'lake-'))))
afterAll(() => rm(folder, { recursive: true }))

let number = 0

const formats = [
  { format: 'delta', read: readDeltaLines },
  { format: 'iceberg', read: readIcebergLines },
] as const
const kinds = formats.flatMap((format) => (['rewrite', 'vectors'] as const).map((deletes) => ({ ...format, deletes })))
const lakes = kinds
  .flatMap((kind) => modelModes.map((mode) => ({ ...kind, ...mode })))
  .filter(({ deletes, mode }) => deletes === 'rewrite' || mode === 'merge' || mode === 'history')

/** So many that deleting a few of others does not write a file anew. */
const steady = Array.from({ length: 100 }, (_, at) => product(`steady ${at}`, 'same', ['x', 'y']))

test.each(lakes)(
  'a series of loads of mode $mode ($removed) leaves the rows of the model in a lake of $format ($deletes)',
  async ({ format, read, deletes, ...mode }) => {
    await fc.assert(
      fc.asyncProperty(modelLoads, async (loads) => {
        const path = join(folder, String(++number), '{table}')
        const target = { format, path, compression: 'zstd', deletes } as const
        const plan: LakeOutputPlan = { target, pipeline: 'nightly', ...mode, tables: modelTables }
        const model = new LoadModel({ ...mode, keepsTouched: true })
        const readTable = (table: KeyedTable) => read(path.replace('{table}', table.name), listLakeColumns(plan, table))
        const brought = bringLoads(plan, model, loads, readTable, deletes === 'vectors' ? steady : [])
        for await (const { found, wanted } of brought) expect(found).toEqual(wanted)
      }),
      { numRuns: cases(2, 1) },
    )
  },
)
