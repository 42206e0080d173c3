import type { FileFormat } from '../config/pipeline-plan.ts'
import type { Row } from '../records/column.ts'
import { createArrowEncoder } from '../sinks/arrow.ts'
import { createParquetWriter } from '../sinks/parquet-writer.ts'
import type { StagedFile } from '../sinks/staged-file.ts'
import type { FormatWriter, OutputOptions } from './format-writer.ts'

type ParquetFormat = Extract<FileFormat, { format: 'parquet' }>

/** Writes rows to a Parquet file through Arrow, in batches of one size, so that its bytes don't depend on the blocks. */
export function openParquetOutput(
  { compression, rowGroupRows }: ParquetFormat,
  { columns, metadata, rowGroupBytes }: OutputOptions,
  staged: StagedFile,
): FormatWriter {
  const encode = createArrowEncoder(columns)
  const write = (bytes: Uint8Array): Promise<void> => staged.write(bytes)
  const writer = createParquetWriter({ columns, compression, rowGroupRows, rowGroupBytes, metadata, write })
  let batch: Row[] = []
  const flush = async (): Promise<void> => {
    const rows = batch
    batch = []
    if (rows.length > 0) await writer.write(encode(rows))
  }
  return {
    async write(rows) {
      for (const row of rows) {
        batch.push(row)
        if (batch.length === batchRows) await flush()
      }
    },
    async finish(runId) {
      await flush()
      await writer.finish(runId)
    },
    abort: () => writer.abort(),
  }
}

const batchRows = 1024
