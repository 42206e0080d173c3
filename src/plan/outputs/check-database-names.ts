import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { listModeColumns } from './output-mode.ts'
import type { DatabasePlan } from './database-plan.ts'
import type { PlannedTables } from '../records/plan-tables.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

/** PostgreSQL truncates longer names. */
export const mostPostgresNameBytes = 63

/**
 * Finds names of tables and columns that PostgreSQL would truncate, which could make two the same. A load creates its
 * own objects with short names.
 */
export function checkDatabaseNames(
  databases: readonly Pick<DatabasePlan, 'format' | 'tables' | 'mode' | 'removed'>[],
  { tables, pathOf }: PlannedTables,
): Problem[] {
  const problems = new Map<string, Problem>()
  for (const database of databases.filter(({ format }) => format === 'postgres')) {
    for (const table of database.tables.flatMap((at) => tables[at] ?? [])) {
      for (const problem of listLongNames(table, database, pathOf)) {
        const { path, message } = problem
        problems.set(JSON.stringify([path, message]), problem)
      }
    }
  }
  return [...problems.values()]
}

function listLongNames(
  table: TablePlan,
  database: Parameters<typeof listModeColumns>[0],
  pathOf: PlannedTables['pathOf'],
): Problem[] {
  const { name, columns } = table
  const ofTable: Problem[] = isLong(name)
    ? [{ ...problemAt(['tables', name], formatMessage(`table "${name}"`, name)), atKey: true }]
    : []
  const long = [...columns, ...listModeColumns(database)].filter((column) => isLong(column.name))
  const ofColumns = long.map((column) =>
    problemAt(pathOf(column) ?? ['tables', name], formatMessage(`column "${column.name}"`, column.name)),
  )
  return [...ofTable, ...ofColumns]
}

function isLong(name: string): boolean {
  return Buffer.byteLength(name) > mostPostgresNameBytes
}

function formatMessage(what: string, name: string): string {
  const most = `a name of at most ${mostPostgresNameBytes} bytes, as PostgreSQL has no longer ones`
  return `${what}: expected ${most}, got ${Buffer.byteLength(name)}: give it a shorter one`
}
