import { labelsOf } from '../../formats/file-format.ts'
import { listFileModeColumns } from '../../plan/outputs/output-mode.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { isLakePlan } from '../../plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { describeModeColumn, describeTables, type TableDescription } from '../../plan/records/describe-tables.ts'
import { toPublishedPaths } from '../published-paths.ts'
import { bigqueryDdl } from './bigquery-ddl.ts'
import { clickhouseDdl } from './clickhouse-ddl.ts'
import { whyNotLoaded, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'
import { duckdbDdl } from './duckdb-ddl.ts'
import { mariadbDdl } from './mariadb-ddl.ts'
import { postgresDdl } from './postgres-ddl.ts'
import { redshiftDdl } from './redshift-ddl.ts'
import { snowflakeDdl } from './snowflake-ddl.ts'
import { sparkDdl } from './spark-ddl.ts'

export const ddlDialects = {
  postgres: postgresDdl,
  duckdb: duckdbDdl,
  snowflake: snowflakeDdl,
  bigquery: bigqueryDdl,
  redshift: redshiftDdl,
  spark: sparkDdl,
  clickhouse: clickhouseDdl,
  mariadb: mariadbDdl,
} as const satisfies Record<string, DdlDialect>

export type DdlDialectName = keyof typeof ddlDialects

/**
 * Formats CREATE TABLE for every table that a plan publishes as files, each with the statements that load it. If a
 * table has several formats, the one that suits the warehouse best is loaded. Calls `onWarning` for each table without
 * a loadable file. Throws USAGE if no table has one.
 */
export function formatDdl(
  plan: { readonly name: string; readonly records: RecordsPlan; readonly outputs: OutputsPlan },
  dialectName: DdlDialectName,
  onWarning: (message: string) => void = () => undefined,
): string {
  const dialect: DdlDialect = ddlDialects[dialectName]
  const left: string[] = []
  const statements = describeTables(plan.records).flatMap(({ name, description, columns }, at) => {
    const own = plan.outputs.files.filter(({ table }) => table === at)
    const formats = dialect.listFormats(columns)
    const published = choosePublished(own, formats, dialect)
    if (published === null) {
      const got = [...new Set(own.map((file) => formatFormat(file, dialect)))].join(', ')
      if (got !== '') left.push(`table "${name}": expected an output in ${formats.toSorted().join(' or ')}, got ${got}`)
      return []
    }
    const { file, files } = published
    const ofFile = [...columns, ...listFileModeColumns(file).map(describeModeColumn)]
    const table = dialect.quoteName(name)
    const created = { table, description, columns: ofFile }
    const create = formatCreate(created, files, dialect)
    return [create, ...formatComments(created, dialect), dialect.formatLoad(table, ofFile, files)]
  })
  if (statements.length === 0) throw nothingToLoad(plan.name, plan.outputs, left)
  for (const why of left) onWarning(`not loaded: ${why}`)
  const notes = [...dialect.notes, ...left.map((why) => `Not loaded: ${why}.`)]
  const head = [...notes.map((note) => `-- ${note}`), ...(dialect.settings ?? [])]
  return `${[...head, ...statements].join('\n')}\n`
}

function nothingToLoad(name: string, { files, stateful }: OutputsPlan, left: readonly string[]): CatalogueError {
  if (files.length === 0) {
    const isLake = stateful?.databases.some(isLakePlan) ?? false
    const message = `pipeline "${name}": expected an output that is files, got none`
    return new CatalogueError('USAGE', message, {
      fix: isLake
        ? 'Engines read the tables of lakes where they are; `--views` prints views of those of one run, see docs/lake.md.'
        : 'A database output creates its tables by itself.',
    })
  }
  const message = `pipeline "${name}": ${left.join('; ')}`
  return new CatalogueError('USAGE', message, {
    fix: 'Add an output in one of these formats, without escapeFormulas and decimalSeparator.',
  })
}

function formatFormat(file: FilePlan, dialect: DdlDialect): string {
  const { format } = file.format
  const files = toPublishedFiles(file)
  const reason = files && whyNotLoaded(files, dialect)
  return reason === null ? format : `${format} with ${reason}`
}

function choosePublished(
  files: readonly FilePlan[],
  formats: readonly PublishedFiles['format'][],
  dialect: DdlDialect,
) {
  for (const format of formats) {
    for (const file of files) {
      const published = toPublishedFiles(file)
      if (published?.format === format && whyNotLoaded(published, dialect) === null) return { file, files: published }
    }
  }
  return null
}

/** Null for workbooks. */
function toPublishedFiles(file: FilePlan): PublishedFiles | null {
  const { format } = file
  if (format.format === 'xlsx') return null
  const csv = format.format === 'csv' ? format.dialect : null
  return {
    format: format.format,
    ...toPublishedPaths(file),
    gzip: file.gzip,
    csv,
    isLabelled: labelsOf(format) !== undefined,
  }
}

export type CreatedTable = Pick<TableDescription, 'description' | 'columns'> & { readonly table: string }

/** Formats CREATE TABLE. `how` has what is said otherwise than by default. */
export function formatCreate(
  { table, description, columns }: CreatedTable,
  files: Pick<PublishedFiles, 'format'>,
  dialect: DdlDialect,
  how: { readonly command?: string; readonly options?: string | undefined; readonly index?: string | undefined } = {},
): string {
  const { comments } = dialect
  const { command = 'CREATE TABLE', options = dialect.tableOptions, index } = how
  const suffix = (text: string): string =>
    comments.kind === 'inline' && text !== '' ? ` ${comments.format(text)}` : ''
  const lines = columns.map((column) => {
    return `  ${dialect.quoteName(column.name)} ${dialect.formatType(column, files)}${suffix(column.description)}`
  })
  const all = [...lines, ...(index === undefined ? [] : [`  ${index}`])]
  const end = options === undefined ? '' : ` ${options}`
  return `\n${command} ${table} (\n${all.join(',\n')}\n)${end}${suffix(description)};`
}

export function formatComments({ table, description, columns }: CreatedTable, dialect: DdlDialect): string[] {
  const { comments } = dialect
  if (comments.kind === 'inline') return []
  const ofColumns = columns
    .filter((column) => column.description !== '')
    .map((column) => comments.format(`COLUMN ${table}.${dialect.quoteName(column.name)}`, column.description))
  const ofTable = description === '' ? [] : [comments.format(`TABLE ${table}`, description)]
  return [...ofTable, ...ofColumns]
}
