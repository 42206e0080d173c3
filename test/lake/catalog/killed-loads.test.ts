import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CatalogAccess } from '../../../src/config/catalog-access.ts'
import { type LakeOutputPlan, listLakeColumns } from '../../../src/lake/lake-plan.ts'
import { fewOf } from '../../depth.ts'
import { LoadModel, modelTables, toRows } from '../../loads/databases/load-model.ts'
import { loadRows } from '../../loads/databases/load-rows.ts'
import { nightlyLoad, nightlyRecords } from '../../loads/databases/nights.ts'
import type { ChildLoad } from '../killed-lake-child.ts'
import { startLakeChild } from '../start-lake-child.ts'
import { listLines, readCatalogTable } from '../readers/read-iceberg.ts'
import { type CatalogServer, startCatalog } from './start-catalog.ts'

let folder: string
let server: CatalogServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'))
  server = await startCatalog()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const timeoutMs = 300_000
/** Two tables and the state have a data file each, and then a manifest and a list. */
const steps = 9
const never = { step: steps, when: 'before' } as const
const moments = [
  ...Array.from({ length: steps }, (_, step) => step).flatMap((step) =>
    (['before', 'during', 'after'] as const).map((when) => ({ killAt: { step, when }, isInCommit: false })),
  ),
  { killAt: never, isInCommit: true },
]
const last = { killAt: { step: steps - 1, when: 'after' }, isInCommit: false } as const
const tables = [...modelTables.map(({ name }) => name), '_catalogue_etl_nightly']
const stateTable = 'catalogue._catalogue_etl_nightly'
const countLoads = () => (server.has(stateTable) ? server.metadataOf(stateTable).snapshots.length : 0)

test.each(fewOf(['merge', 'history', 'append'] as const, 'merge'))(
  'loads into a catalog that are killed at any step leave all tables with the load or none, and the next load the rest, mode %s',
  async (mode) => {
    for (const name of tables) server.drop(`catalogue.${name}`)
    const catalog = new CatalogAccess({ url: server.url, namespace: 'catalogue' })
    const path = `${server.url}, catalogue.{table}`
    const target = { format: 'iceberg', path, compression: 'snappy', deletes: 'rewrite', catalog } as const
    const plan: LakeOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }
    const model = new LoadModel({ ...plan, keepsTouched: true })
    for (const [night, { killAt, isInCommit }] of fewOf(moments, last, {
      killAt: never,
      isInCommit: true,
    }).entries()) {
      const records = night + (night % 2)
      const before = countLoads()
      const load = { format: 'iceberg', deletes: 'rewrite', path, catalog: server.url, mode, night, records } as const
      await runChild({ ...load, killAt }, isInCommit)
      const isWhole = countLoads() > before
      expect(isWhole || !isInCommit).toBe(true)
      if (isWhole) model.load(nightlyRecords(records), nightlyLoad(night))
      expect(await readTables(plan), `killed in night ${night}`).toEqual(model.tables)
      await loadRows(plan, nightlyLoad(night), toRows(nightlyRecords(night)))
      model.load(nightlyRecords(night), nightlyLoad(night))
      expect(await readTables(plan), `night ${night}`).toEqual(model.tables)
    }
  },
  timeoutMs,
)

function readTables(plan: LakeOutputPlan): Promise<string[][]> {
  const lines = modelTables.map(async (table) => {
    const name = `catalogue.${table.name}`
    return server.has(name) ? listLines(await readCatalogTable(server.fileOf(name)), listLakeColumns(plan, table)) : []
  })
  return Promise.all(lines)
}

async function runChild(load: ChildLoad, isInCommit: boolean): Promise<void> {
  const { child, ended } = await startLakeChild(load, join(folder, `load-${load.mode}-${load.night}`))
  // The request is there, and takes effect after the process is gone.
  server.onCommit = async () => {
    if (isInCommit) child.kill('SIGKILL')
    if (isInCommit) await ended
  }
  await ended
  server.onCommit = null
  await server.settle()
}
