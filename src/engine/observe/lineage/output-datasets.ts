import type { DatabaseReport, FileReport } from '../../../manifest/manifest.ts'
import { type DatabasePlan, isLakePlan } from '../../../plan/outputs/database-plan.ts'
import type { FilePlan } from '../../../plan/outputs/file-plan.ts'
import { listFileModeColumns, listModeColumns } from '../../../plan/outputs/output-mode.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { describeModeColumn, describeTables } from '../../../plan/records/describe-tables.ts'
import { sumBytes } from '../../../report/facts/files.ts'
import type { ReportManifest } from '../../../report/report-manifest.ts'
import { formatColumnType } from '../../../types/column-types.ts'
import { toColumnLineage } from './column-lineage.ts'
import { type Dataset, facet, type Facets, toDataset } from './dataset.ts'
import { type DatasetName, nameFile, nameInputs, nameTable } from './name-datasets.ts'

type Output = DatasetName & { readonly table: number } & (
    | { readonly file: FilePlan }
    /** `position`: in the plan's list of databases. */
    | { readonly database: DatabasePlan; readonly position: number }
  )

/** The datasets that a run writes. The files of one table and output are one, whatever their number. */
export function listOutputs({ outputs, records }: PipelinePlan): Output[] {
  const files = outputs.files.map((file) => ({ ...nameFile(file.path), table: file.table, file }))
  const databases = (outputs.stateful?.databases ?? []).flatMap((database, position) =>
    database.tables.map((table) => {
      return { ...nameTable(database, records.tables[table]?.name ?? ''), table, database, position }
    }),
  )
  return [...files, ...databases]
}

/** What a run published, with the origin of every column and what was written. */
export function toOutputs(plan: PipelinePlan, report: ReportManifest): Dataset[] {
  const descriptions = describeTables(plan.records)
  const inputs = nameInputs(plan.source)
  return listOutputs(plan).flatMap((output) => {
    const table = plan.records.tables[output.table]
    const description = descriptions[output.table]
    if (table === undefined || description === undefined) return []
    const { facets, ...dataset } = toDataset(output)
    const { mode } = 'file' in output ? output.file : output.database
    const added = 'file' in output ? listFileModeColumns(output.file) : listModeColumns(output.database)
    const columns = [...description.columns, ...added.map(describeModeColumn)]
    const fields = columns.map((column, at) => {
      const meaning = column.description === '' ? {} : { description: column.description }
      return { name: column.name, type: formatColumnType(column), ...meaning, ordinal_position: at + 1 }
    })
    const written = 'file' in output ? countFiles(output.file, plan, report) : countRows(output, table.name, report)
    return {
      ...dataset,
      facets: {
        ...facets,
        ...facet('schema', { fields }),
        ...facet('documentation', { description: description.description }),
        ...facet('columnLineage', toColumnLineage(table, plan.records, inputs)),
        ...(mode === 'snapshot' && facet('lifecycleStateChange', { lifecycleStateChange: 'OVERWRITE' })),
        ...facet('version', { datasetVersion: written?.version ?? report.runId }),
        ...('database' in output && toLakeFacets(output.database)),
      },
      ...(written && { outputFacets: facet('outputStatistics', written.statistics) }),
    }
  })
}

interface Written {
  readonly statistics: object
  /** Of the table, where it has versions of its own. */
  readonly version?: string | undefined
}

/** The files that a run lists for one file of its plan. Those in a bucket have the name of the run in theirs. */
function countFiles(file: FilePlan, { outputs, records }: PipelinePlan, { files }: ReportManifest): Written {
  const isLike = ({ table, format }: Pick<FilePlan, 'table' | 'format'>) =>
    table === file.table && format.format === file.format.format
  const likes = outputs.files.filter(isLike)
  const name = records.tables[file.table]?.name
  const all = files.filter(({ table, format }) => table === name && format === file.format.format)
  const own = likes.length === 1 ? all : all.filter((report) => isOwn(report, file))
  const rowCount = own.reduce((sum, { rows }) => sum + rows, 0)
  return { statistics: { rowCount, size: sumBytes(own), fileCount: own.length } }
}

function isOwn({ path, base = path }: FileReport, file: FilePlan): boolean {
  const stem = file.path.replace(/(?:\.[^./\\]*)?(?:\.gz)?$/, '')
  return base === file.path || base.startsWith(`${stem}.`) || base.startsWith(`${stem}-`) || base.startsWith(`${stem}/`)
}

function countRows(
  { position }: { readonly position: number },
  table: string,
  { databases = [] }: ReportManifest,
): Written | null {
  const found: DatabaseReport['tables'][number] | undefined = databases[position]?.tables.find(
    ({ name }) => name === table,
  )
  if (found === undefined) return null
  const version = found.snapshot ?? found.version?.toString()
  return { statistics: { rowCount: found.rowsWritten }, version }
}

function toLakeFacets(database: DatabasePlan): Facets {
  if (!isLakePlan(database)) return {}
  const { format, catalog } = database
  const storage = facet('storage', { storageLayer: format, fileFormat: 'parquet' })
  if (!catalog) return storage
  const { url, warehouse } = catalog
  const named = { framework: format, type: 'rest', name: warehouse ?? new URL(url).host, metadataUri: url }
  return { ...storage, ...facet('catalog', { ...named, ...(warehouse !== null && { warehouseUri: warehouse }) }) }
}
