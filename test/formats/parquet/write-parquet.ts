import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { createParquetWriter, type ParquetWriterOptions } from '../../../src/formats/parquet/parquet-writer.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'

export const runId = '0123456789abcdef0123456789abcdef'

type Settings = Partial<
  Pick<ParquetWriterOptions, 'compression' | 'rowGroupRows' | 'metadata' | 'fields' | 'fieldIds' | 'onRowGroup'>
>

/** The bytes of a file of these pieces. */
export async function writeParquet(
  columns: readonly Column[],
  pieces: readonly (readonly Row[])[],
  settings: Settings = {},
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const encode = createRecordBatchEncoder(columns)
  const writer = createParquetWriter({
    ...defaultOptions(columns),
    ...settings,
    write: async (bytes) => void chunks.push(bytes),
  })
  for (const rows of pieces) await writer.write(encode(rows))
  await writer.finish(runId)
  return Buffer.concat(chunks)
}

export function toPieces(rows: readonly Row[], pieceRows: number): (readonly Row[])[] {
  const count = Math.ceil(rows.length / pieceRows)
  return Array.from({ length: count }, (_, index) => rows.slice(index * pieceRows, (index + 1) * pieceRows))
}

export function defaultOptions(columns: readonly Column[]): ParquetWriterOptions {
  return { columns, compression: 'zstd', rowGroupRows: 100_000, metadata: {}, write: async () => undefined }
}

/** A buffer of its own, as readers of parquet want it. */
export function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
