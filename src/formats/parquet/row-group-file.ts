import type { Column } from '../../records/flatten/column.ts'
import { formatFileEnd, magic } from './file-metadata.ts'
import { describeColumns } from './column-descriptions.ts'
import type { ParquetCompression } from './page-compressor.ts'
import { parquetFailure } from './parquet-failure.ts'
import type { EncodedRowGroup } from './row-group-encoder.ts'
import { formatRowGroupMetadata, type RowGroupMetadata } from './row-group-metadata.ts'

export interface RowGroupFileOptions {
  readonly columns: readonly Column[]
  readonly compression: ParquetCompression
  /** Key-value pairs of the footer, in this order. */
  readonly metadata: Readonly<Record<string, string>>
  /** The key of the run id, which is the last pair. */
  readonly runIdKey?: string
  /** Gets the bytes of the file from its beginning to its end, one call after the other, each awaited. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/**
 * One Parquet file, put together of row groups that were encoded on their own. Each call has to wait for the one
 * before. The same row groups, metadata and run id give the same bytes.
 */
export interface RowGroupFile {
  /** Writes what an `EncodeRowGroup` gave, as the next; throws OUTPUT_FAILED where it is of other columns. */
  append(group: EncodedRowGroup): Promise<void>
  /** Writes the footer. A file may have no row group. */
  finish(runId: string): Promise<{ rows: number }>
}

export function createRowGroupFile(options: RowGroupFileOptions): RowGroupFile {
  const { columns, compression, runIdKey = 'catalogue-etl.run_id' } = options
  const groups: RowGroupMetadata[] = []
  let position = 0

  async function write(bytes: Uint8Array): Promise<void> {
    position += bytes.length
    await options.write(bytes)
  }

  async function beginUnlessBegun(): Promise<void> {
    if (position === 0) await write(magic)
  }

  return {
    async append(group) {
      if (group.columns.length !== columns.length) throw parquetFailure('a row group has other columns than the file')
      await beginUnlessBegun()
      groups.push(formatRowGroupMetadata(columns, compression, group, position))
      await write(group.bytes)
    },
    async finish(runId) {
      await beginUnlessBegun()
      const described = Object.entries(describeColumns(columns))
      const metadata = [...Object.entries(options.metadata), ...described, [runIdKey, runId] as const]
      await write(formatFileEnd({ columns, metadata }, groups, position))
      return { rows: groups.reduce((sum, { rows }) => sum + rows, 0) }
    },
  }
}
