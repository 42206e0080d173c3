import { type FormatWriterOptions, openFormatWriter } from '../../formats/file-format.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PublishableFile, WrittenFile } from '../../storage/staged-file.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import type { FileReport } from '../../manifest/manifest.ts'

/** One output file on its way to its staging place: pieces in, finished file out. */
export interface OutputFile {
  readonly plan: FilePlan
  readonly staged: PublishableFile
  /** True for an object that counts as soon as the manifest lists it. Default false. */
  readonly isInPlace?: boolean
  /** Takes one piece of an `EncodedBlock`, as a `FormatWriter` does. */
  write(piece: Uint8Array): Promise<void> | undefined
  finish(runId: string): Promise<FinishedFile>
  /** Ends what is under way and removes the staging file. */
  discard(): Promise<void>
}

/** A finished file; with the sheets of its table where it is a workbook, which other tables share. */
export type FinishedFile = WrittenFile &
  Pick<FileReport, 'sheets' | 'cutTexts'> & {
    /** Default all rows of its table. */
    readonly rows?: number
  }

/** Opens a file of the set for a table in a format. */
export async function openOutput(plan: FilePlan, set: StagedSet, options: FormatWriterOptions): Promise<OutputFile> {
  const staged = await set.open(plan.path, { gzip: plan.gzip, perRun: true })
  const writer = await openFormatWriter(staged, plan.format, options)
  return set.keep({
    plan,
    staged,
    write: (piece) => writer.write(piece),
    async finish(runId) {
      await writer.finish(runId)
      return staged.finish()
    },
    async discard() {
      await writer.abort()
      await staged.discard()
    },
  })
}
