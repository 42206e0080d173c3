import type { EncodeGroup } from '../../kernel/encode/encode-block.ts'
import { shareRowGroupBytes } from '../../formats/parquet/row-group-cutter.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { FormatWriterOptions } from '../../formats/file-format.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import { sheetsPath } from '../side-files.ts'
import { type OutputFile, openOutput } from './output-file.ts'
import type { WorkbookFile } from './workbook/workbook-file.ts'
import type { FieldMetadata } from '../../formats/parquet/arrow-schema.ts'
import { listFileModeColumns } from '../../plan/outputs/output-mode.ts'
import { type ColumnDescription, describeModeColumn, describeTables } from '../../plan/records/describe-tables.ts'
import { describeUnit } from '../../records/flatten/column.ts'

export interface OpenFilesOptions extends RequiredContext<'token'> {
  readonly encodeGroup: EncodeGroup
  /** Footer key of the name that Parquet files are finished with. Default: the key of a run id. */
  readonly runIdKey?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** Opens the files of a plan in the set, one per table. Tables with the same path share a workbook. */
export async function openFiles(plan: PipelinePlan, options: OpenFilesOptions, set: StagedSet): Promise<OutputFile[]> {
  const workbooks = new Map<string, WorkbookFile>()

  async function openSheets(file: FilePlan, at: number): Promise<OutputFile> {
    const workbook = workbooks.get(file.path) ?? (await openWorkbook(file.path, set))
    workbooks.set(file.path, workbook)
    const { name = '', columns = [] } = plan.records.tables[file.table] ?? {}
    return workbook.addTable(file, { name, columns }, { path: sheetsPath(plan.report, at), token: options.token })
  }

  const fieldsOf = listFieldsOf(plan.records, plan.outputs.files)
  const files: OutputFile[] = []
  for (const [at, file] of plan.outputs.files.entries()) {
    if (file.format.format === 'xlsx') files.push(await openSheets(file, at))
    else files.push(await openFile(plan, file, at, set, { ...options, fields: fieldsOf?.(file) }))
  }
  return files
}

async function openWorkbook(path: string, set: StagedSet): Promise<WorkbookFile> {
  const { WorkbookFile: Workbook } = await import('./workbook/workbook-file.ts')
  return Workbook.open(path, set)
}

async function openFile(
  plan: PipelinePlan,
  file: FilePlan,
  at: number,
  set: StagedSet,
  { encodeGroup, runIdKey, metadata, fields }: OpenFilesOptions & Pick<FormatWriterOptions, 'fields'>,
): Promise<OutputFile> {
  return openOutput(file, set, {
    columns: plan.records.tables[file.table]?.columns ?? [],
    metadata: { ...toParquetMetadata(plan), ...metadata },
    ...(runIdKey !== undefined && { runIdKey }),
    fields,
    rowGroupBytes: shareRowGroupBytes(plan.outputs.files.filter(({ format }) => format.format === 'parquet').length),
    encodeGroup: (group) => encodeGroup(at, group),
  })
}

/** Describes columns for Parquet files, the only format that stores descriptions. Undefined for others. */
export function listFieldsOf(records: RecordsPlan, files: OutputsPlan['files']): FieldsOf | undefined {
  return files.some(({ format }) => format.format === 'parquet') ? describeFields(records) : undefined
}

/** Origin of a published Parquet file for its footer. The run id is added on finishing. */
export function toParquetMetadata({
  name,
  records: { contract, contractVersion },
  outputs: { configHash },
}: PipelinePlan) {
  return {
    'catalogue-etl.pipeline': name,
    'catalogue-etl.contract': `${contract}@${contractVersion}`,
    'catalogue-etl.config_hash': configHash,
  }
}

export type FieldsOf = (file: Pick<FilePlan, 'table' | 'mode' | 'removed'>) => FieldMetadata

function describeFields(records: RecordsPlan): FieldsOf {
  const tables = describeTables(records)
  return (file) => {
    const columns = [...(tables[file.table]?.columns ?? []), ...listFileModeColumns(file).map(describeModeColumn)]
    return Object.fromEntries(columns.map((column) => [column.name, toPairs(column)]))
  }
}

/** Uses the same keys for units and time zones as the metadata of chunks. */
function toPairs({ description, unit, timezone, deprecated }: ColumnDescription): FieldMetadata[string] {
  return {
    ...(description !== '' && { description }),
    ...(unit !== undefined && { unit: describeUnit(unit) }),
    ...(timezone !== undefined && { time_zone: timezone }),
    ...(deprecated !== false && { deprecated: String(deprecated) }),
  }
}
