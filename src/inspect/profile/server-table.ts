import { join } from 'node:path'
import { toOutputPlan } from '../../engine/outputs/database-targets.ts'
import { CatalogueError } from '../../errors.ts'
import type { DatabaseTarget } from '../../loads/databases/database-output.ts'
import type { DatabaseSession } from '../../loads/databases/sql-dialect.ts'
import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { ServerPlan } from '../../plan/outputs/database-plan.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import type { Column } from '../../records/flatten/column.ts'
import { formatColumnType } from '../../types/column-types.ts'
import type { ListedColumn } from './readable-table.ts'
import { copyTextRows, type TextRow } from './text-rows.ts'

type ServerTable = Pick<KeyedTable, 'name' | 'columns' | 'idColumn'>

/**
 * Copies a table of PostgreSQL or MariaDB from one snapshot to a CSV file, and gives SQL that reads it. Throws
 * SOURCE_NOT_FOUND if there is no such table, CONFIG_INVALID without the address, TARGET_FAILED, TARGET_REFUSED, PEER_MISSING.
 */
export async function copyServerTable(
  pipeline: string,
  database: ServerPlan,
  table: ServerTable,
  folder: string,
): Promise<{ readonly from: string; readonly listed: readonly ListedColumn[] }> {
  const { target } = toOutputPlan(pipeline, [], database)
  const session = await openSession(target as DatabaseTarget, pipeline)
  try {
    const found = (await session.readTables(database.schema)).get(table.name)
    if (found === undefined) throw noTable(session.shown, table.name)
    const columns = [...table.columns, ...listModeColumns(database)].filter(({ name }) => found.has(name))
    const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
    const rows = readRows(session, database, { ...table, columns })
    return { from: await copyTextRows(join(folder, `${table.name}.csv`), listed, null, rows), listed }
  } finally {
    await session.close()
  }
}

async function openSession(target: DatabaseTarget, pipeline: string) {
  if (target.format === 'postgres') {
    const { openPostgresSession } = await import('../../loads/databases/postgres/postgres-session.ts')
    return openPostgresSession(target, pipeline, { readsOnly: true })
  }
  if (target.format !== 'mariadb') throw new TypeError(`expected a server, got ${target.format}`)
  const { openMariadbSession } = await import('../../loads/databases/mariadb/mariadb-session.ts')
  return openMariadbSession(target, pipeline, { readsOnly: true })
}

function noTable(shown: string, table: string): CatalogueError {
  return new CatalogueError('SOURCE_NOT_FOUND', `${shown}: expected the table ${table}, got none`, {
    fix: 'Run the pipeline, which creates it.',
  })
}

async function* readRows(
  session: DatabaseSession,
  { format, schema }: ServerPlan,
  { name, columns, idColumn }: ServerTable,
): AsyncGenerator<TextRow> {
  const toText = format === 'postgres' ? toPostgresText : toMariadbText
  const from = `${quoteName(schema)}.${quoteName(name)}`
  const select = `SELECT ${columns.map((column, at) => `${toText(column)} AS c${at}`).join(', ')} FROM ${from}`
  const pages =
    format === 'postgres' ? readByCursor(session, select) : readByKey(session, select, from, quoteName(idColumn))
  for await (const page of pages) for (const row of page) yield columns.map((_, at) => row[`c${at}`])
}

type Page = Awaited<ReturnType<DatabaseSession['rows']>>

async function* readByCursor(session: DatabaseSession, select: string): AsyncGenerator<Page> {
  await session.run(`DECLARE copied NO SCROLL CURSOR FOR ${select}`)
  for (;;) {
    const page = await session.rows(`FETCH ${pageRows} FROM copied`)
    if (page.length === 0) return
    yield page
  }
}

/** MariaDB has no cursors outside of its procedures. The id of the record has an index. */
async function* readByKey(session: DatabaseSession, select: string, from: string, key: string): AsyncGenerator<Page> {
  let after = ''
  for (;;) {
    const [{ last = null } = {}] = await session.rows(
      `SELECT max(${key}) AS last FROM (SELECT ${key} FROM ${from} ${after} ORDER BY ${key} LIMIT ${pageRows}) AS page`,
    )
    if (last === null) return
    yield await session.rows(`${select} ${after === '' ? 'WHERE' : `${after} AND`} ${key} <= ${quoteText(last)}`)
    after = `WHERE ${key} > ${quoteText(last)}`
  }
}

const pageRows = 5000

function toPostgresText({ name, list }: Column): string {
  const column = quoteName(name)
  return list ? `to_json(${column})::text` : `${column}::text`
}

/** Lists are JSON there, and times have no zone. */
function toMariadbText({ name, type, list }: Column): string {
  const column = quoteName(name)
  return type.kind === 'timestamp' && !list ? `concat(${column}, '+00')` : column
}
