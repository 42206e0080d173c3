import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { DatabaseOutputPlan } from './database-output.ts'
import { loadChanges, loadedRecords, loadedTable, type LoadTerms } from './load-terms.ts'
import { formatDateTime, formatNames } from './sql-dialect.ts'
import { qualify, recordsTable } from './state-tables.ts'

/**
 * Compares the load's records with the state, into `loadChanges`: `change` is new, changed, touched, unchanged or removed,
 * `is_placed` says whose rows are put in place, `valid_from` since when the content is what it is now, and `removed_at`
 * until when. Where the clock stands behind what came before, a moment is one millisecond later than that.
 */
export function formatComparison({ dialect, plan, load, rewritesAll }: LoadTerms): string {
  const state = `(SELECT * FROM ${recordsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)})`
  const loaded = dialect.formatSessionTable(loadedRecords)
  const start = formatDateTime(load.startedAt)
  const compared = `SELECT l.id, l.content_hash, l.updated_at, l.status, l.replacement, s.valid_from AS former_from, GREATEST(s.valid_from, s.removed_at) AS before,
    CASE WHEN s.id IS NULL OR s.removed_at IS NOT NULL THEN 'new'
      WHEN s.content_hash <> l.content_hash THEN 'changed'
      WHEN s.updated_at IS DISTINCT FROM l.updated_at THEN 'touched'
      ELSE 'unchanged' END AS change
    FROM ${loaded} AS l LEFT JOIN ${state} AS s ON s.id = l.id
    WHERE l.content_hash <> ''`
  // A full load lacks them; a delta has them without a content hash. See record-table.ts for rows without content.
  const isGone =
    load.kind === 'full'
      ? `NOT EXISTS (SELECT 1 FROM ${loaded} AS l WHERE l.id = s.id)`
      : `EXISTS (SELECT 1 FROM ${loaded} AS l WHERE l.id = s.id AND l.content_hash IS NULL)`
  const gone = `SELECT s.id, s.content_hash, s.updated_at, s.status, s.replacement, s.valid_from, ${latest(start, 's.valid_from')}, 'removed', FALSE
    FROM ${state} AS s WHERE s.removed_at IS NULL AND ${isGone}`
  return `${dialect.createSessionTable} ${quoteName(loadChanges)} AS
  SELECT id, content_hash, updated_at, status, replacement,
    CASE WHEN change IN ('touched', 'unchanged') THEN former_from
      WHEN before IS NULL THEN COALESCE(updated_at, ${start})
      WHEN updated_at > before THEN updated_at
      ELSE ${latest(start, 'before')} END AS valid_from,
    CAST(NULL AS TIMESTAMP WITH TIME ZONE) AS removed_at,
    change, ${rewritesAll ? 'TRUE' : "change <> 'unchanged'"} AS is_placed
  FROM (${compared}) AS compared
  UNION ALL
  ${gone}`
}

function latest(start: string, before: string): string {
  return `GREATEST(${start}, ${before} + INTERVAL '1 millisecond')`
}

export interface TableStatements {
  /** Takes away or closes what the load's rows come in place of. */
  readonly clear: readonly string[]
  readonly insert: string
}

/** Puts the rows of one table in place, once the comparison is made. */
export function formatTableStatements(terms: LoadTerms, table: number): TableStatements {
  const { dialect, plan, load, rewritesAll } = terms
  const { name, columns, idColumn } = requireTable(plan, table)
  const target = qualify(plan, name)
  const id = quoteName(idColumn)
  const changes = dialect.formatSessionTable(loadChanges)
  const insert = (added: string, condition: string) => {
    const names = formatNames([...columns, ...listModeColumns(plan)])
    const values = formatNames(columns, 'l.') + added
    const from = `${dialect.formatSessionTable(loadedTable(table))} AS l`
    const joined = condition === '' ? '' : ` JOIN ${changes} AS c ON c.id = l.${id} WHERE ${condition}`
    return `INSERT INTO ${target} (${names}) SELECT ${values} FROM ${from}${joined}`
  }
  const remove = (condition: string) =>
    `DELETE FROM ${target} AS t USING ${changes} AS c WHERE t.${id} = c.id AND ${condition}`
  const update = (values: string, condition: string) =>
    `UPDATE ${target} AS t SET ${values} FROM ${changes} AS c WHERE t.${id} = c.id AND ${condition}`
  const removed = "c.change = 'removed'"
  // Rows of records that this pipeline never loaded stay, as do those of a record whose line is rejected now.
  // One statement of both is three times as slow in PostgreSQL.
  const removeKnown = (condition: string) =>
    `DELETE FROM ${target} AS t WHERE EXISTS (SELECT 1 FROM ${recordsTable(plan)} AS s WHERE s.pipeline = ${quoteText(plan.pipeline)} AND s.id = t.${id}${condition})`
  switch (plan.mode) {
    case 'snapshot':
      return { clear: [removeKnown(''), remove("c.change = 'new'")], insert: insert('', '') }
    case 'append': {
      const date = `DATE ${quoteText(load.startedAt.toISOString().slice(0, 10))}`
      return { clear: [], insert: insert(`, ${date}, ${quoteText(load.runId)}`, "c.change IN ('new', 'changed')") }
    }
    case 'merge':
      if (plan.removed === 'mark') {
        const mark = update('"_removed_at" = c.removed_at', removed)
        return { clear: [remove('c.is_placed'), mark], insert: insert(', NULL', 'c.is_placed') }
      }
      // What an earlier config left marked goes with it.
      if (rewritesAll)
        return { clear: [removeKnown(' AND s.removed_at IS NOT NULL'), remove('TRUE')], insert: insert('', '') }
      return { clear: [remove(`(c.is_placed OR ${removed})`)], insert: insert('', 'c.is_placed') }
    case 'history': {
      const replace = remove("t.is_current AND c.is_placed AND c.change IN ('touched', 'unchanged')")
      const close = update('valid_to = c.valid_from, is_current = FALSE', "t.is_current AND c.change = 'changed'")
      const end = update('valid_to = c.removed_at, is_current = FALSE', `t.is_current AND ${removed}`)
      return { clear: [replace, close, end], insert: insert(', c.valid_from, NULL, TRUE', 'c.is_placed') }
    }
  }
}

/** Counts the rows of a table whose record is none of the pipeline's, here or gone. */
export function formatForeignRows(plan: LoadTerms['plan'], table: number): string {
  const { name, idColumn } = requireTable(plan, table)
  const isOwn = `SELECT 1 FROM ${recordsTable(plan)} AS s WHERE s.pipeline = ${quoteText(plan.pipeline)} AND s.id = t.${quoteName(idColumn)}`
  return `SELECT CAST(count(*) AS varchar) AS found FROM ${qualify(plan, name)} AS t WHERE NOT EXISTS (${isOwn})`
}

function requireTable({ tables }: Pick<DatabaseOutputPlan, 'tables'>, table: number) {
  const found = tables[table]
  if (found === undefined) throw new TypeError(`expected one of ${tables.length} tables, got number ${table}`)
  return found
}

/** The columns of a target's table: those of the rows, and those of the mode. */
export function listTargetColumns(plan: LoadTerms['plan'], table: number): Column[] {
  return [...requireTable(plan, table).columns, ...listModeColumns(plan)]
}
