import { type Column, type EncodeRows, toHeaderColumns } from '../records/flatten/column.ts'
import type { CsvDialect } from '../manifest/manifest.ts'
import { createCsvEncoder, formatCsvHeader } from './csv.ts'
import { noBytes } from '../records/memory/copy-bytes.ts'
import { createNdjsonEncoder } from './ndjson.ts'
import type { ParquetCompression } from './parquet/page-compressor.ts'
import { createParquetWriter, type ParquetWriterOptions } from './parquet/parquet-writer.ts'
import { createRecordBatchEncoder } from './parquet/record-batch-encoder.ts'
import { createSheetEncoder } from './xlsx/sheet-encoder.ts'

/** A format of files. `createRowEncoder` turns rows into pieces, `openFormatWriter` pieces into a file. */
export type FileFormat =
  | ({ readonly format: 'csv'; readonly dialect: CsvDialect } & Labelled)
  | { readonly format: 'ndjson' }
  | ({ readonly format: 'xlsx' } & Labelled)
  | { readonly format: 'parquet'; readonly compression: ParquetCompression; readonly rowGroupRows: number }

interface Labelled {
  /** The locale whose labels the header has; without it the names of the columns. */
  readonly labels?: string
}

/** The locale of the labels in a header; undefined if it has names, or if there is no header. */
export function labelsOf(format: FileFormat): string | undefined {
  return 'labels' in format ? format.labels : undefined
}

/**
 * Encodes rows as pieces of a file: lines of CSV without a header, lines of NDJSON, for Parquet a record batch, for
 * xlsx rows of a sheet.
 */
export function createRowEncoder(format: FileFormat, columns: readonly Column[]): EncodeRows {
  switch (format.format) {
    case 'csv':
      return createCsvEncoder(columns, format.dialect)
    case 'ndjson':
      return createNdjsonEncoder(columns)
    case 'parquet':
      return createRecordBatchEncoder(columns)
    case 'xlsx':
      return createSheetEncoder(columns)
  }
}

/** Writes one file, one call after the other. The same pieces, metadata and run id give the same bytes. */
export interface FormatWriter {
  /** False if another piece would bring the file beyond `bytesPerFile`. */
  hasRoom(piece: Uint8Array): boolean
  /**
   * Takes a piece of the format's encoder. Returns undefined if it was copied and there is room for more, else a
   * promise that resolves when there is, or when it is written.
   */
  write(piece: Uint8Array): Promise<void> | undefined
  finish(runId: string): Promise<void>
  /** Cancels pending writes; never rejects. */
  abort(): Promise<void>
}

export interface FormatWriterOptions extends Pick<
  ParquetWriterOptions,
  'columns' | 'metadata' | 'runIdKey' | 'fields' | 'fieldIds' | 'onRowGroup' | 'rowGroupBytes' | 'encodeGroup'
> {
  /** The size to stay below, before gzip. Default: unlimited. */
  readonly bytesPerFile?: number | null
}

/**
 * Begins a file of one table, in any format but xlsx. `file` gets its bytes from the beginning to the end, each call
 * awaited.
 */
export async function openFormatWriter(
  file: { write(bytes: Uint8Array): Promise<void> | undefined },
  format: FileFormat,
  options: FormatWriterOptions,
): Promise<FormatWriter> {
  let bytes = 0
  const write = (part: Uint8Array): Promise<void> | undefined => {
    bytes += part.length
    return part.length === 0 ? undefined : file.write(part)
  }
  const { columns, bytesPerFile = null } = options
  if (format.format === 'parquet') {
    const ofSize = bytesPerFile !== null && { rowGroupBytes: clamp(leastGroupBytes, bytesPerFile, mostGroupBytes) }
    const writer = createParquetWriter({ ...format, ...ofSize, ...options, write: async (part) => write(part) })
    return {
      // The size of a row group is known when it is written: the file ends with the one that reaches the limit.
      hasRoom: () => bytesPerFile === null || bytes < bytesPerFile,
      write: (piece) => (piece.length === 0 ? undefined : writer.write(piece)),
      finish: async (runId) => void (await writer.finish(runId)),
      abort: () => writer.abort(),
    }
  }
  if (format.format === 'xlsx') throw new TypeError('xlsx: expected a workbook, which holds several tables')
  await write(formatHeader(format, columns))
  return {
    hasRoom: (piece) => bytesPerFile === null || bytes + piece.length <= bytesPerFile,
    write,
    finish: async () => {},
    abort: async () => {},
  }
}

function formatHeader(
  format: Exclude<FileFormat, { format: 'parquet' | 'xlsx' }>,
  columns: readonly Column[],
): Uint8Array {
  switch (format.format) {
    case 'csv':
      return formatCsvHeader(toHeaderColumns(columns, format.labels), format.dialect)
    case 'ndjson':
      return noBytes
  }
}

function clamp(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Sizes as record batches. Smaller row groups cost more than they are worth, larger ones more memory. */
const leastGroupBytes = 64 * 1024
const mostGroupBytes = 8 * 1024 * 1024
