import { CatalogueError } from '../../../errors.ts'
import { quoteName } from '../../../loads/files/sql-text.ts'
import { closest, formatSuggestion } from '../../../text/choices.ts'
import type { ReadableColumn } from '../../profile/readable-table.ts'
import { formatText } from './compare-tables.ts'
import type { TablePair } from './pair-tables.ts'
import type { RunTable } from './run-tables.ts'

/** Columns of the table of records that come beside each difference, also beside those of child tables. */
export interface WithColumns {
  /** As they were asked for. */
  readonly names: readonly string[]
  readonly pair: TablePair | null
  readonly columns: readonly string[]
}

/**
 * Finds columns by their name or by the field that they come from: `cnk`, `name` for the first of `name.nl` and
 * `name.fr`, `brands[0].name`. Throws USAGE for one that is not there.
 */
export function chooseWithColumns(
  pairs: readonly TablePair[],
  asked: readonly string[] | undefined,
  isForPeople: boolean,
): WithColumns {
  const pair = pairs.find(([, { key, places }]) => key.isOfRecords && [...places.values()].includes('id')) ?? null
  const [, next] = pair ?? []
  const found = asked ?? (isForPeople ? usual : [])
  const columns = found.map((wanted) => (next === undefined ? undefined : findColumn(next, wanted)))
  const missing = asked?.find((_, at) => columns[at] === undefined)
  if (missing !== undefined) throw lacksColumn(missing, next)
  const chosen = found.flatMap((name, at) => (columns[at] === undefined ? [] : [{ name, column: columns[at] }]))
  return { names: chosen.map(({ name }) => name), pair, columns: chosen.map(({ column }) => column) }
}

const usual = ['cnk', 'name', 'brands[0].name']

function lacksColumn(wanted: string, next: RunTable | undefined): CatalogueError {
  const names = next === undefined ? [] : next.columns.map(({ name }) => name)
  const suggestion = formatSuggestion(closest(wanted, names))
  const message = `--with ${wanted}: expected a column of the table of records, or a field that one comes from, got none${suggestion}`
  return new CatalogueError('USAGE', message, { fix: names.length === 0 ? undefined : `It has ${names.join(', ')}.` })
}

export function findColumn(
  { name: table, columns, places }: Pick<RunTable, 'name' | 'columns' | 'places'>,
  wanted: string,
): string | undefined {
  const placeOf = ({ name }: ReadableColumn) => places.get(name) ?? ''
  const found =
    columns.find(({ name }) => name === wanted || `${table}.${name}` === wanted) ??
    columns.find((column) => placeOf(column) === wanted) ??
    columns.find((column) => placeOf(column).startsWith(`${wanted}.`))
  return found?.name
}

/**
 * SQL that selects an `id` and the values `w0`, `w1`, … of each record in the table `differences`; null if nothing is
 * wanted. What the new row lacks is the last known value: replaced products lose their codes.
 */
export function formatWithTable({ pair, columns }: WithColumns): string | null {
  if (pair === null || columns.length === 0) return null
  const [old, next] = pair.map((table) => selectValues(table, columns)) as [string, string]
  const values = columns.map((_, at) => `coalesce(n.v${at}, o.v${at}) AS w${at}`)
  return `SELECT coalesce(n.id, o.id) AS id, ${values.join(', ')} FROM (${next}) n FULL JOIN (${old}) o ON n.id = o.id`
}

function selectValues({ from, columns, key }: RunTable, wanted: readonly string[]): string {
  const id = `CAST(${quoteName(key.columns[0] ?? '')} AS VARCHAR)`
  const values = wanted.map((name, at) => {
    const column = columns.find((each) => each.name === name)
    return `any_value(${column === undefined ? 'NULL::VARCHAR' : formatText(column)}) AS v${at}`
  })
  const current = columns.some(({ name, kind }) => name === 'is_current' && kind === 'boolean') ? 'AND is_current' : ''
  return `SELECT ${id} AS id, ${values.join(', ')} FROM ${from} WHERE ${id} IN (SELECT id FROM differences) ${current} GROUP BY 1`
}
