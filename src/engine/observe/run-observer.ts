import type { CatalogueError } from '../../errors.ts'
import type { Manifest, StageReport } from '../../manifest/manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'

/**
 * Reports one run to another system. The run begins and reads without waiting for it. An error that it throws becomes a
 * warning, the first one only, and never changes the outcome of the run.
 */
export interface RunObserver {
  /** What it reports to, for warnings: `OpenLineage`. */
  readonly name: string
  /** True once the other system has taken something. */
  readonly hasSent: boolean
  /** Called first, before the run has its lock. */
  started?(run: StartedRun): void | Promise<void>
  /** Called at the end of each stage. A run that begins again has a stage twice. */
  stage?(stage: EndedStage): void
  /**
   * Called last, when the outputs are published or discarded and the lock is released, once the promise of `started` is
   * settled. All observers together have two seconds for it: then the signal aborts, and the run ends without them.
   */
  finished?(end: FinishedRun, signal: AbortSignal): void | Promise<void>
}

export interface StartedRun {
  readonly plan: PipelinePlan
  readonly startedAt: Date
}

/** The stretches of a run. Reports have those before the publication. */
export type StageName = StageReport['name'] | 'publish'

export interface EndedStage {
  readonly name: StageName
  /** Milliseconds since 1970, with a fraction. */
  readonly from: number
  readonly until: number
}

export type FinishedRun = { readonly finishedAt: Date } & (
  | { readonly outcome: 'published'; readonly report: Manifest }
  | {
      readonly outcome: 'failed'
      readonly error: CatalogueError
      /** What was read and judged by a run that was refused for its input; null for other failures. */
      readonly report: ReportManifest | null
    }
)
