import type { DatabaseOptions, DatabaseOutput, DatabaseOutputPlan, LoadStart, TargetState } from './database-output.ts'

/**
 * Connects, locks the pipeline's state, and checks the tables that are there, before anything is read. Throws LOCKED,
 * TARGET_MISMATCH (tables of other types, a delta that does not join on to the last load), TARGET_FAILED, TARGET_REFUSED, PEER_MISSING.
 */
export async function openDatabaseOutput(
  plan: DatabaseOutputPlan,
  load: LoadStart,
  options: DatabaseOptions = {},
): Promise<DatabaseOutput> {
  // Loading the drivers takes time that runs without databases don't pay.
  if (plan.target.format === 'postgres') {
    const { openPostgresOutput } = await import('./postgres/postgres-output.ts')
    return openPostgresOutput({ ...plan, target: plan.target }, load, options)
  }
  const { openDuckdbOutput } = await import('./duckdb-output.ts')
  return openDuckdbOutput({ ...plan, target: plan.target }, load, options)
}

/**
 * Reads what a target has of a pipeline, so that a run can choose what to ask the service for. Leaves nothing open. Throws as
 * `openDatabaseOutput` does, but for locks.
 */
export async function readTargetState(
  plan: DatabaseOutputPlan,
  configHash: string,
  options: DatabaseOptions = {},
): Promise<TargetState> {
  if (plan.target.format === 'postgres') {
    const { readPostgresState } = await import('./postgres/postgres-output.ts')
    return readPostgresState({ ...plan, target: plan.target }, configHash, options)
  }
  const { readDuckdbState } = await import('./duckdb-output.ts')
  return readDuckdbState({ ...plan, target: plan.target }, configHash, options)
}
