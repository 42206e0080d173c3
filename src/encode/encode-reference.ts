import { noBytes } from '../memory/copy-bytes.ts'
import { compileProcessing, type RecordPlan } from '../records/process-block.ts'
import type { EncodeLines, FileEncoding } from './encoding-plan.ts'

/** Encodes by the reference path, which defines the bytes that the fast path has to give. */
export function createReferenceEncoding(records: RecordPlan, files: readonly FileEncoding[]): EncodeLines {
  const process = compileProcessing(records)
  return (block, repeated, arena) => {
    const { rows, ...outcome } = process(block, repeated)
    const pieces = files.map(({ table, encodeRows }) => {
      const tableRows = rows[table] ?? []
      return tableRows.length === 0 ? noBytes : arena.add(encodeRows(tableRows))
    })
    return { ...outcome, rowCounts: rows.map(({ length }) => length), pieces }
  }
}
