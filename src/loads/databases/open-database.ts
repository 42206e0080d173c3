import { openDuckdbOutput, readDuckdbState } from './duckdb-output.ts'
import type { DatabaseOptions, DatabaseOutput, DatabaseOutputPlan, LoadStart, TargetState } from './database-output.ts'

/**
 * Connects, locks the pipeline's state, and checks the existing tables, before anything is read. Throws LOCKED,
 * TARGET_MISMATCH (tables of other types, a delta that does not follow the last load), TARGET_FAILED, TARGET_REFUSED,
 * PEER_MISSING.
 */
export async function openDatabaseOutput(
  plan: DatabaseOutputPlan,
  load: LoadStart,
  options: DatabaseOptions = {},
): Promise<DatabaseOutput> {
  const { target } = plan
  switch (target.format) {
    case 'postgres':
      return (await loadPostgres()).openPostgresOutput({ ...plan, target }, load, options)
    case 'mariadb':
      return (await loadMariadb()).openMariadbOutput({ ...plan, target }, load, options)
    case 'duckdb':
      return openDuckdbOutput({ ...plan, target }, load, options)
  }
}

/**
 * Reads a pipeline's state in a target, so that a run can choose what to ask the service for. Leaves nothing open.
 * Throws as `openDatabaseOutput` does, except for locks.
 */
export async function readTargetState(
  plan: DatabaseOutputPlan,
  configHash: string,
  options: DatabaseOptions = {},
): Promise<TargetState> {
  const { target } = plan
  switch (target.format) {
    case 'postgres':
      return (await loadPostgres()).readPostgresState({ ...plan, target }, configHash, options)
    case 'mariadb':
      return (await loadMariadb()).readMariadbState({ ...plan, target }, configHash, options)
    case 'duckdb':
      return readDuckdbState({ ...plan, target }, configHash, options)
  }
}

/** Imports the driver only on use: runs into files and DuckDB don't wait for it. */
function loadPostgres() {
  return import('./postgres/postgres-output.ts')
}

function loadMariadb() {
  return import('./mariadb/mariadb-output.ts')
}
