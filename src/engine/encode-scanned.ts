import type { FilePlan } from '../config/pipeline-plan.ts'
import type { Row } from '../records/column.ts'
import { compileScan, type ScanProgram } from '../scan/compile-scan.ts'
import { createArrowTableEncoder } from '../scan/encode-arrow.ts'
import { createCsvTableEncoder } from '../scan/encode-csv.ts'
import { createNdjsonTableEncoder } from '../scan/encode-ndjson.ts'
import { scanBlock } from '../scan/scan-block.ts'
import type { EncodeLines, EncodingPlan } from './encode-block.ts'

export type EncodeRows = (rows: readonly Row[]) => Uint8Array<ArrayBuffer>

/**
 * The fast way: lines are walked as bytes, and cells copied from them. `encoders` are the plain ones of the files, for
 * what it does not know. Null where it does not know the plan.
 */
export function compileScannedEncoding(plan: EncodingPlan, encoders: readonly EncodeRows[]): EncodeLines | null {
  const program = compileScan(plan.records)
  if (program === null) return null
  const { tables } = program
  const encodings = plan.files.map((file, at) => compileFile(program, file, encoders[at] ?? noBytes))
  return (block, repeated) => {
    const { slowLines: _, ...outcome } = scanBlock(program, block, repeated)
    return {
      ...outcome,
      rowCounts: tables.layouts.map((_layout, table) => tables.rows(table).count),
      pieces: plan.files.map(({ table }, at) =>
        tables.rows(table).count === 0 ? new Uint8Array(0) : (encodings[at] ?? noBytes)(),
      ),
    }
  }
}

const noBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(0)

function compileFile(
  { module, tables }: ScanProgram,
  { table, format }: Pick<FilePlan, 'table' | 'format'>,
  encodeRows: EncodeRows,
): () => Uint8Array<ArrayBuffer> {
  switch (format.format) {
    case 'csv':
      return createCsvTableEncoder(module, tables, table, format.dialect, encodeRows)
    case 'ndjson':
      return createNdjsonTableEncoder(module, tables, table, encodeRows)
    case 'parquet':
      return createArrowTableEncoder(module, tables, table, encodeRows)
  }
}
