import { type FormatWriterOptions, openFormatWriter } from '../../formats/file-format.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PublishableFile, WrittenFile } from '../../storage/staged-file.ts'
import type { StagedSet } from '../../storage/staged-set.ts'
import type { FileReport } from '../../manifest/manifest.ts'

export interface OutputFile {
  readonly plan: FilePlan
  readonly staged: PublishableFile
  /** True for an object that becomes visible once the manifest lists it. Default false. */
  readonly isInPlace?: boolean
  /** Writes one piece of an `EncodedBlock`, like a `FormatWriter`. */
  write(piece: Uint8Array): Promise<void> | undefined
  finish(runId: string): Promise<FinishedFile>
  discard(): Promise<void>
}

/** A finished file. A workbook is shared by tables and comes with the sheets of one of them. */
export type FinishedFile = WrittenFile &
  Pick<FileReport, 'sheets' | 'cutTexts'> & {
    readonly rows?: number
  }

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
