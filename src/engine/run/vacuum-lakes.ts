import { CatalogueError } from '../../errors.ts'
import { type VacuumedTable, vacuumLake } from '../../lake/vacuum-lake.ts'
import { isLakePlan } from '../../plan/outputs/database-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RunContext } from '../../run-context.ts'
import { inFrame, ofPipeline } from '../frame.ts'

export interface VacuumLakesOptions extends Pick<RunContext, 'env' | 'signal' | 'onWarning' | 'now'> {
  /** In milliseconds. */
  readonly olderThan: number
  readonly dryRun: boolean
}

/**
 * Removes the files in the lakes of a pipeline that no version needs which is younger. Throws LOCKED during a run of the pipeline, and
 * USAGE if it has no lake.
 */
export async function vacuumLakes(plan: PipelinePlan, options: VacuumLakesOptions): Promise<VacuumedTable[]> {
  const { env, signal, onWarning, now = Date.now, olderThan, dryRun } = options
  const { name, outputs, report } = plan
  const { stateful, s3 } = outputs
  const all = stateful?.databases.filter(isLakePlan) ?? []
  const lakes = all.filter(({ catalog }) => catalog === undefined)
  if (stateful === null || lakes.length === 0) {
    const message = `${name}: expected an output in the format delta or iceberg with a path, got none`
    const fix = all.length === 0 ? 'Name the config of a pipeline that loads a lake.' : ofCatalogs
    throw new CatalogueError('USAGE', message, { title: 'There is no lake to clean up', fix })
  }
  for (const { path, catalog } of all) if (catalog !== undefined) onWarning?.(`${path}: left alone. ${ofCatalogs}`)
  const frame = { ...ofPipeline(name, report, outputs, { env }), noun: 'vacuum', signal, onWarning }
  return inFrame(frame, async ({ token }) => {
    const vacuumed: VacuumedTable[] = []
    for (const lake of lakes) {
      const shared = { env, signal, onWarning, settings: s3, token, now, olderThan, dryRun }
      const tables = lake.tables.flatMap((table) => stateful.tables[table] ?? [])
      const found = await vacuumLake({ target: { ...lake, catalog: undefined }, pipeline: name, tables }, shared)
      if (found.length === 0) onWarning?.(`${lake.path}: no table is there`)
      vacuumed.push(...found)
    }
    return vacuumed
  })
}

const ofCatalogs =
  'Tables of a catalog are cleaned up by the catalog, or by engines that know it: `expire_snapshots` and `remove_orphan_files` in Spark.'
