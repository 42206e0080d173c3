import { describeEditLoss } from '../loads/changes/edit-loss.ts'
import { describeWrongValues } from '../records/wrong-values.ts'
import { describeListed, describeRule } from '../kernel/rules/describe-rule.ts'
import { tellDoubt } from './doubts.ts'
import { countOf, formatCount } from '../text/format-count.ts'
import { describeDoubt } from './facts/completeness.ts'
import { describeCorrected } from './facts/corrected.ts'
import { listNewDrift, listPlaces } from './facts/drift.ts'
import { describeLeft } from './facts/files.ts'
import { describeStale } from './facts/load.ts'
import { listMissing, listMissingCodes, type MissingCodes } from './facts/missing.ts'
import { listBrokenRules } from './facts/rules.ts'
import type { ReportManifest } from './report-manifest.ts'
import type { DatabaseReport, Drift, RejectReason, SourceNotesReport } from '../manifest/manifest.ts'

/** `wrong`: the outputs are unreliable; `look`: they may not hold what was intended; `note`: good to know. */
export const severities = ['wrong', 'look', 'note'] as const

/** A fact that somebody should know before using a run's outputs. */
export interface Finding {
  readonly severity: (typeof severities)[number]
  readonly kind: FindingKind
  readonly count: number
  /** One sentence, with the file that has all details, if there is one. */
  readonly text: string
  readonly details: readonly string[]
}

/**
 * All findings of a run, worst first. Terminal, page, metrics and JSON show these and no others. A run is green if none
 * is `wrong` or `look`. Without `examples`, no text has a value of a record. Commands name the file `config`.
 */
export function listFindings(report: ReportManifest, { examples = true, config = 'CONFIG' } = {}): Finding[] {
  const found = Object.entries(finders).flatMap(([kind, find]) =>
    find(report, examples, config).map((each) => ({ details: [], ...each, kind: kind as FindingKind })),
  )
  return severities.flatMap((wanted) => found.filter(({ severity }) => severity === wanted))
}

/**
 * The findings that a run also logs as warnings, as not every reader of its log sees the report. No text has a value of
 * a record.
 */
export function listWarnings(report: ReportManifest): string[] {
  return listFindings(report, { examples: false })
    .filter(({ kind, severity }) => severity === 'wrong' || kind === 'edited' || kind === 'tables')
    .map(({ text }) => text)
}

type Found = Pick<Finding, 'severity' | 'count' | 'text'> & Partial<Pick<Finding, 'details'>>

/** The findings of a fetch from the service. */
export function listReadingFindings(notes: SourceNotesReport): Finding[] {
  const missing = listMissingCodes(notes.missing)
    .map(tellMissing)
    .map((each) => ({ details: [], ...each, kind: 'missing' as const }))
  const repeated = findRepeatedRequests(notes).map((each) => ({ details: [], ...each, kind: 'service' as const }))
  return [...missing, ...repeated]
}

/** The worst severity; `note` without findings. */
export function worstOf(findings: readonly Finding[]): Finding['severity'] {
  return severities.find((wanted) => findings.some(({ severity }) => severity === wanted)) ?? 'note'
}

/** By kind, in their order within a severity. A new kind of finding is a function and a line here. */
const finders = {
  failed: findFailure,
  newDrift: findNewDrift,
  doubts: ({ doubts = [] }, examples) =>
    doubts.map((doubt) => ({ severity: doubt.severity, count: doubt.count, text: tellDoubt(doubt, examples) })),
  complete: findUnproven,
  repeats: findRepeats,
  rules: findBrokenRules,
  rejects: findRejects,
  corrected: describeCorrected,
  missing: findMissing,
  edited: ({ editLosses = [] }) =>
    editLosses.map((loss) => ({ severity: 'look', count: loss.removed, text: describeEditLoss(loss) })),
  stale: findStale,
  invalid: ({ drift }, examples) =>
    countNames('look', namePlaces(drift, 'invalidValues', examples), 'value', 'of a wrong type, now empty'),
  tables: findForeignRows,
  codes: ({ drift }, examples) =>
    countNames('look', namePlaces(drift, 'oddCodes', examples), 'code', 'not of the expected form'),
  keys: ({ drift }) => countNames('look', namePlaces(drift, 'duplicateKeys'), 'key', 'repeated, the last one counts'),
  cut: findCutTexts,
  drift: findDrift,
  left: findLeftFiles,
  sheets: findSheets,
  nulls: ({ drift }) => countNames('note', namePlaces(drift, 'nullElements'), 'null', 'among the elements of lists'),
  // Drift is counted before conditions leave records out.
  locales: ({ drift, ledger }) =>
    countNames(
      'note',
      namePlaces(drift, 'otherLocales'),
      'value',
      `in languages without a column${ledger.filtered === 0 ? '' : ', filtered records too'}`,
    ),
  service: ({ sources }) => sources.flatMap(({ notes }) => (notes === undefined ? [] : findRepeatedRequests(notes))),
} satisfies Readonly<Record<string, (report: ReportManifest, examples: boolean, config: string) => readonly Found[]>>

export type FindingKind = keyof typeof finders

/**
 * The error of an unpublished run. Its message may show a value, except that on removed records, which has only counts.
 */
function findFailure({ failure }: ReportManifest, examples: boolean): Found[] {
  if (failure === undefined) return []
  const { code, title, message } = failure
  const isShown = examples || code === 'REMOVED_TOO_MANY'
  return [{ severity: 'wrong', count: 1, text: isShown ? message : title }]
}

function findUnproven({ completeness, asOf }: ReportManifest): Found[] {
  const { status, reasons } = completeness
  const isOnPurpose = asOf !== undefined || completeness.limit !== undefined
  if (isOnPurpose) return [{ severity: 'note', count: reasons.length, text: reasons.join('; ') }]
  if (status === 'proven') return []
  const severity = status === 'incomplete' ? 'wrong' : 'look'
  return [{ severity, count: reasons.length, text: describeDoubt(completeness) }]
}

/** Lines with a repeated id that `duplicates: keep` kept, so they were neither left out nor rejected for it. */
function findRepeats({ ledger, rejects, sources }: ReportManifest): Found[] {
  const rejected = rejects.reasons?.find(({ code }) => code === 'duplicate_id')?.count ?? 0
  const count = ledger.repeatedIds - ledger.duplicate - rejected
  if (count <= 0) return []
  const inAll = ledger.filtered === 0 ? '' : ', filtered lines too'
  const subject = `${formatCount(count)} of ${countOf(ledger.lines, 'line')} ${count === 1 ? 'repeats' : 'repeat'} the id of an earlier line${inAll}`
  const exports =
    sources.length < 2 ? '' : ` Are the ${formatCount(sources.length)} sources exports of the same records?`
  const advice = '`duplicates: last` keeps one line of each id.'
  return [
    {
      severity: 'look',
      count,
      text: `${subject}: rows and sums have these records more than once.${exports} ${advice}`,
    },
  ]
}

function findBrokenRules({ rules = [], brokenRows }: ReportManifest, examples: boolean): Found[] {
  const broken = listBrokenRules(rules)
  if (broken.length === 0) return []
  const severity = broken.some((rule) => rule.severity === 'error') ? 'wrong' : 'look'
  const text = `${formatCount(broken.length)} of ${countOf(rules.length, 'rule')} ${broken.length === 1 ? 'is' : 'are'} broken${brokenRows === undefined ? '' : `, ${describeListed(brokenRows.path, broken)}`}`
  const details = broken.map((rule) => {
    const detail = describeRule(examples ? rule : { ...rule, examples: [], ids: [] })
    return rule.severity === 'error' ? `${detail}; severity error` : detail
  })
  return [{ severity, count: broken.length, text, details }]
}

function findRejects({ rejects, ledger }: ReportManifest, _: boolean, config: string): Found[] {
  const { count, path, reasons = [], wrongValues } = rejects
  if (count === 0) return []
  const text = `${formatCount(count)} of ${countOf(ledger.lines, 'line')} ${count === 1 ? 'is' : 'are'} rejected, each with its reason in ${path}`
  const advice = wrongValues === undefined ? [] : [describeWrongValues(wrongValues)]
  return [{ severity: 'look', count, text, details: [...describeReasons(reasons, config), ...advice] }]
}

function describeReasons(reasons: readonly RejectReason[], config: string): string[] {
  const more = reasons.length - mostReasons
  const hint = `${more > 0 ? `${formatCount(more)} more; ` : ''}examples: catalogue-etl rejects show ${config}`
  return [...reasons.slice(0, mostReasons).map(describeReason), hint]
}

const mostReasons = 3

/** Such as `12 × invalid_type photos[].displayOrder: expected an integer`. */
function describeReason({ code, path, count, expected }: RejectReason): string {
  return `${formatCount(count)} × ${code}${path === '' ? '' : ` ${path}`}: ${expected}`
}

function findMissing(report: ReportManifest): Found[] {
  const { lists, file } = listMissing(report)
  const found = lists.map(tellMissing)
  if (file === null) return found
  return [...found, { severity: 'look', count: file.rows, text: `${file.text}, each with its line in ${file.path}` }]
}

function tellMissing({ key, asked, count, codes }: MissingCodes): Found {
  const named = codes.map(({ text, line }) => (line === null ? text : `${text} (line ${line})`))
  const shown = named.slice(0, mostNames).join(', ') + (named.length > mostNames ? ', … (all in the manifest)' : '')
  return {
    severity: 'look',
    count,
    text: `${formatCount(count)} of ${countOf(asked, 'code')} (${key}) not found: ${shown}`,
  }
}

const mostNames = 5

function findStale({ state }: ReportManifest): Found[] {
  const { stale } = state ?? {}
  if (stale === undefined || stale.records === 0) return []
  return [{ severity: 'look', count: stale.records, text: describeStale(stale) }]
}

function findForeignRows({ databases = [] }: ReportManifest): Found[] {
  return databases.flatMap(({ target, format, mode, tables, differences = [] }) => [
    ...differences.map(({ table, expected, got }): Found => {
      const text = `${table} of ${target} had ${countOf(got, 'row')}, the last load left ${formatCount(expected)}: ${format !== undefined ? howRestored : howRewritten[mode]}`
      return { severity: 'look', count: Math.abs(got - expected), text }
    }),
    ...tables.flatMap(({ name, foreignRows = 0 }): Found[] => {
      const text = `${name} of ${target} has ${countOf(foreignRows, 'row')} that this pipeline has not loaded; they stay`
      return foreignRows === 0 ? [] : [{ severity: 'look', count: foreignRows, text }]
    }),
  ])
}

const howRestored = 'its rows are as the loads left them again, and rows of others with other ids stay'

const howRewritten: Readonly<Record<DatabaseReport['mode'], string>> = {
  snapshot: 'it holds what this run read',
  merge: 'every record was put in place anew',
  history: 'every record was put in place anew, but versions that had ended do not come back',
  append: 'rows that are gone do not come back',
}

/** Texts that were cut to the longest that a workbook's cell can hold. */
function findCutTexts({ files }: ReportManifest): Found[] {
  return files.flatMap(({ table, cutTexts = {} }) =>
    Object.entries(cutTexts).map(([column, count]) => {
      const text = `${countOf(count, 'text')} of ${table}.${column} cut to the 32,767 characters of a cell`
      return { severity: 'look', count, text }
    }),
  )
}

/** Tables with more rows than a workbook's sheet can hold. */
function findSheets({ files }: ReportManifest): Found[] {
  return files.flatMap(({ table, sheets = [] }) => {
    const others = sheets.slice(1).map(({ name, rows }) => `"${name}" (${countOf(rows, 'row')})`)
    if (others.length === 0) return []
    return { severity: 'note', count: others.length, text: `${table} continues in ${others.join(' and ')}` }
  })
}

/** Unknown fields and values, but for those that the run before did not have. */
function findDrift(report: ReportManifest): Found[] {
  const found = new Set(listNewUnknown(report))
  const known = nameUnknown(report).filter(([name]) => !found.has(name))
  return countNames('look', known, 'time', 'something unexpected')
}

function findNewDrift(report: ReportManifest): Found[] {
  const found = new Set(listNewUnknown(report))
  const named = nameUnknown(report).filter(([name]) => found.has(name))
  return countNames('look', named, 'time', 'something unexpected that the run before did not have')
}

function listNewUnknown(report: ReportManifest): string[] {
  return listNewDrift(report).flatMap(({ kind, path, value }) =>
    kind === 'unknownFields' ? [nameField(path)] : kind === 'unknownValues' ? [nameValue(path, value ?? '')] : [],
  )
}

function nameUnknown({ drift }: ReportManifest): NamedCount[] {
  const fields = listPlaces(drift, 'unknownFields').map(({ path, count }) => [nameField(path), count] as const)
  const values = listPlaces(drift, 'unknownValues').flatMap(({ path, values: found }) =>
    (found ?? []).map(([value, count]) => [nameValue(path, value), count] as const),
  )
  return [...fields, ...values]
}

function nameField(path: string): string {
  return `field ${path}`
}

function nameValue(path: string, value: string): string {
  return `${path} = ${JSON.stringify(value)}`
}

function findLeftFiles({ leftFiles = [], plan }: ReportManifest): Found[] {
  if (leftFiles.length === 0) return []
  const versions = leftFiles.some(({ mode }) => mode === 'history') ? ', with every earlier version in a history' : ''
  const hint = `${plan === undefined ? 'run' : 'the next commit with'} --prune removes ${leftFiles.length === 1 ? 'it' : 'them'}${versions}`
  return [{ severity: 'look', count: leftFiles.length, text: `${describeLeft(leftFiles)}; ${hint}` }]
}

/** Repeated requests, and results that changed while they were read. The records are complete all the same. */
function findRepeatedRequests({ repeats, changes }: SourceNotesReport): Found[] {
  const count = repeats.length + changes.length
  return count === 0
    ? []
    : [{ severity: 'note', count, text: `requests repeated ${formatCount(count)}×, see the manifest` }]
}

/** The places of a kind of drift, each with its first value if `examples` is true. */
function namePlaces(drift: Drift, kind: keyof Drift, examples = false): NamedCount[] {
  return listPlaces(drift, kind).map(({ path, count, values }) => {
    const [example] = examples ? (values?.[0] ?? []) : []
    return [example === undefined ? path : `${path} (${example})`, count]
  })
}

type NamedCount = readonly [name: string, count: number]

/** Such as `651 values of a wrong type, now empty: weight 600×, volume 51×`. */
function countNames(severity: Finding['severity'], counts: readonly NamedCount[], noun: string, what: string): Found[] {
  const names = counts.toSorted(([, one], [, other]) => other - one)
  if (names.length === 0) return []
  const count = names.reduce((sum, [, times]) => sum + times, 0)
  const shown = names.slice(0, mostNames).map(([name, times]) => `${name === '' ? '""' : name} ${formatCount(times)}×`)
  const more = names.length > mostNames ? `, ${formatCount(names.length - mostNames)} more in the manifest` : ''
  return [{ severity, count, text: `${countOf(count, noun)} ${what}: ${shown.join(', ')}${more}` }]
}
