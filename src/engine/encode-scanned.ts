import type { RecordPlan } from '../records/process-block.ts'
import { compileScan, type ScanProgram } from '../scan/compile-scan.ts'
import { createArrowTableEncoder } from '../scan/encode-arrow.ts'
import { createCopyTableEncoder } from '../scan/encode-copy.ts'
import { createCsvTableEncoder } from '../scan/encode-csv.ts'
import { createNdjsonTableEncoder } from '../scan/encode-ndjson.ts'
import { scanBlock } from '../scan/scan-block.ts'
import type { EncodeLines, FileEncoding } from './encoding-plan.ts'

/**
 * The fast way: lines are walked as bytes, and cells copied from them; what it does not know the plain encoders do. Null
 * where it does not know the plan.
 */
export function compileScannedEncoding(records: RecordPlan, files: readonly FileEncoding[]): EncodeLines | null {
  const program = compileScan(records)
  if (program === null) return null
  const { tables } = program
  const encodings = files.map((file) => ({ table: file.table, encode: compileFile(program, file) }))
  return (block, repeated) => {
    const { slowLines: _, ...outcome } = scanBlock(program, block, repeated)
    const rowCounts = tables.layouts.map((_layout, table) => tables.rows(table).count)
    const pieces = encodings.map(({ table, encode }) => (rowCounts[table] === 0 ? new Uint8Array(0) : encode()))
    return { ...outcome, rowCounts, pieces }
  }
}

function compileFile(
  { module, tables }: ScanProgram,
  { table, format, encodeRows }: FileEncoding,
): () => Uint8Array<ArrayBuffer> {
  switch (format.format) {
    case 'csv':
      return createCsvTableEncoder(module, tables, table, format.dialect, encodeRows)
    case 'ndjson':
      return createNdjsonTableEncoder(module, tables, table, encodeRows)
    case 'copy':
      return createCopyTableEncoder(module, tables, table, encodeRows)
    case 'parquet':
      return createArrowTableEncoder(module, tables, table, encodeRows)
  }
}
