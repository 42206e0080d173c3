import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan, DatabaseTarget } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput } from '../../../src/loads/databases/open-database.ts'
import { modelTables, toRows } from './load-model.ts'
import { giveRows } from './load-rows.ts'
import { nightlyLoad, nightlyRecords, type LoadPhase } from './nights.ts'

/** One load in a process of its own, which ends itself with SIGKILL in a phase, some milliseconds after it began. */
export interface ChildLoad {
  readonly format: DatabaseTarget['format']
  /** The address, or the path of the file. */
  readonly place: string
  readonly schema: string
  readonly mode: DatabaseOutputPlan['mode']
  readonly night: number
  readonly killAt: LoadPhase | null
  readonly killAfterMs: number
}

const { format, place, schema, mode, night, killAt, killAfterMs } = JSON.parse(process.argv[2] ?? '') as ChildLoad
const target: DatabaseTarget =
  format === 'duckdb' ? { format, path: place, schema } : { format, url: new DatabaseUrl(place), schema }
const plan: DatabaseOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }

reach('start')
const output = await openDatabaseOutput(plan, nightlyLoad(night))
reach('opened')
await giveRows(output, plan, nightlyLoad(night), toRows(nightlyRecords(night)))
reach('finished')
const committed = output.commit()
reach('committing')
await committed
reach('committed')
await output.discard()

function reach(phase: LoadPhase): void {
  if (killAt !== phase) return
  if (killAfterMs === 0) process.kill(process.pid, 'SIGKILL')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs)
}
