import { formatFormerValues, listPlacedChanges } from '../changes/compare-records.ts'
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
 * The statements for the former columns of a history's table; null where there is nothing to keep. A version that is still
 * current is deleted and inserted anew, where only the columns of the plan are known.
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

function formatFormerColumns(terms: LoadTerms, table: number, columns: readonly string[]): FormerColumns {
  const { dialect, plan, rewritesAll } = terms
  const { name = '', idColumn = '', positionColumns = [] } = plan.tables[table] ?? {}
  const history = qualify(plan, name)
  const kept = `_load_former_${table}`
  const keys = [idColumn, ...positionColumns]
  const changes = dialect.formatSessionTable(loadChanges)
  const placed = listPlacedChanges('history', rewritesAll)
  const values = formatFormerValues({ history, changes, idColumn, keys, columns, placed })
  const assigned = columns.map(quoteName).map((column) => `${column} = k.${column}`)
  const isSame = keys.map(quoteName).map((key) => `t.${key} = k.${key}`)
  return {
    keep: `${dialect.createSessionTable} ${quoteName(kept)} AS ${values}`,
    restore: `UPDATE ${history} AS t SET ${assigned.join(', ')}
      FROM ${dialect.formatSessionTable(kept)} AS k WHERE t.is_current AND ${isSame.join(' AND ')}`,
  }
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
