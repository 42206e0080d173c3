import type { EncodeRows } from '../../records/flatten/column.ts'
import { toTombstoneRow } from '../../records/tombstone-row.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { createCopyTextEncoder } from '../../formats/copy-text.ts'
import { createRecordBatchEncoder } from '../../formats/parquet/record-batch-encoder.ts'
import type { LoadForms } from './load-writer.ts'

/** Tells a load of records that are gone, in every form that it is needed in: pieces by table, as a block has them. */
export function encodeGone(ids: readonly string[], { tables }: RecordPlan, { parquet, copy }: LoadForms): Uint8Array[] {
  const recordTable = tables.at(-1)
  if (ids.length === 0 || recordTable === undefined) return []
  const { columns, name } = recordTable
  const rows = ids.map((id) => toTombstoneRow(id, 'filtered'))
  const toPieces = (encode: EncodeRows) => tables.map((table) => (table === recordTable ? encode(rows) : noBytes))
  return [
    ...(parquet ? toPieces(createRecordBatchEncoder(columns)) : []),
    ...(copy ? toPieces(createCopyTextEncoder(columns, name)) : []),
  ]
}

const noBytes = new Uint8Array(0)
