import type { RunProgress } from '../../engine/run/transform.ts'
import { logEvent, type Terminal } from '../terminal.ts'
import type { ProgressBoard, ProgressView } from './progress-view.ts'

export async function createProgress(terminal: Terminal, quiet: boolean): Promise<ProgressView> {
  return (await createProgressBoard(terminal, quiet)).open()
}

export async function createProgressBoard(terminal: Terminal, quiet: boolean): Promise<ProgressBoard> {
  if (quiet || terminal.log?.format === 'none') return { terminal, open: () => silent }
  if (terminal.log !== undefined) return { terminal, open: (fields = {}) => createProgressEvents(terminal, fields) }
  if (terminal.stderr.isTTY !== true) return { terminal, open: () => silent }
  // Loaded on demand: only a terminal needs bars.
  const { createBars } = await import('./progress-bars.ts')
  return createBars(terminal)
}

const silent: ProgressView = { show: () => undefined, stop: () => undefined }

const intervalMs = 30_000

/** Logs an event every 30 seconds, even without progress. */
export function createProgressEvents(
  terminal: Terminal,
  fields: Readonly<Record<string, unknown>>,
  everyMs = intervalMs,
): ProgressView {
  const startedAt = performance.now()
  let last: RunProgress | null = null
  const timer = setInterval(() => {
    if (last === null) return
    const { pipeline, lines, bytes, total, unit = 'lines' } = last
    const share = total === null || total === 0 ? null : Number((lines / total).toFixed(4))
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const message = `${pipeline}: ${lines} ${unit} after ${seconds} s`
    const progress = { pipeline, lines, bytes, total, share, seconds }
    logEvent(terminal, { level: 'info', event: 'run.progress', message, ...fields, ...progress }, () => message)
  }, everyMs).unref()
  return {
    show: (progress) => (last = progress),
    stop: () => clearInterval(timer),
  }
}
