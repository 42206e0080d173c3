import { releaseChunks } from '../../records/memory/chunk-buffer.ts'
import { releaseMemory } from '../../records/memory/release-memory.ts'
import { parquetFailure } from './record-batch.ts'
import { type RowGroup, RowGroupCutter, shareRowGroupBytes } from './row-group-cutter.ts'
import { createRowGroupEncoder, type EncodedRowGroup, type EncodeRowGroup } from './row-group-encoder.ts'
import { createRowGroupFile, type RowGroupFileOptions } from './row-group-file.ts'

export interface ParquetWriterOptions extends RowGroupFileOptions {
  readonly rowGroupRows: number
  /** A row group also ends after the record batch that makes it this large. Default 8 MiB. */
  readonly rowGroupBytes?: number
  /**
   * Encodes a row group elsewhere, while the next one is collected; it must not be changed meanwhile. The result is
   * freed once it is written. Default: in this thread.
   */
  readonly encodeGroup?: (group: RowGroup) => Promise<EncodedRowGroup>
}

/**
 * Writes one Parquet file. Each call but abort has to wait for the one before. The same batches, metadata and run id
 * give the same bytes.
 */
export interface ParquetWriter {
  /**
   * Copies a record batch of the same columns. If it completes a row group, resolves when this is written or, with
   * `encodeGroup`, when the one before is.
   */
  write(batch: Uint8Array): Promise<void>
  finish(runId: string): Promise<{ rows: number }>
  /** Writes nothing more, and waits for pending writes; never rejects. */
  abort(): Promise<void>
}

/** Creates a writer. Once it has failed, every further call but abort throws that failure. */
export function createParquetWriter(options: ParquetWriterOptions): ParquetWriter {
  const { rowGroupRows, rowGroupBytes = shareRowGroupBytes(1), encodeGroup } = options
  const cutter = new RowGroupCutter({ rowGroupRows, rowGroupBytes })
  const file = createRowGroupFile({ ...options, write: (bytes) => (writing = writeUnlessFailed(bytes)) })
  const encode = encodeGroup ?? encodeInThisThread(options)
  let appending = Promise.resolve()
  let writing = Promise.resolve()
  let failure: { readonly thrown: unknown } | undefined

  async function writeUnlessFailed(bytes: Uint8Array): Promise<void> {
    throwFailure()
    await options.write(bytes)
  }

  async function append(group: RowGroup): Promise<void> {
    const encoded = await encode(group)
    releaseChunks(group.bytes)
    await file.append(encoded)
    if (encodeGroup !== undefined) releaseMemory(encoded.bytes)
  }

  async function appendAll(groups: Iterable<RowGroup>): Promise<void> {
    for (const group of groups) {
      await appending
      appending = unlessFailed(() => append(group))
      if (encodeGroup === undefined) await appending
      // The next call throws the failure.
      else appending.catch(() => undefined)
    }
  }

  async function unlessFailed<Result>(act: () => Promise<Result>): Promise<Result> {
    throwFailure()
    try {
      return await act()
    } catch (thrown) {
      failure ??= { thrown }
      throw thrown
    }
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.thrown
  }

  return {
    write: (batch) => unlessFailed(() => appendAll(cutter.add(batch))),
    finish: (runId) =>
      unlessFailed(async () => {
        await appendAll(cutter.end())
        await appending
        return await file.finish(runId)
      }),
    async abort() {
      failure ??= { thrown: parquetFailure('the file was given up') }
      await Promise.allSettled([appending, writing])
    },
  }
}

function encodeInThisThread({ columns, compression }: ParquetWriterOptions) {
  let encode: EncodeRowGroup | undefined
  return async (group: RowGroup): Promise<EncodedRowGroup> => {
    encode ??= await createRowGroupEncoder(columns, compression)
    return encode(group)
  }
}
