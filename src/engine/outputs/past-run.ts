import type { Manifest, PastRun } from '../../manifest/manifest.ts'
import { listDistinctFiles } from '../../manifest/manifest.ts'
import type { ColumnProfile, ProfileValue, RunProfile } from '../../kernel/profile/run-profile.ts'
import { listLoads } from '../../report/facts/load.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import { cutText } from '../../text/cut-text.ts'

/** Makes the line of a run. It stays below 16 kB, whatever the run had. */
export function toPastRun(
  run: string,
  report: ReportManifest,
  profile: RunProfile | null,
  outcome: Pick<PastRun, 'kind' | 'outcome' | 'exitCode' | 'records' | 'changesRun'>,
): PastRun {
  const { runId, tool, startedAt, finishedAt, durationMs, completeness, ledger, rules } = report
  const { kind, records, changesRun, ...ended } = outcome
  const budget = new Budget()
  const loads = listLoads(report).map(({ target, changes }) => {
    const { new: added, changed, touched, removed } = changes
    return { target, new: added, changed, touched, removed }
  })
  const drift = cutDrift(report.drift, budget)
  return {
    run,
    runId,
    version: tool.version,
    ...(kind !== undefined && { kind }),
    startedAt,
    finishedAt,
    durationMs,
    ...ended,
    completeness: completeness.status,
    ledger,
    ...(records !== undefined && { records }),
    ...(kind !== undefined && { tables: Object.fromEntries(budget.take(listTables(report))) }),
    ...(loads.length > 0 && { loads: loads.slice(0, mostLoads) }),
    ...(changesRun !== undefined && { changesRun }),
    ...(drift && { drift }),
    ...(rules && { rules: toResults(rules, budget) }),
    ...(profile && { profile: toDigest(profile, budget) }),
    ...(budget.isCut && { isCut: true }),
  }
}

/**
 * Counts the records that the outputs hold after a run: those that a full run has accepted, and after a delta those of the run
 * before, with the new and without the removed ones. Null if `last`, of the history, is not the run before.
 */
export function countRecords(
  report: Pick<Manifest, 'ledger' | 'state' | 'databases' | 'previous'>,
  last: PastRun | undefined,
): number | null {
  const { ledger, state, previous } = report
  if (state?.kind !== 'delta') return ledger.accepted
  const [load] = listLoads(report)
  if (load === undefined || last?.records === undefined || last.finishedAt !== previous?.finishedAt) return null
  return last.records + load.changes.new - load.changes.removed
}

const mostLoads = 20

/** Takes entries, each part of a line from the first, until they are too long as JSON. */
class Budget {
  isCut = false

  take<Entry>(entries: readonly Entry[], mostBytes = 3000): Entry[] {
    let bytes = 0
    const taken = entries.filter((entry) => (bytes += Buffer.byteLength(JSON.stringify(entry)) + 1) <= mostBytes)
    this.isCut ||= taken.length < entries.length
    return taken
  }
}

function listTables({
  tables,
  files,
}: Pick<Manifest, 'tables' | 'files'>): [string, { rows: number; bytes: number }][] {
  const distinct = listDistinctFiles(files)
  return tables.map(({ name, rows }) => {
    const own = distinct.filter(({ table }) => table === name)
    return [name, { rows, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }]
  })
}

function cutDrift({ unknownFields, unknownValues }: Manifest['drift'], budget: Budget): PastRun['drift'] | null {
  const fields = budget.take(Object.entries(unknownFields), 1500)
  const found = Object.entries(unknownValues).flatMap(([path, values]) =>
    Object.entries(values).map(([value, count]) => ({ path, value, count })),
  )
  if (fields.length + found.length === 0) return null
  const values: Record<string, Record<string, number>> = {}
  for (const { path, value, count } of budget.take(found, 1500)) values[path] = { ...values[path], [value]: count }
  return { unknownFields: Object.fromEntries(fields), unknownValues: values }
}

function toResults(rules: NonNullable<Manifest['rules']>, budget: Budget): NonNullable<PastRun['rules']> {
  const broken = rules.filter(({ result }) => result === 'broken')
  const of = (wanted: string) => rules.filter(({ result }) => result === wanted).length
  // That on the number of records comes first, as later runs look for it.
  const sorted = broken.toSorted((one, other) => Number(other.rule === 'volume') - Number(one.rule === 'volume'))
  const shown = sorted.map(({ table, column, rule, severity, count, records }) => {
    return { table, ...(column !== undefined && { column }), rule, severity, count, ...(records && { records }) }
  })
  return { kept: of('kept'), unjudged: of('unjudged'), broken: budget.take(shown, 2000) }
}

function toDigest({ tables }: RunProfile, budget: Budget): NonNullable<PastRun['profile']> {
  const all = tables.flatMap(({ name, rows, columns }) =>
    columns.map((column) => ({ table: name, column: column.name, digest: digest(column, rows) })),
  )
  const digests: Record<string, Record<string, ReturnType<typeof digest>>> = {}
  for (const { table, column, digest: own } of budget.take(all, 5000))
    digests[table] = { ...digests[table], [column]: own }
  return digests
}

function digest({ filled, distinct, min, max }: ColumnProfile, rows: number) {
  const share = rows === 0 ? 0 : Number((filled / rows).toFixed(4))
  if (distinct !== undefined) return { filled: share, distinct }
  if (min === undefined || max === undefined || min === null || max === null) return { filled: share }
  return { filled: share, min: cutBound(min), max: cutBound(max) }
}

function cutBound(value: ProfileValue): ProfileValue {
  return typeof value === 'string' ? cutText(value, 24) : value
}
