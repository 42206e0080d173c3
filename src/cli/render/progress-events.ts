import type { RunProgress } from '../../engine/run/transform.ts'
import type { ProgressView } from './progress-view.ts'
import { tell, type Terminal } from '../terminal.ts'

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
    tell(terminal, { level: 'info', event: 'run.progress', message, ...fields, ...progress }, () => message)
  }, everyMs).unref()
  return {
    show: (progress) => (last = progress),
    stop: () => clearInterval(timer),
  }
}
