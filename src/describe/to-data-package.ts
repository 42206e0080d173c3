import { labelsOf } from '../formats/file-format.ts'
import type { FileReport } from '../manifest/manifest.ts'
import { toPublishedPaths } from './published-paths.ts'
import { listFileModeColumns } from '../plan/outputs/output-mode.ts'
import { toPathBelow } from '../plan/outputs/companion-path.ts'
import { describeModeColumn, describeTables, type TableDescription } from '../plan/records/describe-tables.ts'
import type { FilePlan } from '../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { ReportPlan } from '../plan/report-plan.ts'
import { toTableSchema, type TableSchema } from './table-schema.ts'

/** A Frictionless Data Package, version 2. */
export interface DataPackage {
  readonly $schema: string
  readonly name: string
  readonly resources: readonly DataResource[]
}

export interface DataResource {
  readonly name: string
  readonly description: string
  readonly path: string | readonly string[]
  readonly format: string
  readonly mediatype: string
  readonly encoding?: 'utf-8'
  readonly dialect?: Readonly<Record<string, unknown>>
  readonly bytes?: number
  readonly hash?: string
  /** Rows of the table in all files. */
  readonly rows?: number
  readonly parts?: readonly PackagedPart[]
  readonly schema: TableSchema
}

export type PackagedFile = Pick<FileReport, 'path' | 'bytes' | 'sha256' | 'rows' | 'sheets'>
type PackagedPart = Pick<FileReport, 'path' | 'bytes' | 'rows'> & { readonly hash: string }

export interface DataPackageOptions {
  /**
   * The published files of each file of the plan, in its order. Default: the planned paths, with `*` for partitions and
   * part numbers.
   */
  readonly published?: readonly (readonly PackagedFile[])[] | undefined
  /** False if a record may occur twice, so its id is no key. Default true. */
  readonly hasUniqueIds?: boolean | undefined
}

type NamedFile = PackagedFile | Pick<PackagedFile, 'path'>

interface PackagedTable {
  readonly name: string
  readonly file: FilePlan
  readonly table: TableDescription
  readonly files: readonly NamedFile[]
  readonly sheet: string
  readonly isKeyed: boolean
}

/**
 * Creates the data package that is published beside the manifest of a plan, with paths relative to the manifest's
 * folder. Files outside that folder are left out, as a data package can't name them.
 */
export function toDataPackage(plan: PipelinePlan, options: DataPackageOptions = {}): DataPackage {
  const packaged = listPackaged(plan, options)
  const resources = packaged.map((each) => toResource(each, packaged, plan.records.locales))
  return { $schema: profile, name: plan.name.toLowerCase(), resources }
}

const profile = 'https://datapackage.org/profiles/2.0/datapackage.json'

function listPackaged(plan: PipelinePlan, { published, hasUniqueIds = true }: DataPackageOptions): PackagedTable[] {
  const tables = describeTables(plan.records)
  const found = plan.outputs.files.flatMap((file, at) => {
    const table = tables[file.table]
    const all = published === undefined ? [{ path: toPublishedPaths(file).pattern }] : (published[at] ?? [])
    const files = listBelow(plan.report, all)
    return table === undefined || files.length === 0 ? [] : splitBySheet(files).map((of) => ({ file, table, ...of }))
  })
  const formats = new Set(found.map(({ file }) => file.format.format))
  const names = new Map<string, number>()
  return found.map(({ file, table, files, sheet, isOnly }) => {
    const usual = (formats.size > 1 ? `${table.name}.${file.format.format}` : table.name).toLowerCase()
    const times = (names.get(usual) ?? 0) + 1
    names.set(usual, times)
    const name = times === 1 ? usual : `${usual}-${times}`
    const isKeyed = hasUniqueIds && isOnly && isWhole(file) && hasKey(table)
    return { name, file, table, files, sheet: sheet ?? table.name, isKeyed }
  })
}

/** Splits a table that continues in several sheets, as a resource has one sheet. */
function splitBySheet(files: readonly NamedFile[]) {
  const [first] = files
  const sheets = first !== undefined && 'sheets' in first ? (first.sheets ?? []) : []
  if (sheets.length === 0) return [{ files, sheet: null, isOnly: true }]
  return sheets.map(({ name, rows }) => {
    return { files: files.map((file) => ({ ...file, rows })), sheet: name, isOnly: sheets.length === 1 }
  })
}

function listBelow({ manifest }: ReportPlan, files: readonly NamedFile[]): NamedFile[] {
  return files.flatMap((file) => {
    const path = toPathBelow(manifest.path, file.path)
    return path === null ? [] : [{ ...file, path }]
  })
}

/** Whether a file has one row per key: a history has one per version, and appended runs repeat records. */
function isWhole({ mode }: FilePlan): boolean {
  return mode === 'snapshot' || mode === 'merge'
}

function hasKey({ key, columns }: TableDescription): boolean {
  return key.length > 0 && columns.every(({ name, nullable }) => !nullable || !key.includes(name))
}

function toResource(
  packaged: PackagedTable,
  all: readonly PackagedTable[],
  usualLocales: readonly string[],
): DataResource {
  const { name, file, table, files, sheet, isKeyed } = packaged
  const { format } = file.format
  const columns = [...listRowColumns(table, file), ...listFileModeColumns(file).map(describeModeColumn)]
  const labels = labelsOf(file.format)
  const locales = labels === undefined ? usualLocales : [labels]
  const parent = isKeyed ? findParent(packaged, all) : null
  return {
    name,
    description: table.description,
    ...toContent(files),
    format,
    mediatype: mediaTypes[format],
    ...(format !== 'parquet' && format !== 'xlsx' && { encoding: 'utf-8' as const }),
    ...toDialect(file, sheet),
    schema: toTableSchema({ ...table, columns }, { format: file.format, locales, isKeyed, parent }),
  }
}

/** The row of a removed record has its id and its status alone. */
function listRowColumns({ columns, key, parent }: TableDescription, { mode }: FilePlan): TableDescription['columns'] {
  if (mode !== 'changes' || parent !== null) return columns
  return columns.map((column) => (key.includes(column.name) ? column : { ...column, nullable: true }))
}

/** The resource of the parent table in the same format; null if there is none or it has no key. */
function findParent({ table, file }: PackagedTable, all: readonly PackagedTable[]): string | null {
  const parent = all.find(
    (each) =>
      each.isKeyed &&
      each.table.name === table.parent?.table &&
      each.file.format.format === file.format.format &&
      each.file.mode === file.mode,
  )
  return parent?.name ?? null
}

function toContent(files: PackagedTable['files']): Pick<DataResource, 'path' | 'bytes' | 'hash' | 'rows' | 'parts'> {
  const parts = files.flatMap((file) => ('sha256' in file ? [toPart(file)] : []))
  const [first = { path: '' }] = parts.length > 0 ? parts : files
  if (files.length === 1) return first
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  // Readers that join the files count the header once, so a total size would match nothing.
  return { path: files.map(({ path }) => path), ...(parts.length > 0 && { rows, parts }) }
}

function toPart({ path, bytes, sha256, rows }: PackagedFile): PackagedPart {
  return { path, bytes, hash: `sha256:${sha256}`, rows }
}

const mediaTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

function toDialect({ format }: FilePlan, sheet: string): Pick<DataResource, 'dialect'> {
  // `excel` is what the Frictionless library for Python reads.
  // Fields have the names of columns, which a header of labels does not: readers skip it.
  const passed = labelsOf(format) === undefined ? {} : { header: false, commentRows: [1] }
  if (format.format === 'xlsx') return { dialect: { ...passed, sheetName: sheet, excel: { sheet } } }
  if (format.format !== 'csv') return {}
  const { delimiter, quote, lineBreak, header } = format.dialect
  const lineTerminator = lineBreak === 'crlf' ? '\r\n' : '\n'
  return { dialect: { header, ...passed, delimiter, quoteChar: quote, doubleQuote: true, lineTerminator } }
}
