import type { FieldMetadata } from '../../formats/parquet/arrow-schema.ts'
import { listFileModeColumns } from '../../plan/outputs/output-mode.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { type ColumnDescription, describeModeColumn, describeTables } from '../../plan/records/describe-tables.ts'
import { describeUnit } from '../../records/flatten/column.ts'

export type FieldsOf = (file: Pick<FilePlan, 'table' | 'mode' | 'removed'>) => FieldMetadata

export function describeFields(records: RecordsPlan): FieldsOf {
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
