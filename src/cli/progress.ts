import { SingleBar } from 'cli-progress'
import type { RunProgress } from '../engine/run-pipeline.ts'
import type { Terminal } from './terminal.ts'

/** Shows how far a run has come, on a terminal only. */
export interface ProgressView {
  show(progress: RunProgress): void
  stop(): void
}

/** Lines, MB/s, and, where the stream states its total, the share and the time left. */
export function createProgress({ stderr }: Terminal, quiet: boolean): ProgressView {
  if (quiet || stderr.isTTY !== true) return { show: () => undefined, stop: () => undefined }
  const startedAt = performance.now()
  let bar: SingleBar | null = null
  return {
    show({ pipeline, lines, bytes, total }) {
      const speed = (bytes / 1e3 / Math.max(1, performance.now() - startedAt)).toFixed(0)
      const payload = { pipeline, lines: lines.toLocaleString('en'), speed }
      if (bar === null) {
        bar = new SingleBar({
          format: toFormat(total),
          stream: stderr,
          clearOnComplete: true,
          hideCursor: true,
        })
        bar.start(total ?? lines, 0, payload)
      }
      if (total === null) bar.setTotal(lines)
      bar.update(Math.min(lines, total ?? lines), payload)
    },
    stop() {
      bar?.stop()
    },
  }
}

function toFormat(total: number | null): string {
  const counts = '{pipeline}  {lines} lines, {speed} MB/s'
  return total === null ? counts : `${counts}  {bar} {percentage} %, {eta_formatted} left`
}
