import { parquetFailure } from './parquet-failure.ts'
import { giveBackKept } from '../../memory/chunk-buffer.ts'
import { type RowGroup, RowGroupCutter } from './row-group-cutter.ts'
import { shareRowGroupBytes } from './share-row-group-bytes.ts'
import { createRowGroupEncoder, type EncodeRowGroup } from './row-group-encoder.ts'
import { createRowGroupFile, type RowGroupFileOptions } from './row-group-file.ts'

export interface ParquetWriterOptions extends RowGroupFileOptions {
  /** The most rows of a row group. */
  readonly rowGroupRows: number
  /** A row group also ends behind the record batch that makes it this large. Default 8 MiB. */
  readonly rowGroupBytes?: number
}

/**
 * Writes one Parquet file, and encodes it in this thread. Each call but abort has to wait for the one before. The same
 * batches, metadata and run id give the same bytes.
 */
export interface ParquetWriter {
  /**
   * Takes a copy of a record batch of the same columns. Resolves when the row group that it completes,
   * if it does, is written: never more than one is in memory.
   */
  write(batch: Uint8Array): Promise<void>
  /** Writes what is left and the footer. */
  finish(runId: string): Promise<{ rows: number }>
  /** Writes nothing more, and waits for what is being written; never rejects. */
  abort(): Promise<void>
}

/** A writer that has written nothing yet. When it has failed, every further call but abort throws that failure. */
export function createParquetWriter(options: ParquetWriterOptions): ParquetWriter {
  const { columns, compression, rowGroupRows, rowGroupBytes = shareRowGroupBytes(1) } = options
  const cutter = new RowGroupCutter({ rowGroupRows, rowGroupBytes })
  const file = createRowGroupFile({ ...options, write: (bytes) => (writing = writeUnlessFailed(bytes)) })
  let encode: EncodeRowGroup | undefined
  let writing = Promise.resolve()
  let failure: { readonly thrown: unknown } | undefined

  async function writeUnlessFailed(bytes: Uint8Array): Promise<void> {
    if (failure !== undefined) throw failure.thrown
    await options.write(bytes)
  }

  async function writeGroups(groups: Iterable<RowGroup>): Promise<void> {
    for (const group of groups) {
      encode ??= await createRowGroupEncoder(columns, compression)
      const encoded = encode(group)
      giveBackKept(group.bytes)
      await file.append(encoded)
    }
  }

  async function unlessFailed<Result>(act: () => Promise<Result>): Promise<Result> {
    if (failure !== undefined) throw failure.thrown
    try {
      return await act()
    } catch (thrown) {
      failure ??= { thrown }
      throw thrown
    }
  }

  return {
    write: (batch) => unlessFailed(() => writeGroups(cutter.add(batch))),
    finish: (runId) =>
      unlessFailed(async () => {
        await writeGroups(cutter.end())
        return await file.finish(runId)
      }),
    async abort() {
      failure ??= { thrown: parquetFailure('the file was given up') }
      await writing.catch(() => undefined)
    },
  }
}
