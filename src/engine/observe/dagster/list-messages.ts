import type { Manifest } from '../../../manifest/manifest.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { countOf } from '../../../text/format-count.ts'
import type { FinishedRun } from '../run-observer.ts'
import { type Check, listChecks } from './list-checks.ts'
import { listMaterializations } from './list-materializations.ts'
import { type PipesMessage, type StepContext, toText } from './pipes-session.ts'

/** All that Dagster gets to know at the end of a run, without values of records. */
export function listMessages(end: FinishedRun, plan: PipelinePlan, context: StepContext): PipesMessage[] {
  const { report } = end
  const checks = report === null ? [] : listChecks(report, plan)
  const broken = checks.filter(({ passed }) => !passed)
  return [
    ...broken.map(({ name, expected, got }) => log('WARNING', `${name}: expected ${expected}, got ${got}`)),
    ...context.extras.checks.map((asked) => toAssetCheck(asked, checks, context)),
    ...(end.outcome === 'published' ? tellPublished(end.report, context) : tellFailed(end, plan)),
  ]
}

/** A check that the step asks for: Dagster fails a step that reports one which its assets don't declare. */
function toAssetCheck(asked: string, checks: readonly Check[], { asset_keys }: StepContext): PipesMessage {
  const colon = asked.lastIndexOf(':')
  const asset_key = colon < 0 ? asset_keys?.[0] : asked.slice(0, colon)
  const check_name = asked.slice(colon + 1)
  const check = checks.find(({ name }) => name === check_name)
  if (check === undefined)
    return log('WARNING', `${asked}: expected one of the checks ${checks.map(({ name }) => name).join(', ')}`)
  const { passed, severity, expected, got } = check
  const metadata = { expected: toText(expected), got: toText(got) }
  return { method: 'report_asset_check', params: { asset_key, check_name, passed, severity, metadata } }
}

function tellPublished(report: Manifest, { asset_keys }: StepContext): PipesMessage[] {
  const { pipeline, runId, ledger, completeness, tables, manifest } = report
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]))
  const payload = { ok: true, pipeline, runId, ledger, completeness: completeness.status, rows, manifest }
  return [
    ...listMaterializations(report, asset_keys ?? []),
    log('INFO', `${pipeline}: published ${ledger.accepted} of ${countOf(ledger.lines, 'line')}`),
    { method: 'report_custom_message', params: { payload } },
    { method: 'closed', params: {} },
  ]
}

function tellFailed({ error }: FinishedRun & { readonly outcome: 'failed' }, { name }: PipelinePlan): PipesMessage[] {
  const { code, title, exitCode, fix, outputs = null } = error
  const message = `${code} ${title}. ${outputs ?? ''} Try: ${fix}`
  const exception = { name: code, message, stack: [], cause: null, context: null }
  return [
    {
      method: 'report_custom_message',
      params: { payload: { ok: false, pipeline: name, code, title, exitCode, outputs } },
    },
    { method: 'closed', params: { exception } },
  ]
}

function log(level: 'INFO' | 'WARNING', message: string): PipesMessage {
  return { method: 'log', params: { message, level } }
}
