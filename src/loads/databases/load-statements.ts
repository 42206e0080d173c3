import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { Column } from '../../records/flatten/column.ts'
import { formatChanges, formatComparison, listPlacedChanges } from '../changes/compare-records.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { DatabaseOutputPlan } from './database-output.ts'
import type { SqlDialect } from './sql-dialect.ts'
import { loadChanges, loadedRecords, loadedTable, qualify, recordsTable, type LoadTerms } from './state-tables.ts'

export function formatChangesTable({ dialect, plan, load }: LoadTerms): string {
  const comparison = formatComparison({
    loaded: dialect.formatSessionTable(loadedRecords),
    state: `(SELECT * FROM ${recordsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)})`,
    kind: load.kind,
    startedAt: load.startedAt,
    carried: ['content_hash', 'updated_at', 'status', 'replacement'],
    forms: dialect,
  })
  return dialect.formatSessionTableAs(loadChanges, comparison, ['id'])
}

export interface TableStatements {
  /** Deletes or closes the rows that those of the load replace. */
  readonly clear: readonly string[]
  /** Updates rows whose values differ from the load's; null if such rows are cleared. */
  readonly update: string | null
  readonly insert: string
}

export interface Placing {
  /** Rows are updated by their key; else they are deleted and inserted anew. */
  readonly isInPlace: boolean
  /** Columns outside the plan, which are set to null in rows with new values. */
  readonly emptied: readonly string[]
}

export function formatTableStatements(terms: LoadTerms, table: number, placing: Placing): TableStatements {
  const { dialect, plan, load, rewritesAll } = terms
  const { name, columns, idColumn } = requireTable(plan, table)
  const target = qualify(plan, name)
  const id = quoteName(idColumn)
  const changes = dialect.formatSessionTable(loadChanges)
  const loaded = `${dialect.formatSessionTable(loadedTable(table))} AS l`
  const isSame = (listKeyColumns(plan, table) ?? [])
    .map(
      (key) => `t.${quoteName(key)} = ${key === 'valid_from' && plan.mode === 'history' ? 'c' : 'l'}.${quoteName(key)}`,
    )
    .join(' AND ')
  const isGone = placing.isInPlace ? ` AND NOT EXISTS (SELECT 1 FROM ${loaded} WHERE ${isSame})` : ''
  const isNew = placing.isInPlace ? `NOT EXISTS (SELECT 1 FROM ${target} AS t WHERE ${isSame})` : ''
  const place = (
    added: Readonly<Record<string, string>>,
    condition: string,
  ): Pick<TableStatements, 'update' | 'insert'> => {
    const from = condition === '' ? loaded : `${loaded} JOIN ${changes} AS c ON c.id = l.${id}`
    const names = [...columns.map((column) => quoteName(column.name)), ...Object.keys(added).map(quoteName)]
    const values = [...columns.map((column) => `l.${quoteName(column.name)}`), ...Object.values(added)]
    const where = [condition, isNew].filter((each) => each !== '').join(' AND ')
    const insert = `INSERT INTO ${target} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}${where && ` WHERE ${where}`}`
    return { update: placing.isInPlace ? formatUpdate(added, from, condition) : null, insert }
  }
  const formatUpdate = (added: Readonly<Record<string, string>>, from: string, condition: string) => {
    const keys = new Set(listKeyColumns(plan, table))
    const assigned = [
      ...columns.map((column) => ({ column, value: `l.${quoteName(column.name)}` })),
      ...listModeColumns(plan).map((column) => ({ column, value: added[column.name] ?? 'NULL' })),
      ...placing.emptied.map((each) => ({ column: { name: each }, value: 'NULL' })),
    ].filter(({ column }) => !keys.has(column.name))
    if (assigned.length === 0) return null
    const values = assigned.map(({ column, value }) => [column.name, value] as const)
    const differs = assigned.map(({ column, value }) => formatDifference(dialect, column, value))
    const where = [isSame, ...(condition === '' ? [] : [condition]), `(${differs.join(' OR ')})`].join(' AND ')
    return dialect.formatUpdate({ table: target, as: 't', values, from, where })
  }
  const besides = `${changes} AS c`
  const remove = (condition: string) =>
    dialect.formatDelete({ table: target, as: 't', from: besides, where: `t.${id} = c.id AND ${condition}${isGone}` })
  const update = (values: Readonly<Record<string, string>>, condition: string) =>
    dialect.formatUpdate({
      table: target,
      as: 't',
      values: Object.entries(values),
      from: besides,
      where: `t.${id} = c.id AND ${condition}`,
    })
  const removed = "c.change = 'removed'"
  const isPlaced = `c.change IN ${formatChanges(listPlacedChanges(plan.mode === 'snapshot' ? 'merge' : plan.mode, rewritesAll))}`
  // Rows of records that this pipeline never loaded stay, as do those of a record whose line is rejected now.
  // One statement of both is three times as slow in PostgreSQL.
  const removeKnown = (condition: string) =>
    dialect.formatDelete({
      table: target,
      as: 't',
      where: `EXISTS (SELECT 1 FROM ${recordsTable(plan)} AS s WHERE s.pipeline = ${quoteText(plan.pipeline)} AND s.id = t.${id}${condition})${isGone}`,
    })
  switch (plan.mode) {
    case 'snapshot':
      return { clear: [removeKnown(''), remove("c.change = 'new'")], ...place({}, '') }
    case 'append': {
      const date = `DATE ${quoteText(load.startedAt.toISOString().slice(0, 10))}`
      return { clear: [], ...place({ run_date: date, run_id: quoteText(load.runId) }, isPlaced) }
    }
    case 'merge':
      if (plan.removed === 'mark') {
        const mark = update({ _removed_at: 'c.removed_at' }, removed)
        return { clear: [remove(isPlaced), mark], ...place({ _removed_at: 'NULL' }, isPlaced) }
      }
      // Rows that an earlier config marked are removed, too.
      if (rewritesAll)
        return { clear: [removeKnown(' AND s.removed_at IS NOT NULL'), remove('TRUE')], ...place({}, '') }
      return { clear: [remove(`(${isPlaced} OR ${removed})`)], ...place({}, isPlaced) }
    case 'history': {
      const replace = remove(`t.is_current AND ${isPlaced} AND c.change IN ('touched', 'unchanged')`)
      const close = update({ valid_to: 'c.valid_from', is_current: 'FALSE' }, "t.is_current AND c.change = 'changed'")
      const end = update({ valid_to: 'c.removed_at', is_current: 'FALSE' }, `t.is_current AND ${removed}`)
      return {
        clear: [replace, close, end],
        ...place({ valid_from: 'c.valid_from', valid_to: 'NULL', is_current: 'TRUE' }, isPlaced),
      }
    }
  }
}

function formatDifference(
  { formatDistinct, formatComparable = (each) => each }: SqlDialect,
  column: Pick<Column, 'name'> & Partial<Column>,
  value: string,
): string {
  const name = `t.${quoteName(column.name)}`
  if (value === 'NULL') return `${name} IS NOT NULL`
  return formatDistinct(formatComparable(name, column), formatComparable(value, column))
}

/** The columns that identify a row; null if rows may be alike. */
export function listKeyColumns(plan: LoadTerms['plan'], table: number): readonly string[] | null {
  const { idColumn, positionColumns } = requireTable(plan, table)
  if (plan.mode === 'append') return null
  return [idColumn, ...positionColumns, ...(plan.mode === 'history' ? ['valid_from'] : [])]
}

/** Counts the rows of a table whose record the pipeline has never loaded. */
export function formatForeignRows(plan: LoadTerms['plan'], table: number): string {
  const { name, idColumn } = requireTable(plan, table)
  const isOwn = `SELECT 1 FROM ${recordsTable(plan)} AS s WHERE s.pipeline = ${quoteText(plan.pipeline)} AND s.id = t.${quoteName(idColumn)}`
  return `SELECT count(*) AS found FROM ${qualify(plan, name)} AS t WHERE NOT EXISTS (${isOwn})`
}

function requireTable({ tables }: Pick<DatabaseOutputPlan, 'tables'>, table: number) {
  const found = tables[table]
  if (found === undefined) throw new TypeError(`expected one of ${tables.length} tables, got number ${table}`)
  return found
}

export function listTargetColumns(plan: LoadTerms['plan'], table: number): Column[] {
  return [...requireTable(plan, table).columns, ...listModeColumns(plan)]
}
