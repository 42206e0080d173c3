import { quoteName, quoteText } from '../files/sql-text.ts'
import type { DatabaseSession } from './database-session.ts'
import { listTargetColumns } from './load-statements.ts'
import { loadChanges, type LoadTerms } from './load-terms.ts'
import { qualify } from './state-tables.ts'

/** Values of columns that the plan has no longer: kept before rows are put in place anew, and put back into them after. */
export interface FormerColumns {
  readonly keep: string
  readonly restore: string
}

/**
 * The statements for the former columns of a history's table; null where there is nothing to keep. A version that still
 * holds is deleted and inserted anew, where only the columns of the plan are known. Its row is known again by record and
 * positions; of a row that was there twice nothing is put back.
 */
export async function planFormerColumns(
  session: DatabaseSession,
  terms: LoadTerms,
  table: number,
  there: ReadonlyMap<string, string> | undefined,
): Promise<FormerColumns | null> {
  const planned = new Set(listTargetColumns(terms.plan, table).map(({ name }) => name))
  const others = [...(there?.keys() ?? [])].filter((name) => !planned.has(name))
  if (terms.plan.mode !== 'history' || others.length === 0) return null
  const computed = await listComputed(session, terms.plan, table)
  const former = others.filter((name) => !computed.has(name))
  return former.length === 0 ? null : formatFormerColumns(terms, table, former)
}

function formatFormerColumns({ dialect, plan }: LoadTerms, table: number, former: readonly string[]): FormerColumns {
  const { name = '', idColumn = '', positionColumns = [] } = plan.tables[table] ?? {}
  const target = qualify(plan, name)
  const kept = `_load_former_${table}`
  const keys = [idColumn, ...positionColumns].map(quoteName)
  const columns = former.map(quoteName)
  const isFilled = columns.map((column) => `t.${column} IS NOT NULL`).join(' OR ')
  const isReplaced = "t.is_current AND c.is_placed AND c.change IN ('touched', 'unchanged')"
  return {
    keep: `${dialect.createSessionTable} ${quoteName(kept)} AS SELECT ${list([...keys, ...columns], 'k')} FROM (
      SELECT ${list([...keys, ...columns], 't')}, (${isFilled}) AS is_filled, count(*) OVER (PARTITION BY ${list(keys, 't')}) AS copies
      FROM ${target} AS t JOIN ${dialect.formatSessionTable(loadChanges)} AS c ON c.id = t.${quoteName(idColumn)} WHERE ${isReplaced}
    ) AS k WHERE k.is_filled AND k.copies = 1`,
    restore: `UPDATE ${target} AS t SET ${columns.map((column) => `${column} = k.${column}`).join(', ')}
      FROM ${dialect.formatSessionTable(kept)} AS k WHERE t.is_current AND ${keys.map((key) => `t.${key} = k.${key}`).join(' AND ')}`,
  }
}

function list(names: readonly string[], of: string): string {
  return names.map((name) => `${of}.${name}`).join(', ')
}

/** Columns that the server fills by itself, and that no statement may write. */
async function listComputed(session: DatabaseSession, plan: LoadTerms['plan'], table: number): Promise<Set<string>> {
  const [schema, name] = [plan.target.schema, plan.tables[table]?.name ?? '']
  const rows = await session.rows(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = ${quoteText(schema)} AND table_name = ${quoteText(name)}
      AND (is_generated = 'ALWAYS' OR identity_generation = 'ALWAYS')`,
  )
  return new Set(rows.map((row) => row['name'] ?? ''))
}
