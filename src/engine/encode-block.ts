import { hash } from 'node:crypto'
import type { FilePlan } from '../config/pipeline-plan.ts'
import type { Block } from '../records/block.ts'
import type { Row } from '../records/column.ts'
import { compileProcessing, type BlockOutcome, type RecordPlan, type RepeatedLines } from '../records/process-block.ts'
import type { TablePlan } from '../records/table-plan.ts'
import { createCsvEncoder } from '../sinks/csv.ts'
import { createNdjsonEncoder } from '../sinks/ndjson.ts'
import { compileScannedEncoding } from './encode-scanned.ts'

/** All that decides what a block becomes. Plain data: it is sent to workers. */
export interface EncodingPlan {
  readonly records: RecordPlan
  readonly files: readonly { readonly table: number; readonly format: PieceFormat }[]
}

/** What a block's share of a file is: that of an output, or, for a database that rows are streamed into, COPY text. */
export type PieceFormat = FilePlan['format'] | { readonly format: 'copy' }

/** What becomes of a block: the outcome of its lines, and its share of every file. */
export interface EncodedBlock extends Omit<BlockOutcome, 'rows'> {
  /** SHA-256 of the block's bytes, in hexadecimal. */
  readonly sha256: string
  /** Rows by table. */
  readonly rowCounts: readonly number[]
  /**
   * One for each file of the plan, in that order: lines of CSV without a header, lines of NDJSON, COPY text, or, for Parquet,
   * an Arrow IPC stream. Empty where the block has no row of that table. Each has a buffer of its own, which may be
   * transferred.
   */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
}

/** A file of the plan, with the plain encoder of its rows. */
export type FileEncoding = EncodingPlan['files'][number] & { readonly encodeRows: EncodeRows }

export type EncodeRows = (rows: readonly Row[]) => Uint8Array<ArrayBuffer>

/** The part of it that a way through a block's lines makes. */
export type EncodeLines = (block: Block, repeated?: RepeatedLines) => Omit<EncodedBlock, 'sha256'>

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
  switch (format.format) {
    case 'csv':
      return createCsvEncoder(columns, format.dialect)
    case 'ndjson':
      return createNdjsonEncoder(columns)
    case 'copy': {
      const { createCopyTextEncoder } = await import('../sinks/copy-text.ts')
      return createCopyTextEncoder(columns, name)
    }
    case 'parquet': {
      // Loading Arrow takes 50 ms, which runs without Parquet don't pay.
      const { createArrowEncoder } = await import('../sinks/arrow.ts')
      return createArrowEncoder(columns)
    }
  }
}
