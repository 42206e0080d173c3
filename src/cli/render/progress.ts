import type { RunProgress } from '../../engine/run/transform.ts'
import { logEvent, type Terminal } from '../terminal.ts'

/** The progress of one run. */
export async function createProgress(terminal: Terminal, quiet: boolean): Promise<ProgressView> {
  return (await createProgressBoard(terminal, quiet)).open()
}

export async function createProgressBoard(terminal: Terminal, quiet: boolean): Promise<ProgressBoard> {
  if (quiet || terminal.log?.format === 'none') return { terminal, open: () => silent }
  if (terminal.log !== undefined) return { terminal, open: (fields = {}) => createProgressEvents(terminal, fields) }
  if (terminal.stderr.isTTY !== true) return { terminal, open: () => silent }
  // Loading them takes time that only people at a terminal pay.
  const { createBars } = await import('./progress-bars.ts')
  return createBars(terminal)
}

const silent: ProgressView = { show: () => undefined, stop: () => undefined }

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

const intervalMs = 30_000

/** An event every 30 seconds, also where nothing has moved since: that is worth knowing. */
export function createProgressEvents(
  terminal: Terminal,
  fields: Readonly<Record<string, unknown>>,
  everyMs = intervalMs,
): ProgressView {
  const startedAt = performance.now()
  let last: RunProgress | null = null
  const timer = setInterval(() => {
    if (last === null) return
    const { pipeline, lines, bytes, total } = last
    const share = total === null || total === 0 ? null : Number((lines / total).toFixed(4))
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const message = `${pipeline}: ${lines} lines after ${seconds} s`
    const progress = { pipeline, lines, bytes, total, share, seconds }
    logEvent(terminal, { level: 'info', event: 'run.progress', message, ...fields, ...progress }, () => message)
  }, everyMs).unref()
  return {
    show: (progress) => (last = progress),
    stop: () => clearInterval(timer),
  }
}
