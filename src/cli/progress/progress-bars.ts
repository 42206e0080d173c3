import { type GenericFormatter, MultiBar, type SingleBar } from 'cli-progress'
import type { RunProgress } from '../../engine/run/transform.ts'
import { barWidth, formatProgressLine, type ProgressState } from './progress-line.ts'
import type { ProgressBoard } from './progress-view.ts'
import { toShown, type Terminal } from '../terminal.ts'
import { formatCount } from '../../text/format-count.ts'

/** Draws lines, MB/s and, if the stream states its total, the share and the time left. */
export function createBars(terminal: Terminal): ProgressBoard {
  const { stderr } = terminal
  let bars: MultiBar | null = null
  let open = 0

  function create(progress: RunProgress, payload: Payload): SingleBar {
    open += 1
    const format = toFormatter(stderr, progress.total !== null)
    bars ??= new MultiBar({ format, stream: stderr, clearOnComplete: true, hideCursor: true })
    return bars.create(progress.total ?? progress.lines, 0, payload, { format })
  }

  function close(bar: SingleBar): void {
    open -= 1
    if (open > 0) return void bars?.remove(bar)
    // Draws the last text with the bars.
    bars?.update()
    bars?.stop()
    bars = null
  }

  const log: Terminal['log'] = {
    format: 'text',
    write(_, text) {
      const line = `${toShown(text(), stderr, terminal.env)}\n`
      if (bars !== null) bars.log(line)
      else stderr.write(line)
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
          const payload = { name: pipeline, counts: `${formatCount(lines)} ${unit}, ${speed} MB/s` }
          bar ??= create(progress, payload)
          // The source may hold more lines than it stated: the total grows with them.
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

type Payload = Pick<ProgressState, 'name' | 'counts'>

function toFormatter(stream: Terminal['stderr'], hasTotal: boolean): GenericFormatter {
  return (_, { progress, eta }, payload: Payload) => {
    const state = { ...payload, share: hasTotal ? progress : null, secondsLeft: eta }
    return formatProgressLine(state, barWidth(stream))
  }
}
