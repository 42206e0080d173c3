import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LakeOutputPlan, listLakeColumns } from '../../src/lake/lake-plan.ts'
import { fewOf } from '../depth.ts'
import { LoadModel, modelTables, toRows } from '../loads/databases/load-model.ts'
import { loadRows } from '../loads/databases/load-rows.ts'
import { nightlyLoad, nightlyRecords } from '../loads/databases/nights.ts'
import { startLakeChild } from './start-lake-child.ts'
import { readDelta, readDeltaLines } from './readers/read-delta.ts'
import { readIceberg, readIcebergLines } from './readers/read-iceberg.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'lake-'))))
afterAll(() => rm(folder, { recursive: true }))

/**
 * Two tables and the state have a data file and a commit each; one of Iceberg is a manifest, a list, the metadata and a hint. Deleted
 * rows have a file of their own, and of Iceberg a manifest.
 */
const lakes = [
  { format: 'delta', read: readDeltaLines, deletes: 'rewrite', steps: 6, some: [3, 5] },
  { format: 'delta', read: readDeltaLines, deletes: 'vectors', steps: 8, some: [3, 4] },
  { format: 'iceberg', read: readIcebergLines, deletes: 'rewrite', steps: 15, some: [5, 8] },
  { format: 'iceberg', read: readIcebergLines, deletes: 'vectors', steps: 19, some: [4, 8] },
] as const
const timeoutMs = 900_000

const modes = fewOf(['merge', 'history', 'append'] as const, 'merge', 'append')

const killed = lakes.flatMap((lake) => modes.map((mode) => ({ ...lake, mode })))

test.each(killed.filter(({ deletes, mode }) => deletes === 'rewrite' || mode !== 'append'))(
  'loads after loads killed at any step leave what undisturbed loads leave in a lake of $format ($deletes), mode $mode',
  async ({ format, deletes, read, steps, some, mode }) => {
    const moments = Array.from({ length: steps }, (_, step) => step).flatMap((step) =>
      (['before', 'during', 'after'] as const).map((when) => ({ step, when })),
    )
    const tested = fewOf(moments, { step: some[0], when: 'during' }, { step: some[1], when: 'before' })
    const path = join(folder, format, deletes, mode, '{table}')
    const target = { format, path, compression: 'snappy', deletes } as const
    const plan: LakeOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }
    const model = new LoadModel({ ...plan, keepsTouched: true })
    for (const [night, killAt] of tested.entries()) {
      const records = night + (night % 2)
      const state = path.replace('{table}', '_catalogue_etl/nightly')
      const before = countLoads(state)
      const load = { format, deletes, path, mode, night, records, killAt }
      const loadFolder = join(folder, `load-${format}-${deletes}-${mode}-${night}`)
      const { ended } = await startLakeChild(load, loadFolder)
      // One that is killed after it has committed its state is whole, too.
      if ((await ended) || countLoads(state) > before) model.load(nightlyRecords(records), nightlyLoad(night))
      await loadRows(plan, nightlyLoad(night), toRows(nightlyRecords(night)))
      model.load(nightlyRecords(night), nightlyLoad(night))
      const tables = modelTables.map((table) => read(path.replace('{table}', table.name), listLakeColumns(plan, table)))
      expect(await Promise.all(tables), `night ${night}`).toEqual(model.tables)
    }
    const whole = await listLoads[format](path.replace('{table}', '_catalogue_etl/nightly'))
    // Each whole load once, whatever was killed.
    expect(whole).toEqual([...whole.keys()].map((at) => at + 1))
  },
  timeoutMs,
)

/** The numbers of the loads that the state of a lake has had. */
const listLoads = {
  async delta(state: string) {
    const { commits } = await readDelta(state)
    return commits.flatMap((actions) => actions.flatMap(({ txn }) => txn?.version ?? []))
  },
  async iceberg(state: string) {
    const { metadata } = await readIceberg(state)
    return metadata.snapshots.map(({ summary }) => Number(summary['catalogue-etl.load']))
  },
}

/** Counts the versions of the table of the state: each whole load makes one. */
function countLoads(state: string): number {
  const folders = ['_delta_log', 'metadata'].map((name) => join(state, name)).filter((path) => existsSync(path))
  return folders.flatMap((path) => readdirSync(path)).filter((name) => /^(?:\d{20}|v\d+\.metadata)\.json$/.test(name))
    .length
}
