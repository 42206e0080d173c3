import { databaseServers } from '../../../config/database-servers.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { typeOf } from '../../../types/column-types.ts'
import { cutText } from '../../../text/cut-text.ts'
import { quoteName, quoteText } from '../../files/sql-text.ts'
import type { SqlDialect } from '../sql-dialect.ts'

/** For a session with `plainMode`: names are in double quotes, and backslashes are ordinary characters. */
export const mariadbDialect: SqlDialect = {
  name: 'mariadb',
  formatType,
  fits(column, type) {
    const usual = formatType(column)
    // Columns of the type json have the collation of MariaDB.
    if (isJson(column)) return type === usual || type === `${usual} COLLATE utf8mb4_bin`
    if (usual === 'longtext') return /^(?:(?:long|medium)?text|varchar\(\d+\))$/.test(type)
    // Servers report a width of whole numbers.
    return type.replace(/^(bigint)\(\d+\)$/, '$1') === usual
  },
  formatComparable: (value, { type, list = false }) =>
    list || type?.kind === 'json' ? `${value} COLLATE ${exactCollation}` : value,
  formatTypeChange: (table, column) => `ALTER TABLE ${table} MODIFY ${quoteName(column.name)} ${formatType(column)}`,
  formatDateTime: formatMariadbTime,
  formatDistinct: (one, other) => `NOT (${one} <=> ${other})`,
  oneMillisecond: 'INTERVAL 1000 MICROSECOND',
  noTime: 'CAST(NULL AS DATETIME(3))',
  // Temporary tables are in the database of the session.
  formatSessionTable: quoteName,
  formatMilliseconds: (expression) => `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${expression}) DIV 1000`,
  formatSessionTableAs(name, query, indexed = []) {
    const index = indexed.length === 0 ? '' : ` (INDEX (${indexed.map(quoteName).join(', ')}))`
    return `CREATE TEMPORARY TABLE ${quoteName(name)}${index}${tableOptions} AS ${query}`
  },
  formatUpdate({ table, as, values, from, where }) {
    const assigned = values.map(([column, value]) => `${as}.${quoteName(column)} = ${value}`)
    return `UPDATE ${table} AS ${as}, ${from} SET ${assigned.join(', ')} WHERE ${where}`
  },
  formatDelete: ({ table, as, from, where }) =>
    `DELETE ${as} FROM ${table} AS ${as}${from === undefined ? '' : `, ${from}`} WHERE ${where}`,
  columnFacts: {
    isGenerated: "is_generated = 'ALWAYS'",
    // The default null is a text in MariaDB.
    isEmptied: "is_nullable = 'YES' AND coalesce(column_default, 'NULL') = 'NULL' AND extra = ''",
  },
  keys: 'created',
  commitsDefinitions: true,
  foldsColumns: true,
  inline: {
    formatComment: (text) => ` COMMENT ${quoteText(cutText(text, 1023))}`,
    formatTable: (comment) => `${tableOptions} COMMENT ${quoteText(cutText(comment, 2047))}`,
  },
  toShown: (statement) => statement.replaceAll(/"((?:[^"]|"")*)"/g, (_, name: string) => quoteLikeClients(name)),
  maxNameBytes: databaseServers.mariadb.mostNameBytes,
}

/** `TIMESTAMP '2026-03-01 02:15:00.000'`, in UTC as the session is. */
function formatMariadbTime(dateTime: Date): string {
  return `TIMESTAMP '${dateTime.toISOString().slice(0, 23).replace('T', ' ')}'`
}

/** Compares texts as their bytes, and counts blanks at their end. */
export const exactCollation = 'utf8mb4_nopad_bin'
const tableOptions = ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=${exactCollation}`

/**
 * The longest text of a key, in characters. An index has at most 3,072 bytes, four for each character: room for an id, and for
 * the name of a pipeline before it.
 */
const mostKeyCharacters = 512
const mostNameCharacters = 191

function formatType(column: Column, isKey = false): string {
  const { name, type } = column
  // The type json would refuse values that are nested deeply.
  const usual = isJson(column) ? 'longtext' : type.kind === 'boolean' ? 'tinyint(1)' : typeOf(type).sql.mariadb
  if (!isKey) return usual
  const most = name === 'pipeline' ? mostNameCharacters : mostKeyCharacters
  return `${usual === 'longtext' ? `varchar(${most})` : usual} NOT NULL`
}

function isJson({ type, list }: Column): boolean {
  return list || type.kind === 'json'
}

/** As clients have it whose session is not in a mode of its own. */
function quoteLikeClients(name: string): string {
  return `\`${name.replaceAll('""', '"').replaceAll('`', '``')}\``
}
