import { CatalogueError, isError } from '../../errors.ts'
import { closest, formatSuggestion, listChoices } from '../../text/choices.ts'
import type { PublishedTable } from './published-table.ts'

export interface KnownTables {
  readonly tables: readonly PublishedTable[]
  /** Those that the statement names. */
  readonly named: readonly PublishedTable[]
}

/** An error of DuckDB about a statement as USAGE, with the tables and columns that there are. Other errors are returned unchanged. */
export function translateError(error: unknown, known: KnownTables): unknown {
  if (error instanceof CatalogueError || !isError(error)) return error
  const [, kind = ''] = /^(\w[\w ]*) Error: /.exec(error.message) ?? []
  if (!kinds.has(kind)) return error
  return new CatalogueError('USAGE', `sql: ${describe(kind, error.message, known)}${showPlace(error.message)}`, {
    title: 'DuckDB cannot run the statement',
    fix: toFix(error.message, known),
    cause: error,
  })
}

const kinds = new Set([
  'Binder',
  'Catalog',
  'Parser',
  'Conversion',
  'Invalid Input',
  'Permission',
  'Out of Range',
  'Not implemented',
  'Mismatch Type',
])

function describe(kind: string, message: string, { tables, named }: KnownTables): string {
  const [, said = ''] = /^[\w ]+ Error: ([^\n]*)/.exec(message) ?? []
  const [, table] = /^Table with name (\S+) does not exist/.exec(said) ?? []
  if (table !== undefined) {
    const names = tables.map(({ name }) => name)
    return `expected a table of the last run, got "${table}"${formatSuggestion(closest(table, names))}`
  }
  const [, unknown] = noFunction.exec(message) ?? []
  if (unknown !== undefined) {
    const [, meant] = /\nDid you mean "(.+?)"/.exec(message) ?? []
    const suggestion = formatSuggestion(meant && closest(unknown, [meant]))
    return `expected a function of DuckDB, got "${unknown}"${suggestion}`
  }
  const [, column] = /^Referenced column "(.+?)" not found/.exec(said) ?? []
  if (column !== undefined) {
    const names = new Set(named.flatMap(({ columns }) => columns.map(({ name }) => name)))
    return `expected a column of the tables after FROM, got "${column}"${formatSuggestion(closest(column, names))}`
  }
  const [, path] = /^Cannot access (?:file|directory) "(.+?)"/.exec(said) ?? []
  if (kind === 'Permission')
    return `expected tables of the last run, got ${path ?? said}: other files and addresses are out of reach`
  return said
}

/** The line of the statement, with a mark below. The statement begins on the second line of what DuckDB gets. */
function showPlace(message: string): string {
  const [, number, line = '', mark = ''] = /\nLINE (\d+): (.*)\n(.*\^)/.exec(message) ?? []
  if (number === undefined) return ''
  const indent = `LINE ${number}: `.length
  return `\n  ${line}\n  ${mark.slice(indent)}`
}

const noFunction = /^Catalog Error: (?:\w+ )*(?:Function|Macro) with name (\S+) does not exist!/

function toFix(message: string, { tables, named }: KnownTables): string {
  if (noFunction.test(message)) return '`select distinct function_name from duckdb_functions()` lists the functions.'
  const candidates = /Candidate functions:\n((?:\t.+\n?)+)/.exec(message)?.[1]
  if (candidates !== undefined) return `What it takes: ${listChoices(candidates.trim().split(/\n\t?/))}.`
  if (message.startsWith('Binder Error') && named.length <= mostNamed)
    return named
      .map(({ name, columns }) => `Columns of ${name}: ${listChoices(columns.map((each) => each.name))}.`)
      .join(' ')
  return `Tables: ${listChoices(tables.map(({ name }) => name))}. \`DESCRIBE ${tables[0]?.name}\` lists the columns of one.`
}

const mostNamed = 3
