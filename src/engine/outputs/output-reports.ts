import { listUnusual } from '../../formats/csv.ts'
import type { FileFormat } from '../../formats/file-format.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { formatColumnType } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { FinishedFile, OutputFile } from './output-file.ts'
import type { ColumnReport, FileReport, Manifest } from '../../manifest/manifest.ts'

export type FinishedOutputs = Pick<
  Manifest,
  | 'files'
  | 'state'
  | 'editLosses'
  | 'removedRecords'
  | 'databases'
  | 'ownOutputs'
  | 'missingIds'
  | 'brokenRows'
  | 'profile'
  | 'dataPackage'
  | 'leftFiles'
  | 'prunedFiles'
  | 'previous'
>

export function toFileReport(
  { plan: file, staged }: Pick<OutputFile, 'plan' | 'staged'>,
  written: FinishedFile,
  { tables }: Pick<RecordsPlan, 'tables'>,
  counters: Pick<RunCounters, 'rows'>,
): FileReport {
  const table = tables[file.table]
  return {
    table: table?.name ?? '',
    format: file.format.format,
    path: staged.destination,
    rows: written.rows ?? counters.rows[file.table] ?? 0,
    bytes: written.bytes,
    sha256: written.sha256,
    columns: (table?.columns ?? []).map(toColumnReport),
    ...toDialectReport(file.format),
    ...(written.sheets && { sheets: written.sheets }),
    ...(written.cutTexts && { cutTexts: written.cutTexts }),
  }
}

export function toDialectReport(format: FileFormat): Pick<FileReport, 'dialect'> {
  const dialect = format.format === 'csv' ? listUnusual(format.dialect) : undefined
  return dialect === undefined ? {} : { dialect }
}

export function toColumnReport(column: Column & { readonly from?: string }): ColumnReport {
  const { name, unit, timezone, from = '' } = column
  return { name, type: formatColumnType(column), from, ...(unit && { unit }), ...(timezone && { timezone }) }
}
