import type { EncodeGroup } from '../../encode/encode-block.ts'
import { shareRowGroupBytes } from '../../formats/parquet/row-group-cutter.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Discardable } from '../../storage/open-together.ts'
import { sheetsPath } from '../side-files.ts'
import type { FieldsOf } from './field-metadata.ts'
import { openOutput, type OutputFile, type OutputOptions } from './output-file.ts'
import type { StagingOptions } from './outputs.ts'
import type { WorkbookFile } from './workbook-file.ts'

type FilesPlan = Pick<
  PipelinePlan,
  'name' | 'contract' | 'contractVersion' | 'configHash' | 'records' | 'files' | 'manifest'
>

export interface OpenFilesOptions extends StagingOptions {
  /** Encodes the row groups of Parquet files. */
  readonly encodeGroup: EncodeGroup
  /** The key of what files are finished with, in the footer of Parquet files. Default that of a run id. */
  readonly runIdKey?: string | undefined
  /** Further pairs of the footer. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** Takes what is open, to be discarded where what follows can't be opened. */
export type Keep = <Opened extends Discardable>(opened: Opened) => Opened

/** Opens the files of a plan, one a table, each handed to `keep`. Tables with one path are those of a workbook. */
export async function openFiles(plan: FilesPlan, options: OpenFilesOptions, keep: Keep): Promise<OutputFile[]> {
  const workbooks = new Map<string, WorkbookFile>()

  async function openSheets(file: FilePlan, at: number): Promise<OutputFile> {
    const workbook = workbooks.get(file.path) ?? keep(await openWorkbook(file.path, options))
    workbooks.set(file.path, workbook)
    const { name = '', columns = [] } = plan.records.tables[file.table] ?? {}
    return workbook.addTable(file, { name, columns }, sheetsPath(plan, at))
  }

  const fieldsOf = await loadFieldsOf(plan)
  const files: OutputFile[] = []
  for (const [at, file] of plan.files.entries()) {
    if (file.format.format === 'xlsx') files.push(await openSheets(file, at))
    else files.push(keep(await openFile(plan, file, at, { ...options, fields: fieldsOf?.(file) })))
  }
  return files
}

/** Loads what only workbooks need. */
async function openWorkbook(path: string, options: StagingOptions): Promise<WorkbookFile> {
  const { WorkbookFile: Workbook } = await import('./workbook-file.ts')
  return Workbook.open(path, options)
}

async function openFile(
  plan: FilesPlan,
  file: FilePlan,
  at: number,
  { storage, token, encodeGroup, runIdKey, metadata, fields }: OpenFilesOptions & Pick<OutputOptions, 'fields'>,
): Promise<OutputFile> {
  return openOutput(file, {
    columns: plan.records.tables[file.table]?.columns ?? [],
    storage,
    token,
    metadata: { ...toParquetMetadata(plan), ...metadata },
    ...(runIdKey !== undefined && { runIdKey }),
    fields,
    rowGroupBytes: shareRowGroupBytes(plan.files.filter(({ format }) => format.format === 'parquet').length),
    encodeGroup: (group) => encodeGroup(at, group),
  })
}

/** The meaning of columns, which only Parquet files have, loaded for these alone. */
export async function loadFieldsOf(
  plan: Pick<PipelinePlan, 'contract' | 'records' | 'files'>,
): Promise<FieldsOf | undefined> {
  if (!plan.files.some(({ format }) => format.format === 'parquet')) return undefined
  const { describeFields } = await import('./field-metadata.ts')
  return describeFields(plan)
}

/** The origin of a published Parquet file, for its footer; the run id is added when it is finished. */
export function toParquetMetadata({
  name,
  contract,
  contractVersion,
  configHash,
}: Pick<PipelinePlan, 'name' | 'contract' | 'contractVersion' | 'configHash'>) {
  return {
    'catalogue-etl.pipeline': name,
    'catalogue-etl.contract': `${contract}@${contractVersion}`,
    'catalogue-etl.config_hash': configHash,
  }
}
