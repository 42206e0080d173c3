import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { listModeColumns } from './output-mode.ts'
import { databaseServers, isServer } from '../../config/database-servers.ts'
import type { DatabasePlan } from './database-plan.ts'
import type { PlannedTables } from '../records/plan-tables.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

/**
 * Finds names of tables and columns that a server would truncate, which could make two the same, or refuse. A load creates
 * its own objects with short names.
 */
export function checkDatabaseNames(
  databases: readonly Pick<DatabasePlan, 'format' | 'tables' | 'mode' | 'removed'>[],
  { tables, pathOf }: PlannedTables,
): Problem[] {
  const problems = new Map<string, Problem>()
  for (const database of databases) {
    if (!isServer(database.format)) continue
    const server = databaseServers[database.format]
    for (const table of database.tables.flatMap((at) => tables[at] ?? [])) {
      for (const problem of listLongNames(table, { ...database, ...server }, pathOf)) {
        const { path, message } = problem
        problems.set(JSON.stringify([path, message]), problem)
      }
    }
  }
  return [...problems.values()]
}

function listLongNames(
  table: TablePlan,
  database: Parameters<typeof listModeColumns>[0] & NameLimit,
  pathOf: PlannedTables['pathOf'],
): Problem[] {
  const { name, columns } = table
  const isLong = (text: string) => Buffer.byteLength(text) > database.mostNameBytes
  const ofTable: Problem[] = isLong(name)
    ? [{ ...problemAt(['tables', name], formatMessage(`table "${name}"`, name, database)), atKey: true }]
    : []
  const long = [...columns, ...listModeColumns(database)].filter((column) => isLong(column.name))
  const ofColumns = long.map((column) =>
    problemAt(pathOf(column) ?? ['tables', name], formatMessage(`column "${column.name}"`, column.name, database)),
  )
  return [...ofTable, ...ofColumns]
}

interface NameLimit {
  readonly title: string
  readonly mostNameBytes: number
}

function formatMessage(what: string, name: string, { title, mostNameBytes }: NameLimit): string {
  const most = `a name of at most ${mostNameBytes} bytes, as ${title} has no longer ones`
  return `${what}: expected ${most}, got ${Buffer.byteLength(name)}: give it a shorter one`
}
