import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RunReport } from '../../engine/run/run-report.ts'
import type { CatalogueError } from '../../errors.ts'
import type { LoggedEvent } from './event-log.ts'
import { toErrorJson } from '../render/render-error.ts'
import type { RunOutcome } from '../run-outcome.ts'

/** A run begins. */
export function toStartedEvent({ name: pipeline, contract, source }: PipelinePlan, run: string): LoggedEvent {
  const from =
    source.kind === 'service' ? { endpoint: source.endpoint, baseUrl: source.baseUrl } : { files: source.files }
  return { level: 'info', event: 'run.started', message: `${pipeline}: started`, pipeline, run, contract, source: from }
}

/** A run has published: how much of what, in how long. */
export function toPublishedEvent(report: RunReport, { run, durationMs }: RunOutcome): LoggedEvent {
  const { pipeline, runId, ledger, completeness, tables, rejects, manifest, files, sources, state, databases } = report
  return {
    level: 'info',
    event: 'run.published',
    message: `${pipeline}: published ${ledger.accepted} of ${ledger.lines} lines in ${(durationMs / 1000).toFixed(2)} s`,
    pipeline,
    run,
    runId,
    durationMs,
    ledger,
    completeness: completeness.status,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    readBytes: sources.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(state && { kind: state.kind, changes: state.changes, stale: state.stale?.records ?? 0 }),
    ...(databases && { databases: databases.map(({ target, changes }) => ({ target, changes })) }),
    files: files.length,
    fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    rejects: rejects.count,
    manifest,
  }
}

/** A run has ended without publishing: why, and what to do. */
export function toFailedEvent(error: CatalogueError, { pipeline, run, durationMs }: RunOutcome): LoggedEvent {
  return { ...toErrorJson(error), level: 'error', event: 'run.failed', pipeline, run, durationMs }
}
