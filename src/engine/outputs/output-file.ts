import type { FilePlan } from '../../plan/pipeline-plan.ts'
import { formatCsvHeader } from '../../formats/csv.ts'
import type { StagedFile, WrittenFile } from '../../publish/staged-file.ts'
import type { FormatWriter, OutputOptions } from './format-writer.ts'

/** One output file on its way to its staging place: pieces in, finished file out. */
export interface OutputFile {
  readonly plan: FilePlan
  readonly staged: StagedFile
  /** Takes one piece of an `EncodedBlock`. Resolves when it is copied or written and there is room for more. */
  write(piece: Uint8Array): Promise<void>
  finish(runId: string): Promise<WrittenFile>
  /** Ends whatever is under way and removes the staging file. */
  discard(): Promise<void>
}

/** Opens one staged file for a table in a format. */
export async function openOutput(plan: FilePlan, options: OutputOptions): Promise<OutputFile> {
  const { storage, token } = options
  const staged = await storage.openFile(plan.path, { token, gzip: plan.gzip, perRun: true })
  const writer = await openFormat(plan, options, staged)
  return {
    plan,
    staged,
    write: async (piece) => {
      if (piece.length > 0) await writer.write(piece)
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
  switch (format.format) {
    case 'csv':
      await staged.write(formatCsvHeader(options.columns, format.dialect))
      return writeAsIs(staged)
    case 'ndjson':
      return writeAsIs(staged)
    case 'parquet': {
      // Loading it takes time that runs without Parquet don't pay.
      const { openParquetOutput } = await import('./parquet-output.ts')
      return openParquetOutput(format, options, staged)
    }
  }
}

function writeAsIs(staged: StagedFile): FormatWriter {
  return { write: (piece) => staged.write(piece), finish: async () => {}, abort: async () => {} }
}
