import * as fc from 'fast-check'
import type { TargetPlan } from '../../../src/lake/open-target.ts'
import { type LoadModel, type ModelRecord, modelTables, toRows } from './load-model.ts'
import { anyLoad, loadRows } from './load-rows.ts'

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

type ModelLoad = typeof load extends fc.Arbitrary<infer Load> ? Load : never

/** A series of loads; the first is full. */
export const modelLoads = fc.array(load, { minLength: 3, maxLength: 4 })

export const modelModes: Pick<TargetPlan, 'mode' | 'removed'>[] = [
  { mode: 'merge', removed: 'drop' },
  { mode: 'merge', removed: 'mark' },
  { mode: 'history', removed: 'drop' },
  { mode: 'append', removed: 'drop' },
  { mode: 'snapshot', removed: 'drop' },
]

/**
 * Brings a series of loads into a target. Yields what it says and holds after each, beside what the model does: the counts of
 * changes, then the tables.
 */
export async function* bringLoads(
  plan: TargetPlan,
  model: LoadModel,
  loads: readonly ModelLoad[],
  readTable: (table: (typeof modelTables)[number], at: number) => Promise<unknown>,
  /** Records of all full loads beside their own. */
  steady: readonly ModelRecord[] = [],
): AsyncGenerator<{ readonly found: unknown; readonly wanted: unknown }> {
  for (const [at, { kind, records: own, isRepeated }] of loads.entries()) {
    const syncedUntil = new Date(firstStart + at * day)
    // A clock that was put back, behind what earlier loads have written.
    const startedAt = new Date(syncedUntil.getTime() - (at === 2 ? 5 * day : 0))
    const isFull = at === 0 || plan.mode === 'snapshot'
    const since = new Date(syncedUntil.getTime() - day)
    const facts = { runId: `run-${at}`, startedAt, syncedUntil, since }
    const current = { ...anyLoad, kind: isFull ? 'full' : kind, ...facts } as const
    const records = [...own, ...(current.kind === 'full' ? steady : [])]
    // As when a run dies between the commit of a target and its manifest.
    for (const _ of isRepeated ? [1, 2] : [1]) {
      const counts = model.load(records, current)
      const { changes } = await loadRows(plan, current, toRows(records))
      yield { found: changes, wanted: counts }
    }
    yield { found: await Promise.all(modelTables.map(readTable)), wanted: model.tables }
  }
}
