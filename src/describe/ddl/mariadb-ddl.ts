import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { formatNames } from '../../loads/databases/sql-dialect.ts'
import type { Column } from '../../records/flatten/column.ts'
import { insertRows, stageTables, type PlacedRows } from './changes-dialect.ts'
import { nameType, type DdlDialect } from './ddl-dialect.ts'

/** The characters of a database that its owner has not chosen are fewer. */
const textType = 'longtext CHARACTER SET utf8mb4'

/** Compares texts by their characters, as other warehouses do. */
const tableOptions = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin'

export const mariadbDdl: DdlDialect = {
  // LOAD DATA takes the text NULL in CSV for no value, and no value for an empty text.
  listFormats: () => ['ndjson'],
  refuses({ gzip, path }) {
    if (path === null) return 'several files a table, of which LOAD DATA reads one'
    return gzip ? '.gz, which LOAD DATA does not read' : null
  },
  notes: [
    'For `mariadb --local-infile`, MariaDB 10.6 or newer: LOCAL reads files of the machine that it runs on. Times are in UTC; a list is JSON.',
  ],
  settings: ['SET NAMES utf8mb4;', "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES';"],
  quoteName,
  formatType: (column, { format }) => nameType(column, 'mariadb', format, () => 'json'),
  comments: { kind: 'inline', format: (text) => `COMMENT ${quoteText(text)}` },
  tableOptions,
  changes: {
    transaction: ['START TRANSACTION;', 'COMMIT;'],
    formatIndex: (idColumn) => `KEY (${idColumn}(64))`,
    formatKey: (columns) => `PRIMARY KEY (${columns.map((name) => `${name}(255)`).join(', ')})`,
    now: 'UTC_TIMESTAMP(3)',
    formatStage: stageTables((name) => `CREATE OR REPLACE TEMPORARY TABLE ${name}`, ` ${tableOptions}`),
    formatRefusal: (condition, message) =>
      [
        'DELIMITER //',
        `BEGIN NOT ATOMIC IF ${condition} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = ${quoteText(message)}; END IF; END //`,
        'DELIMITER ;',
      ].join('\n'),
    formatDelete: (table, idColumn, query) =>
      `DELETE t FROM ${table} AS t JOIN (${query}) AS s ON t.${idColumn} = s.record;`,
    formatUpsert,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad(table, columns, { pattern }) {
    const scalars = columns.filter((column) => !isJson(column))
    const paths = scalars.map(({ name }) => `${quoteName(name)} ${textType} PATH ${quotePath(name)} ERROR ON ERROR`)
    const fields = `JSON_TABLE(line, '$' COLUMNS (${paths.join(', ')})) AS r`
    return [
      `CREATE OR REPLACE TEMPORARY TABLE catalogue_lines (line ${textType});`,
      `LOAD DATA LOCAL INFILE ${quoteText(pattern)} INTO TABLE catalogue_lines CHARACTER SET utf8mb4`,
      "FIELDS TERMINATED BY X'01' ESCAPED BY '' LINES TERMINATED BY X'0A';",
      `INSERT INTO ${table} (${formatNames(columns)})`,
      `SELECT ${columns.map(formatValue).join(', ')}`,
      `FROM catalogue_lines${paths.length > 0 ? `, ${fields}` : ''};`,
    ].join('\n')
  },
}

/** Rows of others may refer to a row that is updated, not to one that is replaced. */
function formatUpsert(table: string, { columns, idColumn, query }: PlacedRows): string {
  const update = columns.map((name) => `t.${name} = s.${name}`).join(', ')
  const lacking = `NOT EXISTS (SELECT 1 FROM ${table} AS t WHERE t.${idColumn} = s.${idColumn})`
  return [
    `UPDATE ${table} AS t JOIN (${query}) AS s ON t.${idColumn} = s.${idColumn} SET ${update};`,
    insertRows(table, columns, `SELECT * FROM (${query}) AS s WHERE ${lacking}`),
  ].join('\n')
}

function isJson({ type, list }: Column): boolean {
  return list || type.kind === 'json'
}

/** Columns of JSON_TABLE are text, so that the column of the table converts it, and refuses what it would change. */
function formatValue(column: Column): string {
  if (isJson(column)) return `NULLIF(JSON_COMPACT(JSON_EXTRACT(line, ${quotePath(column.name)})), 'null')`
  const value = `r.${quoteName(column.name)}`
  if (column.type.kind === 'boolean') return `${value} = 'true'`
  return column.type.kind === 'timestamp' ? `REPLACE(${value}, 'Z', '')` : value
}

function quotePath(name: string): string {
  return quoteText(`$.${JSON.stringify(name)}`)
}
