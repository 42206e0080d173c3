import { hash } from 'node:crypto'
import type { Block } from '../records/block.ts'
import { compileProcessing, type RecordPlan, type RepeatedLines } from '../records/process-block.ts'
import type { TablePlan } from '../records/table-plan.ts'
import { createRowEncoder, type EncodeRows } from '../sinks/row-encoder.ts'
import { compileScannedEncoding } from './encode-scanned.ts'
import type { EncodedBlock, EncodeLines, EncodingPlan, FileEncoding, PieceFormat } from './encoding-plan.ts'

/** A pure function: the same block gives the same bytes, whichever thread it runs in, and whatever it did before. */
export type EncodeBlock = (block: Block, repeated?: RepeatedLines) => EncodedBlock

/** Compiles a plan for the thread that this runs in. */
export async function compileEncoding(plan: EncodingPlan): Promise<EncodeBlock> {
  const { records } = plan
  const files: FileEncoding[] = []
  for (const file of plan.files) {
    files.push({ ...file, encodeRows: await compileFormat(file.format, records.tables[file.table]) })
  }
  const encode = compileScannedEncoding(records, files) ?? compilePlainEncoding(records, files)
  return (block, repeated) => ({ ...encode(block, repeated), sha256: hash('sha256', block.bytes) })
}

/** The plain way, which defines what every other has to give. */
function compilePlainEncoding(records: RecordPlan, files: readonly FileEncoding[]): EncodeLines {
  const process = compileProcessing(records)
  return (block, repeated) => {
    const { rows, ...outcome } = process(block, repeated)
    const pieces = files.map(({ table, encodeRows }) => {
      const tableRows = rows[table] ?? []
      return tableRows.length === 0 ? new Uint8Array(0) : encodeRows(tableRows)
    })
    return { ...outcome, rowCounts: rows.map(({ length }) => length), pieces }
  }
}

async function compileFormat(format: PieceFormat, table: TablePlan | undefined): Promise<EncodeRows> {
  const { name = '', columns = [] } = table ?? {}
  if (format.format !== 'copy') return createRowEncoder(format, columns)
  const { createCopyTextEncoder } = await import('../sinks/copy-text.ts')
  return createCopyTextEncoder(columns, name)
}
