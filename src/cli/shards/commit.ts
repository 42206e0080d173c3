import { commitShards } from '../../shards/commit/commit-shards.ts'
import type { RunContext } from '../../run-context.ts'
import { readEnvFiles } from '../env-file.ts'
import { renderReport } from '../render/render-report.ts'
import { colorsFor, log, logEvent, type Terminal, writeJson } from '../terminal.ts'
import type { PlanOptions } from './plan-options.ts'

export interface CommitOptions extends PlanOptions {
  readonly prune?: true
  readonly keep?: true
  readonly wait?: true | number
}

/** Commits the shards of a plan, and logs the report. */
export async function commit(folder: string, options: CommitOptions, terminal: Terminal): Promise<void> {
  const { prune, keep, wait } = options
  const { signal, stderr } = terminal
  const env = await readEnvFiles(options.env ?? [], terminal)
  const onWarning: RunContext['onWarning'] = (message, about) => {
    if (about?.isReported !== true) log(terminal, message)
  }
  const { report, wasPublished } = await commitShards(folder, { prune, keep, wait, env, signal, onWarning })
  if (options.json) writeJson(terminal, { ok: true, wasPublished, report })
  const message = wasPublished
    ? `${report.pipeline}: this plan is published already, ${report.finishedAt}`
    : `${report.pipeline}: published ${report.ledger.accepted} of ${report.ledger.lines} lines of ${report.plan?.shards ?? 0} shards`
  const event = {
    level: 'info',
    event: 'run.published',
    message,
    pipeline: report.pipeline,
    runId: report.runId,
    ledger: report.ledger,
    manifest: report.manifest,
  } as const
  logEvent(terminal, event, () =>
    wasPublished ? message : renderReport(report, colorsFor(stderr, env), stderr.columns),
  )
}
