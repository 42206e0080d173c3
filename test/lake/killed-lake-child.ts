import { CatalogAccess } from '../../src/config/catalog-access.ts'
import { openTarget } from '../../src/lake/open-target.ts'
import type { LakeOutputPlan } from '../../src/lake/lake-plan.ts'
import type { FileStorage } from '../../src/storage/file-storage.ts'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { modelTables, toRows } from '../loads/databases/load-model.ts'
import { giveRows } from '../loads/databases/load-rows.ts'
import { nightlyLoad, nightlyRecords } from '../loads/databases/nights.ts'

/** One load in a process of its own, which ends itself with SIGKILL at a step of what it does to the lake. */
export interface ChildLoad {
  readonly format: LakeOutputPlan['target']['format']
  readonly deletes: LakeOutputPlan['target']['deletes']
  readonly path: string
  /** The address of the catalog that has the tables in its namespace `catalogue`; otherwise they are by path. */
  readonly catalog?: string
  readonly mode: LakeOutputPlan['mode']
  readonly night: number
  /** The night whose records it loads, as what is read again may have changed. */
  readonly records: number
  /** Counted over files that are put in place. */
  readonly killAt: { readonly step: number; readonly when: 'before' | 'during' | 'after' }
}

const { format, deletes, path, catalog, mode, night, records, killAt } = JSON.parse(process.argv[2] ?? '') as ChildLoad
const access = catalog === undefined ? {} : { catalog: new CatalogAccess({ url: catalog, namespace: 'catalogue' }) }
const target = { format, path, compression: 'snappy', deletes, ...access } as const
const plan: LakeOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }
const local = createLocalStorage()
let steps = 0

async function take<Result>(act: () => Promise<Result>): Promise<Result> {
  const isNow = steps++ === killAt.step
  if (isNow && killAt.when === 'before') process.kill(process.pid, 'SIGKILL')
  const acting = act()
  if (isNow && killAt.when === 'during') setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  const result = await acting
  if (isNow && killAt.when === 'after') process.kill(process.pid, 'SIGKILL')
  return result
}

const storage: FileStorage = {
  ...local,
  place: (file) => take(() => local.place(file)),
  create: (file, bytes) => take(() => local.create(file, bytes)),
}
const output = await openTarget(plan, nightlyLoad(night), { storage })
await giveRows(output, plan, nightlyLoad(night), toRows(nightlyRecords(records)), process.env['LOAD_FOLDER'])
await output.commit()
await output.discard()
