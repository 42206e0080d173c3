import type { RunProgress } from '../engine/run-progress.ts'

/** Shows how far a run has come: as a bar on a terminal, now and then in a log of events, otherwise not. */
export interface ProgressView {
  show(progress: RunProgress): void
  stop(): void
}
