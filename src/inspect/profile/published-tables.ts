import { join } from 'node:path'
import { CatalogueError, messageOf } from '../../errors.ts'
import { defaultCsvDialect } from '../../formats/csv.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { formatParquetFiles, quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { toLakeTarget } from '../../engine/outputs/database-targets.ts'
import {
  type DatabasePlan,
  isLakePlan,
  isServerPlan,
  type LakePlan,
  type ServerPlan,
} from '../../plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { RequiredContext } from '../../run-context.ts'
import { formatColumnType } from '../../types/column-types.ts'
import { isWanted, type ProfileSelection } from './profile-selection.ts'
import { describeTable, type ReadableTable } from './readable-table.ts'
import { copySheets } from './workbook-table.ts'
import { formatCsvTable, formatNdjsonTable } from './text-table.ts'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'

export interface ProfiledPlan {
  readonly name: string
  readonly records: RecordsPlan
  readonly outputs: OutputsPlan
  readonly report: ReportPlan
}

export interface TableAccess {
  readonly duckdb: Duckdb
  readonly storage: FileStorage
  readonly folder: string
}

/** With the environment, for buckets that lakes are in. */
type PublishedAccess = TableAccess & RequiredContext<'env'>

/**
 * Opens the tables of a published run, in config order, if DuckDB can read them. Prefers Parquet files to NDJSON, CSV,
 * workbooks, a DuckDB database, lakes and servers. Throws SOURCE_CHANGED if a file is not as published.
 */
export async function openPublishedTables(
  plan: ProfiledPlan,
  published: PublishedManifest,
  access: PublishedAccess,
  selection: ProfileSelection,
): Promise<ReadableTable[]> {
  const tables: ReadableTable[] = []
  for (const [index, { name }] of plan.records.tables.entries()) {
    if (!isWanted(selection, name)) continue
    const files = chooseFiles(published.files.filter(({ table }) => table === name))
    const table = files === null ? await openDatabaseTable(plan, index, access) : await openFiles(plan, files, access)
    if (table !== null) tables.push(table)
  }
  return tables
}

/**
 * Opens the tables of any manifest if DuckDB can read their files. Throws SOURCE_CHANGED if a file is not as published,
 * and SOURCE_FAILED for unreadable CSV.
 */
export async function openListedTables(
  { files }: Pick<PublishedManifest, 'files'>,
  access: TableAccess,
): Promise<ReadableTable[]> {
  const tables: ReadableTable[] = []
  for (const name of new Set(files.map(({ table }) => table))) {
    const chosen = chooseFiles(files.filter(({ table }) => table === name))
    if (chosen !== null) tables.push(await openListed(chosen, access))
  }
  return tables
}

/**
 * Old manifests don't state the CSV dialect. Files that can't be read with the default dialect, or have another number
 * of rows then, are refused.
 */
async function openListed(chosen: ChosenFiles, access: TableAccess): Promise<ReadableTable> {
  const { format, files } = chosen
  const open = () => openFiles({ outputs: { files: [] }, records: { tables: [] } }, chosen, access)
  if (format !== 'csv') return open()
  const table = await open().catch((error: unknown) => {
    throw error instanceof CatalogueError ? error : notDefaultCsv(files, error)
  })
  const [[rows] = []] = await access.duckdb.readAll(`SELECT count(*)::DOUBLE FROM ${table.from}`)
  const published = files.reduce((sum, file) => sum + file.rows, 0)
  if (rows !== published) throw notDefaultCsv(files, new Error(`${String(rows)} rows in place of ${published}`))
  return table
}

function notDefaultCsv([file]: readonly FileReport[], cause: unknown): CatalogueError {
  const said = messageOf(cause).replaceAll(/\s+/g, ' ').slice(0, mostSaid)
  const message = `${file?.path}: expected CSV as its manifest says, or as runs write it by default, got: ${said}`
  const fix =
    'Run the pipeline again: the manifest then says how CSV was written. Parquet and NDJSON need no such options.'
  return new CatalogueError('SOURCE_FAILED', message, { title: "CSV of another form can't be read", fix, cause })
}

const mostSaid = 120

type Format = 'parquet' | 'ndjson' | 'csv' | 'xlsx'

interface ChosenFiles {
  readonly table: string
  readonly format: Format
  readonly files: readonly FileReport[]
}

/** In the order of how well they keep types. */
const readableFormats = ['parquet', 'ndjson', 'csv', 'xlsx'] as const
/** In the order of how well an output shows the current records. */
const modes = [undefined, 'snapshot', 'merge', 'append', 'history', 'changes'] as const

/** The files of a table that show the current records best; null if DuckDB can't read any. */
export function chooseFiles(files: readonly FileReport[]): ChosenFiles | null {
  for (const mode of modes) {
    for (const format of readableFormats) {
      const [first, ...others] = files.filter((file) => file.format === format && file.mode === mode)
      if (first === undefined) continue
      return {
        table: first.table,
        format,
        files: [first, ...others.filter((file) => outputOf(file) === outputOf(first))],
      }
    }
  }
  return null
}

/** Path of the output that a file belongs to as a partition, part or shard. */
function outputOf({ base, path }: FileReport): string {
  return base ?? path.replace(/\/part-\d+(\.[^/]*)$/, '$1')
}

async function openFiles(plan: DialectPlan, chosen: ChosenFiles, access: TableAccess): Promise<ReadableTable> {
  const { table: name, format, files } = chosen
  const paths: string[] = []
  for (const file of files) paths.push(await bringFile(file, `${name}-${paths.length}`, access))
  const [{ columns } = { columns: [] }] = files
  if (format === 'parquet') {
    const table = await describeTable(access.duckdb, { name, from: formatParquetFiles(paths) }, columns)
    return { ...table, files: paths }
  }
  const gzip = files.some(({ path }) => path.endsWith('.gz'))
  const text =
    format === 'xlsx'
      ? await copySheets(paths, files, join(access.folder, `${name}.csv`))
      : format === 'ndjson'
        ? formatNdjsonTable(paths, columns, gzip)
        : formatCsvTable(paths, columns, toDialect(plan, chosen), gzip)
  const copy = await copyTable(access.duckdb, text, join(access.folder, `${name}.parquet`))
  return describeTable(access.duckdb, { name, from: copy }, columns)
}

/** The local path of a file, checked to be as published. */
async function bringFile(file: FileReport, name: string, { storage, folder }: TableAccess): Promise<string> {
  const bytes = await storage.sizeOf(file.path)
  if (bytes !== file.bytes) throw notAsPublished(file, bytes)
  return storage.toLocal(file.path, join(folder, name))
}

/** Copies text to Parquet, so that it is parsed once instead of once per column. */
export async function copyTable(duckdb: Duckdb, from: string, path: string): Promise<string> {
  await duckdb.run(`COPY (SELECT * FROM ${from}) TO ${quoteText(path)} (FORMAT parquet)`)
  return formatParquetFiles([path])
}

interface DialectPlan {
  readonly outputs: Pick<OutputsPlan, 'files'>
  readonly records: { readonly tables: readonly { readonly name: string }[] }
}

/** The dialect in the manifest, or in the config if the manifest is too old to state it. */
function toDialect({ records, outputs: { files } }: DialectPlan, { table, files: [first] }: ChosenFiles) {
  if (first?.dialect !== undefined) return Object.assign({}, defaultCsvDialect, first.dialect)
  const formats = files.filter((file) => records.tables[file.table]?.name === table).map(({ format }) => format)
  const csv = formats.find((format) => format.format === 'csv')
  return csv?.dialect ?? defaultCsvDialect
}

async function openDatabaseTable(
  plan: ProfiledPlan,
  index: number,
  access: PublishedAccess,
): Promise<ReadableTable | null> {
  const { records, outputs } = plan
  const { duckdb } = access
  const database = chooseDatabase(outputs, index)
  if (database === null) return null
  const { name = '', columns = [] } = records.tables[index] ?? {}
  if (isLakePlan(database)) return openLakeTable(plan, database, name, access)
  if (isServerPlan(database)) return openServerTable(plan, database, index, access)
  const catalog = quoteName(database.path)
  await duckdb.run(`ATTACH IF NOT EXISTS ${quoteText(database.path)} AS ${catalog} (READ_ONLY)`)
  const from = `${catalog}.${quoteName(database.schema)}.${quoteName(name)}`
  const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
  return describeTable(duckdb, { name, from }, listed)
}

/** The database or lake that shows a table best; null if none has it. */
export function chooseDatabase({ stateful }: OutputsPlan, table: number): DatabasePlan | null {
  const databases = stateful?.databases.filter(({ tables }) => tables.includes(table)) ?? []
  return databases.find(({ format }) => format === 'duckdb') ?? databases.find(isLakePlan) ?? databases[0] ?? null
}

async function openServerTable(
  plan: ProfiledPlan,
  database: ServerPlan,
  index: number,
  { duckdb, folder }: PublishedAccess,
): Promise<ReadableTable | null> {
  const table = plan.outputs.stateful?.tables[index]
  if (table === undefined) return null
  const { copyServerTable } = await import('./server-table.ts')
  const { from, listed } = await copyServerTable(plan.name, database, table, folder)
  const copy = await copyTable(duckdb, from, join(folder, `${table.name}.parquet`))
  return describeTable(duckdb, { name: table.name, from: copy }, listed)
}

async function openLakeTable(
  { name: pipeline, records, outputs: { s3 } }: ProfiledPlan,
  lake: LakePlan,
  name: string,
  access: PublishedAccess,
): Promise<ReadableTable | null> {
  const { bringTable } = await import('../../lake/versions/bring-table.ts')
  const place = { target: toLakeTarget(pipeline, lake), pipeline }
  const brought = await bringTable(place, name, { ...access, settings: s3 })
  const { columns = [] } = records.tables.find((table) => table.name === name) ?? {}
  const listed = columns.map((column) => ({ ...column, type: formatColumnType(column) }))
  if (brought === null || brought.files.length === 0) return null
  return { ...(await describeTable(access.duckdb, { name, from: brought.from }, listed)), files: brought.files }
}

/** The last run published no table of the config. */
export function nonePublished(
  { name, records: { tables } }: ProfiledPlan,
  { files, databases = [] }: PublishedManifest,
): CatalogueError {
  const published = new Set([
    ...files.map(({ table }) => table),
    ...databases.flatMap((each) => each.tables.map((table) => table.name)),
  ])
  const got = published.size === 0 ? 'none' : [...published].join(', ')
  const message = `${name}: expected published tables of the config (${tables.map((table) => table.name).join(', ')}), got ${got}`
  return new CatalogueError('SOURCE_NOT_FOUND', message, {
    title: 'No table of this config is published',
    fix: 'Run the pipeline again, with an output such as { format: parquet }.',
  })
}

function notAsPublished({ path, bytes }: FileReport, found: number | null): CatalogueError {
  const got = found === null ? 'no file' : `${found} bytes`
  const message = `${path}: expected the file of ${bytes} bytes that the manifest lists, got ${got}`
  return new CatalogueError('SOURCE_CHANGED', message, {
    title: 'A published file is not as it was published',
    fix: 'Run the pipeline again; `catalogue-etl verify CONFIG` names every difference.',
  })
}
