import { SingleBar } from 'cli-progress'
import type { ExamineProgress } from '../../doctor/examine-service.ts'
import type { Terminal } from '../terminal.ts'

/** Shows which endpoint is asked, on a terminal only. */
export function createExaminationProgress({ stderr }: Terminal, quiet: boolean) {
  if (quiet || stderr.isTTY !== true) return { show: () => undefined, stop: () => undefined }
  const format = 'asking  {bar} {value} of {total}  {endpoint}'
  const bar = new SingleBar({ format, stream: stderr, clearOnComplete: true, hideCursor: true, barsize: 20 })
  return {
    show({ endpoint, done, endpoints }: ExamineProgress): void {
      if (bar.isActive) bar.update(done, { endpoint })
      else bar.start(endpoints, done, { endpoint })
    },
    stop: () => bar.stop(),
  }
}
