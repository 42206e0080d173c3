import { openDuckdbOutput, readDuckdbState } from './duckdb-output.ts'
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
  if (plan.target.format === 'postgres') {
    const { openPostgresOutput } = await loadPostgres()
    return openPostgresOutput({ ...plan, target: plan.target }, load, options)
  }
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
    const { readPostgresState } = await loadPostgres()
    return readPostgresState({ ...plan, target: plan.target }, configHash, options)
  }
  return readDuckdbState({ ...plan, target: plan.target }, configHash, options)
}

/** Brings a driver with it, which takes time that runs into files and DuckDB don't pay. */
function loadPostgres() {
  return import('./postgres/postgres-output.ts')
}
