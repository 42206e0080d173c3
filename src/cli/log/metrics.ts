import { listFindings, severities } from '../../report/facts.ts'
import { sumBytes } from '../../report/facts/files.ts'
import { listOutcomes } from '../../report/facts/ledger.ts'
import { listLoads } from '../../report/facts/load.ts'
import { countResults } from '../../report/facts/rules.ts'
import type { RunOutcome } from '../run-pipelines.ts'
import { type Manifest, type RejectReason, type RuleReport, listDistinctFiles } from '../../manifest/manifest.ts'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Family {
  readonly name: string
  readonly help: string
  /** The end of the name, as OpenMetrics requires. */
  readonly unit?: 'seconds' | 'bytes'
  /** True for numbers of the last published run, which stay if a later run fails. */
  readonly isKept: boolean
}

/** Only gauges: collectors of text files read them in OpenMetrics and in the older format alike. */
export const families: readonly Family[] = [
  { name: 'run_success', help: '1 if the last run published, else 0.', isKept: false },
  { name: 'run_exit_code', help: 'Exit code of the last run.', isKept: false },
  {
    name: 'run_timestamp_seconds',
    help: 'Time at which the last run ended, since 1970.',
    unit: 'seconds',
    isKept: false,
  },
  { name: 'run_duration_seconds', help: 'Duration of the last run.', unit: 'seconds', isKept: false },
  {
    name: 'published_timestamp_seconds',
    help: 'Time at which the last run that published ended, since 1970.',
    unit: 'seconds',
    isKept: true,
  },
  { name: 'published_lines', help: 'Lines of the source in the last run that published, by outcome.', isKept: true },
  {
    name: 'published_rejects',
    help: 'Rejected lines of the last run that published, by reason: code and path. The most frequent twenty, the others as code other.',
    isKept: true,
  },
  {
    name: 'published_replayed_lines',
    help: 'Corrected lines that took the place of rejected ones in the last run that published.',
    isKept: true,
  },
  {
    name: 'published_rules',
    help: 'Rules of the config in the last run that published, by result: kept, broken or unjudged.',
    isKept: true,
  },
  {
    name: 'published_findings',
    help: 'What the last run that published found, by severity: wrong, look (deserves a look) or note.',
    isKept: true,
  },
  {
    name: 'published_read_bytes',
    help: 'Bytes of the source in the last run that published, decompressed.',
    unit: 'bytes',
    isKept: true,
  },
  {
    name: 'published_complete',
    help: '1 if the source of the last run that published was proven complete, else 0.',
    isKept: true,
  },
  {
    name: 'published_changes',
    help: 'Records of the last run that published, by change: new, changed, touched, unchanged, removed.',
    isKept: true,
  },
  {
    name: 'published_stale',
    help: 'Records whose newest version was rejected, so that the outputs hold an older row of them, or none.',
    isKept: true,
  },
  {
    name: 'published_full_timestamp_seconds',
    help: 'Time at which the last run that read everything began, since 1970.',
    unit: 'seconds',
    isKept: true,
  },
  { name: 'published_rows', help: 'Rows of the last run that published, by table.', isKept: true },
  {
    name: 'published_bytes',
    help: 'Bytes of the files of the last run that published, by table and format.',
    unit: 'bytes',
    isKept: true,
  },
].map((family) => ({ ...family, name: `catalogue_etl_${family.name}` }) as Family)

/** The samples of a run; if it failed, with those of the last published run. */
export function listSamples(outcome: RunOutcome, previous: readonly Sample[]): Sample[] {
  const { pipeline, startedAt, durationMs } = outcome
  const seconds = (Date.parse(startedAt) + durationMs) / 1000
  const last = [
    sample('run_success', { pipeline }, outcome.ok ? 1 : 0),
    sample('run_exit_code', { pipeline }, outcome.ok ? 0 : outcome.error.exitCode),
    sample('run_timestamp_seconds', { pipeline }, seconds),
    sample('run_duration_seconds', { pipeline }, durationMs / 1000),
  ]
  return [...last, ...(outcome.ok ? listPublished(outcome, seconds) : keepPublished(pipeline, previous))]
}

/** The samples of a call that failed before any run: every pipeline of the file counts as failed. */
export function listFailedSamples(exitCode: number, seconds: number, previous: readonly Sample[]): Sample[] {
  const pipelines = new Set(previous.map(({ labels }) => labels['pipeline'] ?? ''))
  return [...pipelines].flatMap((pipeline) => [
    sample('run_success', { pipeline }, 0),
    sample('run_exit_code', { pipeline }, exitCode),
    sample('run_timestamp_seconds', { pipeline }, seconds),
    ...keepPublished(pipeline, previous),
  ])
}

function listPublished({ pipeline, report }: RunOutcome & { readonly ok: true }, seconds: number): Sample[] {
  const { ledger, sources, completeness, tables, files, rejects, replayed, rules = [] } = report
  const bytes = new Map<string, Sample>()
  for (const file of listDistinctFiles(files)) {
    const labels = { pipeline, table: file.table, format: file.format }
    const key = JSON.stringify(labels)
    bytes.set(key, sample('published_bytes', labels, (bytes.get(key)?.value ?? 0) + file.bytes))
  }
  return [
    sample('published_timestamp_seconds', { pipeline }, seconds),
    ...listOutcomes(ledger).map(({ outcome, count }) => sample('published_lines', { pipeline, outcome }, count)),
    ...listReasons(pipeline, rejects.reasons ?? []),
    ...(replayed === undefined ? [] : [sample('published_replayed_lines', { pipeline }, replayed.lines)]),
    ...listRules(pipeline, rules),
    ...listSeverities(pipeline, report),
    sample('published_read_bytes', { pipeline }, sumBytes(sources)),
    sample('published_complete', { pipeline }, completeness.status === 'proven' ? 1 : 0),
    ...listChanges(pipeline, report),
    ...tables.map(({ name, rows }) => sample('published_rows', { pipeline, table: name }, rows)),
    ...bytes.values(),
  ]
}

/**
 * One sample for every result, if there are rules: a series that ended with the last broken rule would not go back to
 * 0.
 */
function listRules(pipeline: string, rules: readonly RuleReport[]): Sample[] {
  if (rules.length === 0) return []
  return countResults(rules, ['kept', 'broken', 'unjudged']).map(({ result, count }) =>
    sample('published_rules', { pipeline, result }, count),
  )
}

/** One sample for every severity, for the same reason as with rules. */
function listSeverities(pipeline: string, report: Manifest): Sample[] {
  const findings = listFindings(report)
  return severities.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return sample('published_findings', { pipeline, severity }, count)
  })
}

/** One series for each pair of labels. Their number is limited, as fields beyond the contract may have any name. */
function listReasons(pipeline: string, reasons: readonly RejectReason[]): Sample[] {
  const named = reasons.filter(({ code }) => code !== 'other').slice(0, mostReasons)
  const others = reasons.filter((reason) => !named.includes(reason)).reduce((sum, { count }) => sum + count, 0)
  const shown = others === 0 ? named : [...named, { code: 'other', path: '', count: others }]
  return shown.map(({ code, path, count }) => sample('published_rejects', { pipeline, code, path }, count))
}

const mostReasons = 20

/** The changes of a pipeline that keeps a state. If only databases count changes, those of the first one. */
function listChanges(pipeline: string, report: Manifest): Sample[] {
  const { state } = report
  if (state === undefined) return []
  const changes = Object.entries(listLoads(report)[0]?.changes ?? {})
  const { lastFullAt, stale } = state
  return [
    ...changes.map(([change, count]) => sample('published_changes', { pipeline, change }, count)),
    sample('published_stale', { pipeline }, stale?.records ?? 0),
    ...(lastFullAt === null
      ? []
      : [sample('published_full_timestamp_seconds', { pipeline }, Date.parse(lastFullAt) / 1000)]),
  ]
}

function keepPublished(pipeline: string, previous: readonly Sample[]): Sample[] {
  const kept = new Set(families.flatMap(({ name, isKept }) => (isKept ? [name] : [])))
  return previous.filter(({ name, labels }) => kept.has(name) && labels['pipeline'] === pipeline)
}

function sample(name: string, labels: Sample['labels'], value: number): Sample {
  return { name: `catalogue_etl_${name}`, labels, value }
}
