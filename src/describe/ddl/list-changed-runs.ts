import { CatalogueError } from '../../errors.ts'
import { defaultCsvDialect } from '../../formats/csv.ts'
import type { CsvDialect, FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { TableDescription } from '../../plan/records/describe-tables.ts'
import type { Column } from '../../records/flatten/column.ts'
import { parseColumnType } from '../../types/column-types.ts'
import { whyNotLoaded, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

/** What a run changed. */
export interface ChangedRun {
  readonly run: string
  /** The run that has to be the last one applied; null if none may be. */
  readonly after: string | null
  /** Whether the files have every record, so that all other rows go. */
  readonly isWhole: boolean
  /** Tables with their files, those without `each` first. */
  readonly tables: readonly ChangedTable[]
}

export interface ChangedTable {
  readonly description: TableDescription
  /** Columns of the table in the warehouse. */
  readonly columns: readonly Column[]
  /** The same, and those that the mode adds. */
  readonly fileColumns: readonly Column[]
  /** Columns that the files of the run before lacked. */
  readonly added: readonly Column[]
  readonly files: readonly [PublishedFiles, ...PublishedFiles[]]
}

interface Wanted {
  readonly pipeline: string
  readonly tables: readonly TableDescription[]
  readonly dialect: DdlDialect
}

/** The runs whose files of changes a manifest lists, in their order. Throws USAGE if there is none, or none that can be loaded. */
export function listChangedRuns({ files }: Pick<PublishedManifest, 'files'>, wanted: Wanted): ChangedRun[] {
  const runs: ChangedRun[] = []
  const ofChanges = files.filter(({ mode }) => mode === 'changes')
  for (const run of new Set(ofChanges.map((file) => file.run ?? ''))) {
    const own = ofChanges.filter((file) => file.run === run)
    const before = runs.at(-1)
    const previous = own[0]?.previousRun ?? null
    const tables = wanted.tables.flatMap((table) => toChangedTable(table, own, before, wanted))
    runs.push({ run, after: previous ?? before?.run ?? null, isWhole: previous === null, tables })
  }
  if (runs.length > 0) return runs
  throw new CatalogueError('USAGE', `pipeline "${wanted.pipeline}": expected a run with changes in files, got none`, {
    fix: 'Add an output with `mode: changes` to the config, and run the pipeline.',
  })
}

function toChangedTable(
  description: TableDescription,
  ofRun: readonly FileReport[],
  before: ChangedRun | undefined,
  wanted: Wanted,
): ChangedTable[] {
  const own = ofRun.filter(({ table }) => table === description.name)
  const [first] = own
  if (first === undefined) return []
  const fileColumns = first.columns.map(toColumn)
  const columns = fileColumns.filter(({ name }) => !changeColumns.has(name))
  const known = before?.tables.find((table) => table.description.name === description.name)?.columns
  const added = known === undefined ? [] : columns.filter(({ name }) => known.every((column) => column.name !== name))
  return [{ description, columns, fileColumns, added, files: chooseFiles(own, fileColumns, wanted) }]
}

const changeColumns = new Set(listModeColumns({ mode: 'changes', removed: 'drop' }).map(({ name }) => name))

function toColumn({ name, type }: FileReport['columns'][number]): Column {
  const parsed = parseColumnType(type)
  if (parsed === null) throw new TypeError(`${name}: expected a type of columns, got "${type}"`)
  return { name, ...parsed }
}

/** The files of the output that suits the warehouse best. */
function chooseFiles(
  own: readonly FileReport[],
  columns: readonly Column[],
  { pipeline, dialect }: Wanted,
): ChangedTable['files'] {
  const formats = dialect.listFormats(columns)
  const ranked = own
    .filter(({ format }) => formats.some((each) => each === format))
    .toSorted((one, other) => formats.indexOf(one.format as 'csv') - formats.indexOf(other.format as 'csv'))
  for (const { base } of ranked) {
    const [first, ...others] = ranked.filter((file) => file.base === base).map(toFiles)
    const isLoaded = [first, ...others].every((file) => file && whyNotLoaded(file, dialect) === null)
    if (first && isLoaded) return [first, ...others]
  }
  const got = own.map((file) => {
    const why = file.format === 'xlsx' ? null : whyNotLoaded(toFiles(file), dialect)
    return why === null ? file.format : `${file.format} with ${why}`
  })
  const message = `pipeline "${pipeline}": table "${own[0]?.table}": expected changes in ${formats.toSorted().join(' or ')}, got ${[...new Set(got)].join(', ')}`
  throw new CatalogueError('USAGE', message, { fix: 'Add an output with `mode: changes` in one of these formats.' })
}

function toFiles({ path, format, dialect }: FileReport): PublishedFiles {
  const csv = format === 'csv' ? ({ ...defaultCsvDialect, ...dialect } as CsvDialect) : null
  return { format: format as 'csv', path, prefix: path, pattern: path, gzip: path.endsWith('.gz'), csv }
}
