import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { FixedLines } from '../../sources/rejects/fixed-lines.ts'
import { correctionsPath } from '../side-files.ts'
import type { StagingOptions } from '../outputs/outputs.ts'
import type { RunContext } from '../../run-context.ts'
import { toLoadRun, type LoadRunOptions } from './load-task.ts'
import { openFixedSources } from '../reading/open-fixed-sources.ts'
import type { OpenSources } from '../reading/open-rereadable.ts'
import { toWholeRun, type RunTask } from './run-task.ts'
import { countOf } from '../../text/format-count.ts'

export { toLoadRun }

/**
 * Plans a run that reads corrected lines in place of rejected ones. Files are read whole again, with the corrections of
 * earlier replays. Lines of the service can't be read again, so the corrected rejects of the last run become a delta.
 * Throws USAGE for a service source with stateless outputs, ROWS_INVALID, and errors of other runs.
 */
export async function toReplayRun(
  plan: PipelinePlan,
  staging: StagingOptions,
  fixedPaths: readonly string[],
  options: LoadRunOptions & Pick<RunContext, 'env'>,
): Promise<RunTask> {
  const {
    source,
    outputs: { stateful },
  } = plan
  if (source.kind === 'service' && stateful === null) throw cantReadAgain(plan.name, plan.source)
  const { env = process.env, signal = new AbortController().signal } = options
  const kept = source.kind === 'files' ? await findCorrections(plan.report, staging) : null
  const fixed = await FixedLines.read(fixedPaths, kept, { env, signal })
  const note = `${countOf(fixed.count, 'line')} of ${fixed.path} took the place of ${fixed.count === 1 ? 'one' : 'those'} rejected before`
  const openSources: OpenSources = (asked, context) => openFixedSources(asked, fixed, context)
  if (source.kind === 'files') {
    const keeping = { ...staging, corrections: fixed }
    const task =
      stateful === null ? await toWholeRun(plan, keeping, options) : await toLoadRun(plan, stateful, keeping, options)
    return { ...task, fixed, openSources, notes: [...task.notes, note] }
  }
  const task = await toLoadRun(plan, stateful as NonNullable<typeof stateful>, staging, { ...options, isReplay: true })
  // No limit: an earlier run has already counted these rejects.
  const limit = { kind: 'share', percent: 100 } as const
  const limits = { ...task.plan.limits, rejects: limit }
  return { ...task, plan: { ...task.plan, limits }, fixed, openSources, notes: [...task.notes, note] }
}

async function findCorrections(report: ReportPlan, { storage }: StagingOptions): Promise<string | null> {
  const path = correctionsPath(report)
  return (await storage.sizeOf(path)) === null ? null : path
}

function cantReadAgain(name: string, source: SourcePlan): CatalogueError {
  const endpoint = source.kind === 'service' ? source.endpoint : ''
  const message = `${name}: expected files, or outputs that keep a state, got ${endpoint}: another reading would bring other lines, and outputs of one snapshot can't be added to`
  return new CatalogueError('USAGE', message, {
    fix: 'Land the lines with `catalogue-etl fetch CONFIG --to FILE`, run the pipeline with `--from FILE`, and replay its rejects with the same `--from FILE`.',
  })
}
