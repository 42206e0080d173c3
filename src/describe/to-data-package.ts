import { posix } from 'node:path'
import { splitOutputPath } from '../loads/files/part-paths.ts'
import { listFileModeColumns } from '../plan/outputs/output-mode.ts'
import { describeModeColumn, describeTables, type TableDescription } from '../plan/records/describe-tables.ts'
import type { FilePlan, PipelinePlan } from '../plan/pipeline-plan.ts'
import { toTableSchema, type TableSchema } from './table-schema.ts'

/** The files of a pipeline with the meaning of their columns: a Data Package of Frictionless, version 2. */
export interface DataPackage {
  readonly $schema: string
  readonly name: string
  readonly resources: readonly DataResource[]
}

/** The files of one table in one format. */
export interface DataResource {
  readonly name: string
  readonly description: string
  readonly path: string | readonly string[]
  readonly format: string
  readonly mediatype: string
  readonly encoding?: 'utf-8'
  readonly dialect?: Readonly<Record<string, unknown>>
  readonly schema: TableSchema
}

export interface DataPackageOptions {
  /** The files that were published for a file of the plan. Default: those that its path stands for, with `*` for what a run decides. */
  readonly listPaths?: ((file: FilePlan, table: string) => readonly string[]) | undefined
  /** False where a record comes twice, so that its id is no key. Default true. */
  readonly hasUniqueIds?: boolean | undefined
}

type PackagedPlan = Pick<PipelinePlan, 'name' | 'contract' | 'records' | 'files' | 'manifest'>

/**
 * The data package of a plan, to be put beside its manifest: paths are relative to that. Files outside of that folder are
 * left out, as a data package can't name them.
 */
export function toDataPackage(plan: PackagedPlan, options: DataPackageOptions = {}): DataPackage {
  const described = describeTables(plan)
  const files = plan.files.flatMap((file) => {
    const table = described[file.table]
    const paths = table === undefined ? [] : listRelative(plan, file, table.name, options)
    return table === undefined || paths.length === 0 ? [] : [{ file, table, paths }]
  })
  const formats = new Set(files.map(({ file }) => file.format.format))
  const nameOf = (table: string, file: FilePlan): string =>
    (formats.size > 1 ? `${table}.${file.format.format}` : table).toLowerCase()
  const resources = files.map(({ file, table, paths }): DataResource => {
    const keys = { nameOf: (name: string) => nameOf(name, file), hasUniqueIds: options.hasUniqueIds !== false }
    return toResource(nameOf(table.name, file), file, table, paths, keys)
  })
  return { $schema: profile, name: plan.name.toLowerCase(), resources }
}

const profile = 'https://datapackage.org/profiles/2.0/datapackage.json'

/** Paths below the folder of the manifest. */
function listRelative(
  { manifest }: Pick<PipelinePlan, 'manifest'>,
  file: FilePlan,
  table: string,
  { listPaths = (each) => [toPattern(each)] }: DataPackageOptions,
): string[] {
  const { folder } = splitOutputPath(manifest.path)
  return listPaths(file, table)
    .map((path) => posix.relative(toPosix(folder), toPosix(path)))
    .filter((path) => !path.startsWith('../') && !posix.isAbsolute(path))
}

/** Node knows the two slashes of `s3://` as one, in both of the paths that are compared. */
function toPosix(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/'))
}

/** The path with `*` for folders of partitions and numbers of parts. */
function toPattern({ path, mode, partitionBy, rowsPerFile, bytesPerFile }: FilePlan): string {
  const { folder, stem, ending } = splitOutputPath(path)
  const levels = [...(mode === 'append' ? ['run_date'] : []), ...partitionBy]
  const isMany = levels.length > 0 || rowsPerFile !== null || bytesPerFile !== null
  return isMany ? `${folder}${levels.map((level) => `${level}=*/`).join('')}${stem}*${ending}` : path
}

interface ResourceKeys {
  readonly nameOf: (table: string) => string
  readonly hasUniqueIds: boolean
}

function toResource(
  name: string,
  file: FilePlan,
  table: TableDescription,
  paths: readonly string[],
  { nameOf, hasUniqueIds }: ResourceKeys,
): DataResource {
  const { format } = file.format
  const [path = '', ...others] = paths
  const columns = [...table.columns, ...listFileModeColumns(file).map(describeModeColumn)]
  // Of a history every version is a row; of appended runs every run brings them again.
  const isKeyed = hasUniqueIds && (file.mode === 'snapshot' || file.mode === 'merge')
  const schema = toTableSchema({ ...table, columns }, { format: file.format, isKeyed, nameOf })
  return {
    name,
    description: table.description,
    path: others.length === 0 ? path : paths,
    format,
    mediatype: mediaTypes[format],
    ...(format !== 'parquet' && format !== 'xlsx' && { encoding: 'utf-8' as const }),
    ...toDialect(file, table.name),
    schema,
  }
}

const mediaTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

function toDialect({ format }: FilePlan, table: string): Pick<DataResource, 'dialect'> {
  if (format.format === 'xlsx') return { dialect: { sheetName: table } }
  if (format.format !== 'csv') return {}
  const { delimiter, quote, lineBreak, header } = format.dialect
  const lineTerminator = lineBreak === 'crlf' ? '\r\n' : '\n'
  return { dialect: { header, delimiter, quoteChar: quote, doubleQuote: true, lineTerminator } }
}
