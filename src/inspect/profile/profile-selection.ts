import { CatalogueError } from '../../errors.ts'
import { closest, formatSuggestion, listChoices } from '../../text/choices.ts'
import type { ReadableTable } from './readable-table.ts'

export interface ProfileSelection {
  readonly tables?: readonly string[] | undefined
  /** Names of columns, in every table that has them. */
  readonly columns?: readonly string[] | undefined
}

/** Throws USAGE for an unknown table. */
export function checkTables({ tables = [] }: ProfileSelection, names: readonly string[]): void {
  for (const name of tables) if (!names.includes(name)) throw unknown('--table', name, names)
}

export function isWanted({ tables }: ProfileSelection, table: string): boolean {
  return tables === undefined || tables.includes(table)
}

/** Selects tables and columns. Throws USAGE if a name is in none of them. */
export function selectTables(tables: readonly ReadableTable[], selection: ProfileSelection): ReadableTable[] {
  checkTables(
    selection,
    tables.map(({ name }) => name),
  )
  return selectColumns(
    tables.filter(({ name }) => isWanted(selection, name)),
    selection,
  )
}

function selectColumns(tables: readonly ReadableTable[], { columns }: ProfileSelection): ReadableTable[] {
  if (columns === undefined) return [...tables]
  const names = [...new Set(tables.flatMap((table) => table.columns.map(({ name }) => name)))]
  for (const name of columns) if (!names.includes(name)) throw unknown('--column', name, names)
  return tables.flatMap((table) => {
    const own = table.columns.filter(({ name }) => columns.includes(name))
    return own.length === 0 ? [] : [{ ...table, columns: own }]
  })
}

function unknown(option: string, name: string, names: readonly string[]): CatalogueError {
  const suggestion = formatSuggestion(closest(name, names))
  return new CatalogueError('USAGE', `expected one of ${listChoices(names)}, got ${option} "${name}"${suggestion}`)
}
