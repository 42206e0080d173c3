import type { RunReport } from '../engine/run/run-report.ts'
import { exitCodes, type CatalogueError } from '../errors.ts'
import { toErrorJson } from './render/render-error.ts'

interface RunTimes {
  readonly pipeline: string
  /** The name of the run in its lock and in the log. */
  readonly run: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
}

/** How one run ended. */
export type RunOutcome =
  | (RunTimes & { readonly ok: true; readonly report: RunReport })
  | (RunTimes & { readonly ok: false; readonly error: CatalogueError })

/** What a call of several runs did, for scripts: docs/run-report.schema.json. */
export function toRunDocument(outcomes: readonly RunOutcome[]) {
  return {
    ok: outcomes.every(({ ok }) => ok),
    exitCode: chooseExitCode(outcomes),
    runs: outcomes.map((outcome) => (outcome.ok ? outcome : { ...outcome, error: toErrorJson(outcome.error) })),
  }
}

/**
 * The worst of several: that the call was stopped, then what needs a human (a defect, the config, an output, the data),
 * then what another try may get past (the source, a lock), then success.
 */
export function chooseExitCode(outcomes: readonly RunOutcome[]): number {
  const codes = new Set<number>(outcomes.map((outcome) => (outcome.ok ? exitCodes.published : outcome.error.exitCode)))
  const { interrupted, unexpected, usage, output, tooManyRejects, source, locked, published } = exitCodes
  const worstFirst = [interrupted, unexpected, usage, output, tooManyRejects, source, locked, published]
  return worstFirst.find((code) => codes.has(code)) ?? exitCodes.unexpected
}
