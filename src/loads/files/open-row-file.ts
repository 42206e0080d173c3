import type { FileFormat } from '../../plan/pipeline-plan.ts'
import type { Column } from '../../records/flatten/column.ts'
import { formatCsvHeader } from '../../formats/csv.ts'
import type { StagedFile, WrittenFile } from '../../publish/staged-file.ts'

/** One file of an output, into which pieces go that the format's encoder made. */
export interface RowFile {
  /** Whether another piece may be written, where it is to stay below its size. */
  hasRoom(piece: Uint8Array): boolean
  write(piece: Uint8Array<ArrayBuffer>): Promise<void>
  finish(runId: string): Promise<WrittenFile>
}

export interface RowFileOptions {
  readonly format: FileFormat
  readonly columns: readonly Column[]
  /** Before gzip. */
  readonly bytesPerFile: number | null
  readonly metadata: Readonly<Record<string, string>>
}

export async function openRowFile(staged: StagedFile, options: RowFileOptions): Promise<RowFile> {
  return options.format.format === 'parquet' ? openParquet(staged, options, options.format) : openText(staged, options)
}

/** CSV and NDJSON stay below the size, to the piece. */
async function openText(staged: StagedFile, { format, columns, bytesPerFile }: RowFileOptions): Promise<RowFile> {
  const header = format.format === 'csv' ? formatCsvHeader(columns, format.dialect) : new Uint8Array(0)
  let bytes = header.length
  if (bytes > 0) await staged.write(header)
  return {
    hasRoom: (piece) => bytesPerFile === null || bytes + piece.length <= bytesPerFile,
    async write(piece) {
      bytes += piece.length
      await staged.write(piece)
    },
    finish: () => staged.finish(),
  }
}

/** How large a row group becomes is known when it is written: the file ends with the one that reaches the size. */
async function openParquet(
  staged: StagedFile,
  { columns, bytesPerFile, metadata }: RowFileOptions,
  { compression, rowGroupRows }: Extract<FileFormat, { format: 'parquet' }>,
): Promise<RowFile> {
  const { createParquetWriter } = await import('../../formats/parquet/parquet-writer.ts')
  let bytes = 0
  const writer = createParquetWriter({
    columns,
    compression,
    rowGroupRows,
    metadata,
    ...(bytesPerFile !== null && { rowGroupBytes: Math.min(mostGroupBytes, Math.max(leastGroupBytes, bytesPerFile)) }),
    write: (written) => {
      bytes += written.length
      return staged.write(written)
    },
  })
  return {
    hasRoom: () => bytesPerFile === null || bytes < bytesPerFile,
    write: (piece) => writer.write(piece),
    async finish(runId) {
      await writer.finish(runId)
      return staged.finish()
    },
  }
}

/** As record batches. Smaller row groups cost more than they are worth, larger ones more memory. */
const leastGroupBytes = 64 * 1024
const mostGroupBytes = 8 * 1024 * 1024
