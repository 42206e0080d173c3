import type { FileFormat } from '../../plan/pipeline-plan.ts'
import { giveBackKept } from '../../memory/chunk-buffer.ts'
import { type RowGroup, RowGroupCutter } from '../../formats/parquet/row-group-cutter.ts'
import { createRowGroupFile } from '../../formats/parquet/row-group-file.ts'
import { releaseMemory } from '../../memory/release-memory.ts'
import type { StagedFile } from '../../publish/staged-file.ts'
import type { FormatWriter, OutputOptions } from './format-writer.ts'

type ParquetFormat = Extract<FileFormat, { format: 'parquet' }>

/** Cuts record batches into row groups and writes them as they are encoded, elsewhere: one of a file at a time. */
export function openParquetOutput(
  { rowGroupRows, compression }: ParquetFormat,
  { columns, metadata, rowGroupBytes, encodeGroup }: OutputOptions,
  staged: StagedFile,
): FormatWriter {
  const cutter = new RowGroupCutter({ rowGroupRows, rowGroupBytes })
  const file = createRowGroupFile({ columns, compression, metadata, write: (bytes) => staged.write(bytes) })
  let appending: Promise<void> = Promise.resolve()

  async function encodeAndAppend(group: RowGroup): Promise<void> {
    const encoded = await encodeGroup(group)
    giveBackKept(group.bytes)
    await file.append(encoded)
    releaseMemory(encoded.bytes)
  }

  async function appendAll(groups: Iterable<RowGroup>): Promise<void> {
    for (const group of groups) {
      await appending
      appending = encodeAndAppend(group)
      // Whoever waits for it gets the failure.
      appending.catch(() => undefined)
    }
  }

  return {
    write: (piece) => appendAll(cutter.add(piece)),
    async finish(runId) {
      await appendAll(cutter.end())
      await appending
      await file.finish(runId)
    },
    async abort() {
      await appending.catch(() => undefined)
    },
  }
}
