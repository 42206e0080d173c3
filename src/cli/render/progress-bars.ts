import { MultiBar, type SingleBar } from 'cli-progress'
import type { RunProgress } from '../../engine/run/transform.ts'
import type { ProgressBoard } from './progress-view.ts'
import { toShown, type Terminal } from '../terminal.ts'

/** Lines, MB/s, and, where the stream states its total, the share and the time left. */
export function createBars(terminal: Terminal): ProgressBoard {
  const { stderr } = terminal
  let bars: MultiBar | null = null
  let open = 0

  function create(progress: RunProgress, payload: object): SingleBar {
    open += 1
    bars ??= new MultiBar({ format: formatWithoutTotal, stream: stderr, clearOnComplete: true, hideCursor: true })
    return bars.create(progress.total ?? progress.lines, 0, payload, { format: toFormat(progress.total) })
  }

  function close(bar: SingleBar): void {
    open -= 1
    if (open > 0) return void bars?.remove(bar)
    // The last text is drawn with the bars.
    bars?.update()
    bars?.stop()
    bars = null
  }

  const log: Terminal['log'] = {
    format: 'text',
    write(_, text) {
      if (bars !== null) bars.log(`${text()}\n`)
      else stderr.write(`${toShown(text(), stderr, terminal.env)}\n`)
    },
  }
  return {
    terminal: { ...terminal, log },
    open() {
      const startedAt = performance.now()
      let bar: SingleBar | null = null
      return {
        show(progress) {
          const { pipeline, lines, bytes, total, unit = 'lines' } = progress
          const speed = (bytes / 1e3 / Math.max(1, performance.now() - startedAt)).toFixed(0)
          const payload = { pipeline, lines: lines.toLocaleString('en'), speed, unit }
          bar ??= create(progress, payload)
          // More lines than stated leave no time to be named: the total grows with them.
          bar.setTotal(total !== null && lines <= total ? total : lines + 1)
          bar.update(lines, payload)
        },
        stop() {
          if (bar !== null) close(bar)
          bar = null
        },
      }
    },
  }
}

const formatWithoutTotal = '{pipeline}  {lines} {unit}, {speed} MB/s'

function toFormat(total: number | null): string {
  return total === null ? formatWithoutTotal : `${formatWithoutTotal}  {bar} {percentage} %, {eta_formatted} left`
}
