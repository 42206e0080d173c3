import { SingleBar } from 'cli-progress'
import type { ExamineProgress } from '../../doctor/examine-service.ts'
import type { Terminal } from '../terminal.ts'
import { barWidth } from './progress-line.ts'
import { fitText } from '../../text/text-width.ts'

/** Shows the endpoint being asked, on a terminal only. */
export function createExaminationProgress({ stderr }: Terminal, quiet: boolean) {
  if (quiet || stderr.isTTY !== true) return { show: () => undefined, stop: () => undefined }
  const format = 'asking  {bar} {value} of {total}  {endpoint}'
  const barsize = Math.max(5, Math.min(20, barWidth(stderr) - 60))
  const room = barWidth(stderr) - barsize - 'asking   123 of 123  '.length
  const bar = new SingleBar({ format, stream: stderr, clearOnComplete: true, hideCursor: true, barsize })
  return {
    show({ endpoint: name, done, endpoints }: ExamineProgress): void {
      const endpoint = fitText(name, room)
      if (bar.isActive) bar.update(done, { endpoint })
      else bar.start(endpoints, done, { endpoint })
    },
    stop: () => bar.stop(),
  }
}
