import type { RunProgress } from '../../engine/run/transform.ts'
import type { Terminal } from '../terminal.ts'

/** Shows how far a run has come: as a bar on a terminal, now and then in a log of events, otherwise not. */
export interface ProgressView {
  show(progress: RunProgress): void
  stop(): void
}

/** The progress of several runs at a time, and what is said meanwhile. */
export interface ProgressBoard {
  /** Writes its log between the bars. */
  readonly terminal: Terminal
  /** `fields` go into every event. */
  open(fields?: Readonly<Record<string, unknown>>): ProgressView
}
