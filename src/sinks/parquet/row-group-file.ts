import { parquetFailure } from './parquet-failure.ts'
import { formatFooter, magic, type ParquetFooter, parseFooter, requireSameSchema } from './parquet-footer.ts'
import { findPagesEnd, type MovedRowGroup, moveRowGroup, placeIndexes } from './row-group-metadata.ts'

export interface RowGroupFileOptions {
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
  append(encoded: Uint8Array): Promise<void>
  /** Writes the footer. There has to be something appended, be it a file without rows: it has the schema. */
  finish(runId: string): Promise<{ rows: number }>
}

export function createRowGroupFile(options: RowGroupFileOptions): RowGroupFile {
  const { metadata, runIdKey = 'catalogue-etl.run_id' } = options
  const groups: MovedRowGroup[] = []
  let first: ParquetFooter | undefined
  let rows = 0
  let position = 0

  async function write(bytes: Uint8Array): Promise<void> {
    position += bytes.length
    await options.write(bytes)
  }

  return {
    async append(encoded) {
      const footer = parseFooter(encoded)
      if (first === undefined) await write(magic)
      else requireSameSchema(first, footer)
      first ??= footer
      const distance = position - magic.length
      for (const group of footer.rowGroups) groups.push(moveRowGroup(group, encoded, distance, groups.length))
      rows += footer.rows
      await write(encoded.subarray(magic.length, findPagesEnd(footer.rowGroups, footer.start)))
    },
    async finish(runId) {
      if (first === undefined) throw parquetFailure('the file has no schema')
      const { indexes, rowGroups } = placeIndexes(groups, position)
      const footer = formatFooter(first, rows, rowGroups, [...Object.entries(metadata), [runIdKey, runId]])
      await write(Buffer.concat([indexes, footer]))
      return { rows }
    },
  }
}
