import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLakeColumns } from '../../src/lake/delta/lake-plan.ts'
import type { LakeOutputPlan } from '../../src/lake/delta/lake-plan.ts'
import { cases } from '../depth.ts'
import { LoadModel, type ModelRecord, modelTables, toRows } from '../loads/databases/load-model.ts'
import { anyLoad, loadRows } from '../loads/databases/load-rows.ts'
import { readDeltaLines } from './read-delta.ts'

const day = 86_400_000
const firstStart = Date.parse('2026-03-01T00:00:00Z')

const record: fc.Arbitrary<ModelRecord> = fc.record({
  id: fc.constantFrom('A', 'B', "C'", '\\D', 'é\n', 'E', 'F', 'G', 'H', 'I', 'J', 'K'),
  name: fc.constantFrom(null, '', 'aspirin', 'tab\tand\\N'),
  photos: fc.array(fc.constantFrom('a', 'NULL', '"{,}\\', ''), { maxLength: 2 }),
  updatedAt: fc.option(fc.integer({ min: 0, max: 8 }).map((days) => firstStart + (days - 3) * day)),
})

const load = fc.record({
  kind: fc.constantFrom('full' as const, 'delta' as const),
  records: fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 3, maxLength: 12 }),
  isRepeated: fc.boolean(),
})

const modes: Pick<LakeOutputPlan, 'mode' | 'removed'>[] = [
  { mode: 'merge', removed: 'drop' },
  { mode: 'merge', removed: 'mark' },
  { mode: 'history', removed: 'drop' },
  { mode: 'append', removed: 'drop' },
  { mode: 'snapshot', removed: 'drop' },
]

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'lake-'))))
afterAll(() => rm(folder, { recursive: true }))

let number = 0

test.each(modes)('a series of loads of mode $mode ($removed) leaves the rows of the model in a lake', async (mode) => {
  await fc.assert(
    fc.asyncProperty(fc.array(load, { minLength: 3, maxLength: 4 }), async (loads) => {
      const path = join(folder, String(++number), '{table}')
      const target = { format: 'delta', path, compression: 'zstd' } as const
      const plan: LakeOutputPlan = { target, pipeline: 'nightly', ...mode, tables: modelTables }
      const model = new LoadModel({ ...mode, keepsTouched: true })
      for (const [at, { kind, records, isRepeated }] of loads.entries()) {
        const syncedUntil = new Date(firstStart + at * day)
        // A clock that was put back, behind what earlier loads have written.
        const startedAt = new Date(syncedUntil.getTime() - (at === 2 ? 5 * day : 0))
        const isFull = at === 0 || mode.mode === 'snapshot'
        const since = new Date(syncedUntil.getTime() - day)
        const facts = { runId: `run-${at}`, startedAt, syncedUntil, since }
        const current = { ...anyLoad, kind: isFull ? 'full' : kind, ...facts } as const
        // As when a run dies between the commit of the lake and its manifest.
        for (const _ of isRepeated ? [1, 2] : [1]) {
          const counts = model.load(records, current)
          const { changes } = await loadRows(plan, current, toRows(records))
          expect(changes).toEqual(counts)
        }
        const tables = modelTables.map((table) =>
          readDeltaLines(path.replace('{table}', table.name), listLakeColumns(plan, table)),
        )
        expect(await Promise.all(tables)).toEqual(model.tables)
      }
    }),
    { numRuns: cases(2, 1) },
  )
})
