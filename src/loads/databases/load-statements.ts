import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { Column } from '../../records/flatten/column.ts'
import { formatChanges, formatComparison, listPlacedChanges } from '../changes/compare-records.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { DatabaseOutputPlan } from './database-output.ts'
import { loadChanges, loadedRecords, loadedTable, qualify, recordsTable, type LoadTerms } from './state-tables.ts'
import { formatNames } from './sql-dialect.ts'

/** Compares the load's records with the state, into `loadChanges`: see `formatComparison`. */
export function formatChangesTable({ dialect, plan, load }: LoadTerms): string {
  const comparison = formatComparison({
    loaded: dialect.formatSessionTable(loadedRecords),
    state: `(SELECT * FROM ${recordsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)})`,
    kind: load.kind,
    startedAt: load.startedAt,
    carried: ['content_hash', 'updated_at', 'status', 'replacement'],
  })
  return `${dialect.createSessionTable} ${quoteName(loadChanges)} AS ${comparison}`
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
  const isPlaced = `c.change IN ${formatChanges(listPlacedChanges(plan.mode === 'snapshot' ? 'merge' : plan.mode, rewritesAll))}`
  // Rows of records that this pipeline never loaded stay, as do those of a record whose line is rejected now.
  // One statement of both is three times as slow in PostgreSQL.
  const removeKnown = (condition: string) =>
    `DELETE FROM ${target} AS t WHERE EXISTS (SELECT 1 FROM ${recordsTable(plan)} AS s WHERE s.pipeline = ${quoteText(plan.pipeline)} AND s.id = t.${id}${condition})`
  switch (plan.mode) {
    case 'snapshot':
      return { clear: [removeKnown(''), remove("c.change = 'new'")], insert: insert('', '') }
    case 'append': {
      const date = `DATE ${quoteText(load.startedAt.toISOString().slice(0, 10))}`
      return { clear: [], insert: insert(`, ${date}, ${quoteText(load.runId)}`, isPlaced) }
    }
    case 'merge':
      if (plan.removed === 'mark') {
        const mark = update('"_removed_at" = c.removed_at', removed)
        return { clear: [remove(isPlaced), mark], insert: insert(', NULL', isPlaced) }
      }
      // Rows that an earlier config marked are removed, too.
      if (rewritesAll)
        return { clear: [removeKnown(' AND s.removed_at IS NOT NULL'), remove('TRUE')], insert: insert('', '') }
      return { clear: [remove(`(${isPlaced} OR ${removed})`)], insert: insert('', isPlaced) }
    case 'history': {
      const replace = remove(`t.is_current AND ${isPlaced} AND c.change IN ('touched', 'unchanged')`)
      const close = update('valid_to = c.valid_from, is_current = FALSE', "t.is_current AND c.change = 'changed'")
      const end = update('valid_to = c.removed_at, is_current = FALSE', `t.is_current AND ${removed}`)
      return { clear: [replace, close, end], insert: insert(', c.valid_from, NULL, TRUE', isPlaced) }
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
