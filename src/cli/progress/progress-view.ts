import type { RunProgress } from '../../engine/run/transform.ts'
import type { Terminal } from '../terminal.ts'

/** The progress of a run: a bar on a terminal, occasional events in a log of events, otherwise nothing. */
export interface ProgressView {
  show(progress: RunProgress): void
  stop(): void
}

/** The progress of several runs at a time, and a terminal to log to meanwhile. */
export interface ProgressBoard {
  /** Writes its log between the bars. */
  readonly terminal: Terminal
  /** Adds `fields` to every event. */
  open(fields?: Readonly<Record<string, unknown>>): ProgressView
}
