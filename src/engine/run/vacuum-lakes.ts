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
  const lakes = stateful?.databases.filter(isLakePlan) ?? []
  if (stateful === null || lakes.length === 0)
    throw new CatalogueError('USAGE', `${name}: expected an output in the format delta or iceberg, got none`)
  const frame = { ...ofPipeline(name, report, outputs, { env }), noun: 'vacuum', signal, onWarning }
  return inFrame(frame, async ({ token }) => {
    const vacuumed: VacuumedTable[] = []
    for (const lake of lakes) {
      const shared = { env, signal, onWarning, settings: s3, token, now, olderThan, dryRun }
      const tables = lake.tables.flatMap((table) => stateful.tables[table] ?? [])
      vacuumed.push(...(await vacuumLake({ target: lake, pipeline: name, tables }, shared)))
    }
    return vacuumed
  })
}
