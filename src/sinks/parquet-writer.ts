import {
  Compression,
  EnabledStatistics,
  type RecordBatch,
  Table,
  type WriterProperties,
  WriterPropertiesBuilder,
} from 'parquet-wasm/node'
import type { Column } from '../records/column.ts'
import { createArrowEncoder } from './arrow.ts'
import { parquetFailure } from './parquet-failure.ts'
import { placeholderMetadata, replacePlaceholder, requireRows } from './parquet-footer.ts'
import { openParquetStream } from './parquet-stream.ts'

export interface ParquetWriterOptions {
  readonly columns: readonly Column[]
  readonly compression: 'zstd' | 'snappy' | 'gzip' | 'none'
  /** The most rows of a row group. */
  readonly rowGroupRows: number
  /**
   * A row group also ends when it would take about this much in the file. While it is open it takes four to five times
   * that of memory, which is never given back. Default 32 MiB.
   */
  readonly rowGroupBytes?: number
  /** Key-value pairs of the footer, in this order. */
  readonly metadata: Readonly<Record<string, string>>
  /** The key of the run id, which is the last pair. */
  readonly runIdKey?: string
  /** Gets the bytes of the file from its beginning to its end, one call after the other, each awaited. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/**
 * Writes one Parquet file. Each call but abort has to wait for the one before. The same pieces, metadata and run id
 * give the same bytes.
 */
export interface ParquetWriter {
  /**
   * Takes one piece of a `createArrowEncoder` of the same columns. Resolves when the encoder has taken it, which it
   * doesn't before the bytes of earlier pieces are written: never more than three row groups are in memory.
   */
  write(piece: Uint8Array): Promise<void>
  /** Writes what is left and the footer; throws OUTPUT_FAILED where the footer does not count every row. */
  finish(runId: string): Promise<{ rows: number }>
  /** Ends everything and writes nothing more; never rejects. */
  abort(): Promise<void>
}

/** A writer that has written nothing yet. What `options.write` throws is passed on as it is. */
export function createParquetWriter(options: ParquetWriterOptions): ParquetWriter {
  const { columns, metadata, runIdKey = 'catalogue-etl.run_id', write } = options
  const stream = openParquetStream(toProperties(options), write)
  const noRows = createArrowEncoder(columns)([])
  const schema = toSchemaBytes(noRows)
  let pieces = 0
  let rows = 0

  async function writePiece(piece: Uint8Array): Promise<void> {
    if (schema.compare(toSchemaBytes(piece)) !== 0) throw parquetFailure('a piece has other columns than the file')
    const batches = toBatches(piece)
    pieces += 1
    for (const batch of batches) rows += batch.numRows
    await stream.push(batches)
  }

  return {
    write: writePiece,
    async finish(runId) {
      if (pieces === 0) await writePiece(noRows)
      const entries = [...Object.entries(metadata), [runIdKey, runId] as const]
      const [rest, footer] = replacePlaceholder(await stream.end(), entries)
      requireRows(footer, rows)
      await write(rest)
      await write(footer)
      return { rows }
    },
    abort: () => stream.abort(),
  }
}

function toProperties({
  compression,
  rowGroupRows,
  rowGroupBytes = defaultRowGroupBytes,
}: ParquetWriterOptions): WriterProperties {
  return new WriterPropertiesBuilder()
    .setCreatedBy('catalogue-etl')
    .setCompression(codecs[compression])
    .setDictionaryEnabled(true)
    .setDictionaryPageSizeLimit(maxDictionaryBytes)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .setMaxRowGroupSize(rowGroupRows)
    .setMaxRowGroupBytes(rowGroupBytes)
    .setKeyValueMetadata(new Map([placeholderMetadata]))
    .build()
}

/**
 * The beginning of an IPC stream, where its columns stand: a marker, a length, and as many bytes. The encoder would
 * drop the columns that its first batch did not have.
 */
function toSchemaBytes(piece: Uint8Array): Buffer {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  return bytes.length < 8 ? bytes : bytes.subarray(0, 8 + bytes.readUInt32LE(4))
}

/** The batches share the table's memory and outlive it: the encoder, which gets them, frees them. */
function toBatches(piece: Uint8Array): RecordBatch[] {
  try {
    const table = Table.fromIPCStream(piece)
    const batches = table.recordBatches()
    table.free()
    return batches
  } catch (error) {
    throw parquetFailure('a piece is no Arrow IPC stream', error)
  }
}

const codecs = {
  zstd: Compression.ZSTD,
  snappy: Compression.SNAPPY,
  gzip: Compression.GZIP,
  none: Compression.UNCOMPRESSED,
} as const

/** What one file may take; several at once share it. */
const defaultRowGroupBytes = 32 * 1024 * 1024

/**
 * A column whose dictionary outgrows this is written plainly. With 128 KiB instead of the usual 1 MiB, 22 columns of
 * generated data, most of them unique, took 57 % of the file and 64 % of the memory.
 */
const maxDictionaryBytes = 128 * 1024
