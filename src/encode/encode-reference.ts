import { compileProcessing, type RecordPlan } from '../records/process-block.ts'
import type { EncodeLines, FileEncoding } from './encoding-plan.ts'

/** The plain way, which defines what every other has to give. */
export function compilePlainEncoding(records: RecordPlan, files: readonly FileEncoding[]): EncodeLines {
  const process = compileProcessing(records)
  return (block, repeated, room) => {
    const { rows, ...outcome } = process(block, repeated)
    const pieces = files.map(({ table, encodeRows }) => {
      const tableRows = rows[table] ?? []
      return tableRows.length === 0 ? noBytes : room.add(encodeRows(tableRows))
    })
    return { ...outcome, rowCounts: rows.map(({ length }) => length), pieces }
  }
}

const noBytes = new Uint8Array(0)
