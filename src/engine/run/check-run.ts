import { type ContractName, contracts, isContractName } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { describeExcess } from '../../plan/count-limit.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { LimitsPlan } from '../../plan/limits-plan.ts'
import { emptyDrift } from '../../records/drift.ts'
import { parseText } from '../../records/parse-line.ts'
import { describeWrongValues } from '../../records/wrong-values.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'
import { describeRule } from '../../kernel/rules/describe-rule.ts'
import type { RejectsSeen } from '../outputs/outputs.ts'
import type { FinishedOutputs } from '../outputs/output-reports.ts'
import type { RunHistory } from '../outputs/run-history.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { Completeness, Ledger, RuleReport } from '../../manifest/manifest.ts'

/** Throws if the input must not be published: SOURCE_INCOMPLETE, TOO_MANY_REJECTS or RULE_BROKEN, in this order. */
export function checkRun(
  plan: PipelinePlan,
  {
    ledger,
    wrongValues,
    rules = [],
    refused = new Map(),
  }: Pick<RunCounters, 'ledger' | 'wrongValues'> & Partial<Pick<RunCounters, 'rules' | 'refused'>>,
  { completeness }: ReadEnd,
  limit: number | null,
  { firstReject, rejectSamples, repeatedRejects = 0 }: RejectsSeen = { firstReject: null, rejectSamples: [] },
): void {
  checkBalance(ledger)
  // Stale records are requested in every run, and must not fail each of them.
  const lines = ledger.lines - ledger.blank - repeatedRejects
  const document = suggestDocument(plan.source, rejectSamples)
  const isAllRejected = ledger.rejected > 0 && ledger.rejected === ledger.lines - ledger.blank
  const cause =
    isAllRejected && firstReject !== null ? `; no line is a record, the first: ${firstReject}${document}` : ''
  if (limit === null) checkComplete(plan.name, plan.limits, completeness, cause)
  const rejected = ledger.rejected - repeatedRejects
  const excess = describeExcess(plan.limits.rejects, rejected, lines, 'lines to be rejected')
  if (excess === null) return checkRules(plan.name, rules)
  const first = firstReject === null ? '' : `; the first: ${firstReject}`
  const hint =
    rejected >= lines * shareOfDoubt ? document || suggestContract(plan.source, plan.records, rejectSamples) : ''
  const fix =
    wrongValues.records === 0
      ? undefined
      : `${describeWrongValues(wrongValues)} Or see \`catalogue-etl rejects show CONFIG\`, which shows each reason with examples.`
  throw new CatalogueError(
    'TOO_MANY_REJECTS',
    `${plan.name}: ${excess}${first}${tellRefused(plan.records, refused)}${hint}`,
    { fix },
  )
}

/** The first corrections that did not save their lines, with the reasons. */
function tellRefused({ corrections = [] }: RecordsPlan, refused: ReadonlyMap<number, string>): string {
  const told = [...refused].slice(0, mostRefused).map(([at, reason]) => {
    const { id = '', path = '' } = corrections[at] ?? {}
    return `${path} of ${id}: ${reason}`
  })
  const more = refused.size > told.length ? `, and ${refused.size - told.length} more` : ''
  return told.length === 0 ? '' : `; corrections that save no line: ${told.join(', ')}${more}`
}

const mostRefused = 3

/**
 * Judges the number of records that the outputs will hold, and medians, by earlier runs, beside the other rules. Throws
 * RULE_BROKEN if one is refused. Call it after `finish`, before anything is published.
 */
export async function checkPast(
  plan: PipelinePlan,
  counters: Pick<RunCounters, 'ledger' | 'rowCounts' | 'rules'>,
  finished: FinishedOutputs,
  { history, storage }: { readonly history: RunHistory | null; readonly storage: FileStorage },
): Promise<void> {
  const { volume, ratios } = plan.limits
  if (history === null || (volume === null && ratios.length === 0)) return
  const { judgePast } = await import('./judge-past.ts')
  const judged = await judgePast(plan, { counters, finished, history, storage })
  counters.rules = [...counters.rules, ...judged]
  checkRules(plan.name, judged, ratios)
}

/** Throws RULE_BROKEN if a rule with `severity: error` is broken. */
function checkRules(name: string, rules: readonly RuleReport[], ratios: LimitsPlan['ratios'] = []): void {
  const broken = rules.filter(({ result, severity }) => result === 'broken' && severity === 'error')
  if (broken.length === 0) return
  const fix = acceptPast(broken, rules, ratios)
  throw new CatalogueError('RULE_BROKEN', `${name}: ${broken.map(describeRule).join('; ')}`, { fix })
}

/** Says how one run publishes what the rules refuse by earlier runs; nothing of other rules. */
function acceptPast(broken: readonly RuleReport[], judged: readonly RuleReport[], ratios: LimitsPlan['ratios']) {
  const keys = broken.flatMap((rule) => {
    if (rule.rule === 'volume') return ['expectVolume']
    return rule.rule === 'ratio' ? [`expect[${ratios[judged.indexOf(rule)]?.entry ?? 0}]`] : []
  })
  if (keys.length < broken.length) return undefined
  const settings = keys.map((key) => `--set ${key}.severity=warn`).join(' ')
  return `Check that the source holds what it should. If it does, run once with \`${settings}\`: that publishes it, and later runs are compared with it.`
}

/** With a larger share of rejects the configured contract is doubtful. */
const shareOfDoubt = 0.5

/** Throws SOURCE_INCOMPLETE if records are missing and the config requires all. */
export function checkComplete(
  name: string,
  { completeness }: LimitsPlan,
  { status, reasons }: Completeness,
  cause = '',
): void {
  if (status !== 'incomplete' || completeness !== 'require') return
  const message = `${name}: expected every record of the stream once, got this: ${reasons.join('; ')}${cause}`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}

function checkBalance({ lines, blank, rejected, filtered, duplicate, accepted }: Ledger): void {
  if (lines === blank + rejected + filtered + duplicate + accepted) return
  const message = `the ledger does not balance: ${lines} lines, ${blank} blank, ${rejected} rejected, ${filtered} filtered, ${duplicate} duplicate, ${accepted} accepted`
  throw new CatalogueError('UNEXPECTED', message)
}

/**
 * Hint about lines that break their contract: the other version if it accepts all of them, otherwise a question. Empty
 * if the lines have other issues, or come from an endpoint.
 */
function suggestContract(source: SourcePlan, { contract }: RecordsPlan, rejects: RejectsSeen['rejectSamples']): string {
  const texts = rejects.flatMap(({ issues, raw }) =>
    issues.some(({ code }) => code === 'invalid_type') && 'raw' in raw ? [raw.raw] : [],
  )
  if (source.kind !== 'files' || texts.length === 0) return ''
  const other = toOtherVersion(contract)
  if (other === null || !texts.every((text) => isAccepted(text, other)))
    return `; is it ${contract}? see source.contract`
  const lines = texts.length === 1 ? 'this line' : `the first ${texts.length} such lines`
  return `; ${other} accepts ${lines}: is it that? see source.contract`
}

/** Hint about lines that look like one document over several lines; otherwise empty. */
function suggestDocument(source: SourcePlan, rejects: RejectsSeen['rejectSamples']): string {
  if (source.kind !== 'files' || !rejects.some(({ raw }) => 'raw' in raw && opening.test(raw.raw))) return ''
  return '; is it one JSON document over several lines? expected a record a line, a list, or an object that begins with "results" or "meta"'
}

const opening = /^\s*\{\s*$/

function toOtherVersion(name: ContractName): ContractName | null {
  const other = name.startsWith('v3/') ? name.replace('v3/', 'v4/') : name.replace('v4/', 'v3/')
  return other !== name && isContractName(other) ? other : null
}

function isAccepted(text: string, contract: ContractName): boolean {
  const parsed = parseText(text, false)
  if (parsed.kind !== 'record') return false
  const validate = compileValidation(
    contracts[contract],
    { unknownFields: 'ignore', unknownValues: 'report', invalidValues: 'reject' },
    [],
  )
  return validate(parsed.delivered, emptyDrift()).issues === null
}
