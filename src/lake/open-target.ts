import type { DatabaseOutput, DatabaseOutputPlan, LoadStart, TargetState } from '../loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../loads/databases/open-database.ts'
import { type VerifiedTarget, verifyTarget, type VerifyTargetPlan } from '../loads/databases/verify-target.ts'
import type { LakeOutputPlan } from './lake-plan.ts'
import type { LakeOptions } from './lake-session.ts'

/** An output that keeps its own state: the tables of a pipeline in a database, or in a lake. */
export type TargetPlan = DatabaseOutputPlan | LakeOutputPlan

/** As `openDatabaseOutput`; for a lake also throws OUTPUT_FAILED and OUTPUT_REFUSED. */
export async function openTarget(
  plan: TargetPlan,
  load: LoadStart,
  options: LakeOptions = {},
): Promise<DatabaseOutput> {
  if (!isLake(plan)) return openDatabaseOutput(plan, load, options)
  const { openLakeOutput } = await import('./lake-output.ts')
  return openLakeOutput(plan, load, options)
}

export async function readTarget(
  plan: TargetPlan,
  configHash: string,
  options: LakeOptions = {},
): Promise<TargetState> {
  if (!isLake(plan)) return readTargetState(plan, configHash, options)
  const { readLakeState } = await import('./lake-output.ts')
  return readLakeState(plan, configHash, options)
}

export async function verifyAnyTarget(
  plan: TargetPlan & Pick<VerifyTargetPlan, 'recordTables'>,
  options: LakeOptions = {},
): Promise<VerifiedTarget> {
  if (!isLake(plan)) return verifyTarget(plan, options)
  const { verifyLake } = await import('./verify-lake.ts')
  return verifyLake(plan, options)
}

function isLake<Plan extends TargetPlan>(plan: Plan): plan is Extract<Plan, LakeOutputPlan> {
  return 'compression' in plan.target
}
