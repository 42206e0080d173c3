import type { PagePlan } from '../../plan/report-plan.ts'
import type { RunProfile } from '../../kernel/profile/run-profile.ts'
import type { PastRun } from '../../manifest/manifest.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import { renderReport } from '../../report/render-report.ts'
import { RejectGroups } from '../../sources/rejects/reject-groups.ts'

/** Builds the page of a run. Collects example rejects, which the manifest does not have. */
export class ReportPage {
  readonly #showsExamples: boolean
  readonly #rejects = new RejectGroups({})

  constructor({ examples }: PagePlan) {
    this.#showsExamples = examples
  }

  addReject(reject: RejectsFileLine): void {
    this.#rejects.add(reject)
  }

  render(report: ReportManifest, profile: RunProfile | null, runs: readonly PastRun[]): Buffer {
    const options = { examples: this.#showsExamples, rejects: this.#rejects.list(), runs }
    return Buffer.from(renderReport(report, profile, options))
  }
}
