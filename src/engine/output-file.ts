import type { FilePlan } from '../config/pipeline-plan.ts'
import type { Row } from '../records/column.ts'
import { createCsvEncoder, formatCsvHeader } from '../sinks/csv.ts'
import { createNdjsonEncoder } from '../sinks/ndjson.ts'
import { openStagedFile, type StagedFile, type WrittenFile } from '../sinks/staged-file.ts'
import type { FormatWriter, OutputOptions } from './format-writer.ts'

/** One output file on its way to its staging place: rows in, finished file out. */
export interface OutputFile {
  readonly plan: FilePlan
  readonly staged: StagedFile
  /** Resolves when there is room for more. */
  write(rows: readonly Row[]): Promise<void>
  finish(runId: string): Promise<WrittenFile>
  /** Ends whatever is under way and removes the staging file. */
  discard(): Promise<void>
}

/** Opens one staged file for a table in a format. */
export async function openOutput(plan: FilePlan, options: OutputOptions): Promise<OutputFile> {
  const staged = await openStagedFile(plan.path, { token: options.token, gzip: plan.gzip })
  const writer = await openFormat(plan, options, staged)
  return {
    plan,
    staged,
    write: async (rows) => {
      if (rows.length > 0) await writer.write(rows)
    },
    async finish(runId) {
      await writer.finish(runId)
      return staged.finish()
    },
    async discard() {
      await writer.abort()
      await staged.discard()
    },
  }
}

async function openFormat({ format }: FilePlan, options: OutputOptions, staged: StagedFile): Promise<FormatWriter> {
  const { columns } = options
  switch (format.format) {
    case 'csv':
      await staged.write(formatCsvHeader(columns, format.dialect))
      return writeEncoded(createCsvEncoder(columns, format.dialect), staged)
    case 'ndjson':
      return writeEncoded(createNdjsonEncoder(columns), staged)
    case 'parquet': {
      // Loading Arrow and the encoder takes 100 ms, which runs without Parquet don't pay.
      const { openParquetOutput } = await import('./parquet-output.ts')
      return openParquetOutput(format, options, staged)
    }
  }
}

function writeEncoded(encode: (rows: readonly Row[]) => Uint8Array, staged: StagedFile): FormatWriter {
  return { write: (rows) => staged.write(encode(rows)), finish: async () => {}, abort: async () => {} }
}
