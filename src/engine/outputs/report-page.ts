import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RunProfile } from '../../profile/run-profile.ts'
import { type FinishedFile, toFinishedFile } from '../../storage/publication.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import { RejectGroups } from '../../rejects/reject-groups.ts'
import type { PublishedReport, StagingOptions } from './outputs.ts'

/** The page of a run, staged. It collects a few examples of each reject, which the manifest has not. */
export class ReportPage {
  readonly #staged: StagedFile
  readonly #showsExamples: boolean
  readonly #rejects = new RejectGroups({})
  readonly #loading = import('../../report/render-report.ts')

  private constructor(staged: StagedFile, showsExamples: boolean) {
    this.#staged = staged
    this.#showsExamples = showsExamples
    // It is awaited when the page is written, and throws then.
    this.#loading.catch(() => undefined)
  }

  static async open(
    { path, examples }: NonNullable<PipelinePlan['report']>,
    { storage, token }: StagingOptions,
  ): Promise<ReportPage> {
    return new ReportPage(await storage.openFile(path, { token }), examples)
  }

  addReject(reject: RejectsFileLine): void {
    this.#rejects.add(reject)
  }

  /** Writes the page, which is then ready to be published. */
  async finish(report: PublishedReport, profile: RunProfile | null): Promise<FinishedFile> {
    await this.write(this.#staged, report, profile)
    const { sha256 } = await this.#staged.finish()
    return toFinishedFile(this.#staged, sha256)
  }

  /** Writes the page into a file. */
  async write(file: StagedFile, report: ReportManifest, profile: RunProfile | null): Promise<void> {
    const { renderReport } = await this.#loading
    const options = { examples: this.#showsExamples, rejects: this.#rejects.list() }
    await file.write(Buffer.from(renderReport(report, profile, options)))
  }

  discard(): Promise<void> {
    return this.#staged.discard()
  }
}
