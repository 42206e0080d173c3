import { randomBytes } from 'node:crypto'
import { exitCodes, toCatalogueError } from '../../errors.ts'
import type { RunInput } from '../commands/run/run-options.ts'
import type { RunOutcome } from '../run-pipelines.ts'
import { logEvent, type Terminal } from '../terminal.ts'
import { runFailureHook } from './failure-hook.ts'
import { updateMetricsFile } from './metrics-file.ts'
import { listFailedSamples, listSamples } from './metrics.ts'

export { checkMetricsPath } from './metrics-file.ts'

export interface CallEnd {
  readonly exitCode: number
  /** The JSON document of `--json`. */
  readonly document: unknown
  /** Null if the call failed before any pipeline ran. */
  readonly outcomes: readonly RunOutcome[] | null
}

/** Reports the end of a call of `run` to the metrics file and the hook. */
export async function tellOutcome(end: CallEnd, options: RunInput, terminal: Terminal): Promise<void> {
  const { document, exitCode } = end
  const { metrics, onFailure: command } = options
  if (metrics !== undefined) await writeMetrics(metrics, end, terminal)
  if (command !== undefined && exitCode !== exitCodes.published)
    await runFailureHook({ command, document, exitCode }, terminal)
}

/** A metrics file that can't be written is logged and does not change the exit code. */
async function writeMetrics(path: string, { exitCode, outcomes }: CallEnd, terminal: Terminal): Promise<void> {
  try {
    await updateMetricsFile(path, randomBytes(6).toString('hex'), (previous) =>
      outcomes === null
        ? listFailedSamples(exitCode, Date.now() / 1000, previous)
        : outcomes.flatMap((outcome) => listSamples(outcome, previous)),
    )
  } catch (error) {
    const { code, message } = toCatalogueError(error)
    logEvent(terminal, { level: 'error', event: 'metrics.failed', code, message }, () => `--metrics: ${message}`)
  }
}
