import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { withDuckdb } from '../profile/with-duckdb.ts'
import type { AsOfAccess } from './open-as-of.ts'

export interface HistoryContext extends RequiredContext<'env'>, Pick<RunContext, 'signal'> {}

/** Opens what histories of a pipeline are read with, for the duration of the work. Only reads. */
export function withHistory<Result>(
  plan: PipelinePlan,
  { env, signal }: HistoryContext,
  work: (access: AsOfAccess) => Promise<Result>,
): Promise<Result> {
  return withDuckdb(plan.name, { signal, purpose: 'reading the history' }, async (workbench) => {
    const storage = await openStorage(plan.report.manifest.path, env, { settings: plan.outputs.s3 })
    try {
      return await work({ ...workbench, storage, env, signal })
    } finally {
      await storage.close()
    }
  })
}
