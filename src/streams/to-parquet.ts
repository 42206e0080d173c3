import { keysOfConfig, listOf, needed, type OptionKinds, requireOptions, toKind } from '../check-options.ts'
import { readToolVersion } from '../package-file.ts'
import type { Column, Row } from '../records/flatten/column.ts'
import { isObject } from '../records/json/json-values.ts'
import { createRecordBatchEncoder } from '../formats/parquet/record-batch-encoder.ts'
import { createParquetWriter } from '../formats/parquet/parquet-writer.ts'
import { checkOutputOptions } from './to-text.ts'
import { typedColumn } from './column-choice.ts'
import { RowCells } from './row-cells.ts'
import { Stage } from './stage.ts'

export interface ToParquetOptions {
  /** The columns with their types, as `columnsOf` gives them: types are never guessed from rows. */
  readonly columns: readonly Column[]
  /** Default zstd. */
  readonly compression?: 'zstd' | 'snappy' | 'gzip' | 'none' | undefined
  /** The most rows of a row group. Default 100,000. */
  readonly rowGroupRows?: number | undefined
  /** Key-value pairs for the footer. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/**
 * Rows → one Parquet file. Holds at most one row group in memory. A value that can't become the type of its column
 * without loss, or a key that is no column, ends the stream with OUTPUT_FAILED.
 */
export function toParquet<RowObject extends object>(options: ToParquetOptions): Stage<RowObject, Buffer> {
  requireOptions('toParquet', options, parquetOptions)
  const { columns, metadata = {}, ...written } = options
  const { compression, rowGroupRows } = checkOutputOptions('toParquet', { ...written, format: 'parquet' })
  const rowCells = new RowCells('parquet', columns)
  const encode = createRecordBatchEncoder(columns)
  const pieces: Buffer[] = []
  const writer = createParquetWriter({
    columns,
    compression,
    rowGroupRows,
    metadata,
    runIdKey: 'catalogue-etl.version',
    // Passed on before more rows are taken.
    write: async (bytes) => void pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  })
  let rows: Row[] = []

  async function writeRows(): Promise<Buffer[]> {
    const batch = rows
    rows = []
    if (batch.length > 0) await writer.write(encode(batch))
    return pieces.splice(0)
  }

  return new Stage({
    bytes: 'given',
    take(row) {
      rows.push(rowCells.next(row))
      return rows.length < batchRows ? [] : writeRows()
    },
    async end() {
      const last = await writeRows()
      await writer.finish(readToolVersion().version)
      return [...last, ...pieces.splice(0)]
    },
    abort: () => writer.abort(),
  })
}

const parquetOptions: OptionKinds<ToParquetOptions> = {
  columns: needed(listOf(typedColumn)),
  ...keysOfConfig('compression', 'rowGroupRows'),
  metadata: toKind('an object of texts', isTexts),
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

/** The batches of the engine: the same rows give the same bytes. */
const batchRows = 2048
