import { dirname } from 'node:path'
import { escapeControls, escapeJson } from '../../messages/escape-controls.ts'
import type { RunReport } from '../../engine/run/run-report.ts'
import type { DatabaseReport } from '../../engine/outputs/output-reports.ts'
import type { ChangeCounts } from '../../loads/merge-result.ts'
import { listDistinctFiles, type FileReport, type PublishedState } from '../../loads/state/published-state.ts'
import type { Completeness } from '../../sources/completeness.ts'
import type { RejectReason } from '../../records/reject-reasons.ts'
import type { SourceNotes } from '../../sources/source.ts'
import { describeWrongValues } from '../../records/wrong-values.ts'
import { describeCutTexts, describeSheets } from './describe-workbooks.ts'
import { formatSourceIds } from './render-source.ts'
import { fitText, widthOf } from './text-width.ts'
import { describeRule } from '../../rules/describe-rule.ts'
import type { Colors } from '../terminal.ts'

/** A report for people: the ledger as a sum, completeness, tables, files, and everything that deserves a look. */
export function renderReport(report: RunReport, colors: Colors, width = usualWidth): string {
  const { pipeline, durationMs, sources } = report
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0)
  const speed = durationMs > 0 ? `, ${(bytes / 1e3 / durationMs).toFixed(0)} MB/s` : ''
  return [
    `${colors.green(colors.bold(pipeline))}  published in ${(durationMs / 1000).toFixed(2)} s (${toMegabytes(bytes)} read${speed})`,
    row('lines', renderLedger(report)),
    ...renderConditions(report, width),
    ...renderReplayed(report),
    row('complete', renderCompleteness(report.completeness, colors)),
    ...renderLanded(report),
    ...(report.sourceIds === undefined ? [] : [row('list', formatSourceIds(report.sourceIds))]),
    ...renderChanges(report, colors),
    ...renderTables(report, width),
    ...renderFiles(report.files),
    ...renderLeft(report, colors, width),
    ...wrapRow('sheets', describeSheets(report.files), width).map((line) => colors.yellow(line)),
    ...wrapRow('cut', describeCutTexts(report.files), width).map((line) => colors.yellow(line)),
    ...renderRules(report, colors, width),
    ...renderRejects(report, colors, width),
    ...renderDrift(report, colors),
    ...sources.flatMap(({ notes }) => (notes === undefined ? [] : renderNotes(toShownNotes(notes, report), colors))),
    ...renderMissing(report, colors),
    row('manifest', escapeControls(report.manifest)),
    ...(report.report === undefined ? [] : [row('report', escapeControls(report.report.path))]),
  ].join('\n')
}

/** Columns of a line, where there is no terminal that says. */
const usualWidth = 100

/** One line of a report. */
export function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`
}

function renderLedger({ ledger }: RunReport): string {
  const { lines, accepted, rejected, filtered, duplicate, blank, repeatedIds } = ledger
  const parts = [`${format(accepted)} accepted`, `${format(rejected)} rejected`, `${format(filtered)} filtered`]
  parts.push(`${format(duplicate)} duplicate`, `${format(blank)} blank`)
  const repeated = repeatedIds > 0 ? ` (${format(repeatedIds)} repeat an id)` : ''
  return `${format(lines)} = ${parts.join(' + ')}${repeated}`
}

/** The corrected lines of a replay. */
function renderReplayed({ replayed }: RunReport): string[] {
  if (replayed === undefined) return []
  const { lines, path } = replayed
  const subject = lines === 1 ? '1 corrected line' : `${format(lines)} corrected lines`
  return [row('replayed', escapeControls(`${subject} of ${path}`))]
}

/** The conditions that left out records or elements, with their numbers. */
function renderConditions({ filteredBy = [] }: RunReport, width: number): string[] {
  const parts = filteredBy.flatMap(({ table, by, path, condition, filtered }) => {
    if (filtered === 0) return []
    const place = table === null ? by : `${by} of ${table}`
    return [escapeControls(`${format(filtered)} by ${place} ${path}: ${condition}`)]
  })
  return wrapRow('filtered', parts, width)
}

/** The completeness of a stream, with the proof or the reasons. */
export function renderCompleteness({ status, reasons, total }: Completeness, colors: Colors): string {
  if (status === 'proven' && total === 0) return `${colors.green('proven')}, no record matches`
  if (status === 'proven') return `${colors.green('proven')}, indexes 0 to ${format((total ?? 0) - 1)}, each once`
  const shown =
    reasons.slice(0, 3).join('; ') + (reasons.length > 3 ? `; ${reasons.length - 3} more in the manifest` : '')
  return `${colors.yellow(status)}: ${escapeControls(shown)}`
}

/** The origin of landed files. */
function renderLanded({ sources }: RunReport): string[] {
  const landed = sources.flatMap((source) => source.landed ?? [])
  return landed.map(({ endpoint, fetchedAt }) => row('landed', `from ${endpoint} at ${fetchedAt}`))
}

/** The changes of a pipeline that keeps a state. */
function renderChanges({ state, replayed, removedRecords = [], databases = [] }: RunReport, colors: Colors): string[] {
  if (state === undefined) return []
  const changes = replayed === undefined ? `what changed since ${state.asked?.since}` : 'the rejects of the last run'
  const read = state.asked === null ? 'everything' : changes
  const gone = removedRecords.slice(0, 5).map(({ id }) => escapeControls(id))
  const more = (state.changes?.removed ?? gone.length) - gone.length
  return [
    row('read', read),
    ...(state.changes === null ? [] : [row('changes', formatChanges(state.changes))]),
    ...(gone.length === 0
      ? []
      : [row('removed', colors.yellow(gone.join(', ') + (more > 0 ? `, ${format(more)} more` : '')))]),
    ...databases.flatMap((database) => renderDatabase(database, colors)),
    ...(state.stale === undefined || state.stale.records === 0
      ? []
      : [row('stale', colors.yellow(formatStale(state.stale)))]),
  ]
}

function renderDatabase({ target, changes, tables, differences = [] }: DatabaseReport, colors: Colors): string[] {
  const foreign = tables.filter(({ foreignRows = 0 }) => foreignRows > 0)
  return [
    row('loaded', `${escapeControls(target)}: ${formatChanges(changes)}`),
    ...differences.map(({ table, expected, got }) =>
      row('', colors.yellow(`${table} had ${format(got)} rows, the last load left ${format(expected)}`)),
    ),
    ...foreign.map(({ name, foreignRows = 0 }) =>
      row('', colors.yellow(`${name} has ${format(foreignRows)} rows that this pipeline has not loaded; they stay`)),
    ),
  ]
}

/** Records whose last version was rejected, and how the next run gets them. */
export function formatStale({ records, ids }: NonNullable<PublishedState['stale']>): string {
  const which =
    records === 1
      ? 'the newest version of 1 record was rejected'
      : `the newest versions of ${format(records)} records were rejected`
  return `${which}: older rows stay; the next run ${ids.length > 0 ? 'requests them by id' : 'reads everything'}`
}

/** `12 new, 3 changed, 40 touched only, 990 unchanged, 1 removed` */
export function formatChanges(changes: ChangeCounts): string {
  const { changed, touched, unchanged, removed } = changes
  const parts = [`${format(changes.new)} new`, `${format(changed)} changed`, `${format(touched)} touched only`]
  return [...parts, `${format(unchanged)} unchanged`, `${format(removed)} removed`].join(', ')
}

function renderTables({ tables, state }: RunReport, width: number): string[] {
  const filled = tables.filter(({ rows }) => rows > 0)
  const empty = tables.length - filled.length
  const parts = filled.map(({ name, rows }) => `${name} ${format(rows)}`)
  if (empty > 0) parts.push(`${empty} ${empty === 1 ? 'table' : 'tables'} without a row`)
  const isDelta = state !== undefined && state.asked !== null
  return wrapRow(isDelta ? 'rows read' : 'rows', parts, width)
}

/** A row whose list has as many lines as its parts need. */
export function wrapRow(label: string, parts: readonly string[], width = usualWidth): string[] {
  const last = parts.length - 1
  return wrapWords(
    label,
    parts.map((part, at) => (at === last ? part : `${part},`)),
    width,
  )
}

/** The same of words, without commas. */
function wrapWords(label: string, words: readonly string[], width: number): string[] {
  return wrap(words, width - row('', '').length).map((line, at) => row(at === 0 ? label : '', line))
}

function wrap(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const text of parts) {
    const line = lines.at(-1)
    if (line === undefined || widthOf(line) + 1 + widthOf(text) > width) lines.push(text)
    else lines[lines.length - 1] = `${line} ${text}`
  }
  return lines
}

function renderFiles(files: readonly FileReport[]): string[] {
  if (files.length === 0) return []
  const formats = [...new Set(files.map((file) => file.format))].map((name) => {
    const own = listDistinctFiles(files.filter((file) => file.format === name))
    return `${format(own.length)} ${name} (${toMegabytes(own.reduce((sum, file) => sum + file.bytes, 0))})`
  })
  return [row('files', `${formats.join(', ')} in ${escapeControls(nameFolders(files))}`)]
}

/** The folders of files; of many that are in one folder, that. */
function nameFolders(files: readonly FileReport[]): string {
  const folders = [...new Set(files.map((file) => dirname(file.base ?? file.path)))]
  const parents = [...new Set(folders.map((folder) => dirname(folder)))]
  return folders.length > mostFolders && parents.length === 1
    ? `${folders.length} folders of ${parents[0]}`
    : folders.join(', ')
}

const mostFolders = 3

/** The files of earlier configs: those that stay, and those that have gone. */
function renderLeft({ leftFiles = [], prunedFiles = [], plan }: RunReport, colors: Colors, width: number): string[] {
  const hint = `${plan === undefined ? 'run' : 'the next commit with'} --prune removes ${leftFiles.length === 1 ? 'it' : 'them'}`
  return [
    ...(leftFiles.length === 0
      ? []
      : wrapWords('left', `${describeLeft(leftFiles)}; ${hint}`.split(' '), width).map((line) => colors.yellow(line))),
    ...(prunedFiles.length === 0 ? [] : wrapWords('pruned', describeLeft(prunedFiles).split(' '), width)),
  ]
}

/** `2 files of an earlier config: out/products/a.ndjson, out/products/b.ndjson` */
function describeLeft(files: readonly { readonly path: string }[]): string {
  const shown = files.slice(0, 3).map(({ path }) => escapeControls(path))
  const more = files.length > shown.length ? `, ${format(files.length - shown.length)} more in the manifest` : ''
  return `${format(files.length)} ${files.length === 1 ? 'file' : 'files'} of an earlier config: ${shown.join(', ')}${more}`
}

/** The rules of the config: how many are kept, and the broken ones. */
function renderRules({ rules = [] }: RunReport, colors: Colors, width: number): string[] {
  if (rules.length === 0) return []
  const broken = rules.filter(({ result }) => result === 'broken')
  const counts = (['kept', 'broken', 'unjudged'] as const).flatMap((wanted) => {
    const count = rules.filter(({ result }) => result === wanted).length
    return count === 0 ? [] : [`${format(count)} ${wanted}`]
  })
  const lines = broken.flatMap((rule) => wrapWords('', escapeControls(describeRule(rule)).split(' '), width))
  return [row('rules', counts.join(', ')), ...lines.map((line) => colors.yellow(line))]
}

function renderRejects({ rejects }: RunReport, colors: Colors, width: number): string[] {
  if (rejects.count === 0) return []
  return [
    row('rejects', colors.yellow(`${format(rejects.count)}, each with its reason in ${escapeControls(rejects.path)}`)),
    ...renderReasons(rejects.reasons ?? [], width),
    ...(rejects.wrongValues === undefined
      ? []
      : wrapWords('', describeWrongValues(rejects.wrongValues).split(' '), width)),
  ]
}

/** The most frequent reasons, a line each, and the command that shows lines with them. */
function renderReasons(reasons: readonly RejectReason[], width: number): string[] {
  const more = reasons.length - mostReasons
  const shown = reasons
    .slice(0, mostReasons)
    .map((reason) => fitText(`  ${formatReason(reason)}`, width - row('', '').length))
  const hint = `${more > 0 ? `${format(more)} more; ` : ''}examples: catalogue-etl rejects show CONFIG`
  return [...shown, `  ${hint}`].map((line) => row('', line))
}

const mostReasons = 3

/** `12 × invalid_type photos[].displayOrder: expected an integer` */
export function formatReason({ code, path, count, expected }: RejectReason): string {
  return escapeControls(`${format(count)} × ${code}${path === '' ? '' : ` ${path}`}: ${expected}`)
}

/** Each path with its number of values and the first of them. */
function listExamples(counts: RunReport['drift']['oddCodes'], show: (value: string) => string): string[] {
  return Object.entries(counts).map(([path, values]) => {
    const [example = ''] = Object.keys(values)
    const times = Object.values(values).reduce((sum, count) => sum + count, 0)
    return `${escapeControls(path)} ${format(times)}× (${show(example)})`
  })
}

function renderDrift({ drift, ledger }: RunReport, colors: Colors): string[] {
  const fields = Object.entries(drift.unknownFields).map(
    ([path, count]) => `field ${escapeControls(path)} ${format(count)}×`,
  )
  const values = Object.entries(drift.unknownValues).flatMap(([path, counts]) =>
    Object.entries(counts).map(([value, count]) => `${path} = ${escapeJson(JSON.stringify(value))} ${format(count)}×`),
  )
  const unknown = [...fields, ...values]
  const shown =
    unknown.slice(0, 5).join(', ') + (unknown.length > 5 ? `, ${unknown.length - 5} more in the manifest` : '')
  const codes = listExamples(drift.oddCodes, (code) => escapeJson(JSON.stringify(code)))
  const invalid = listExamples(drift.invalidValues, escapeControls)
  const nulls = Object.entries(drift.nullElements).map(([path, count]) => `${path} ${format(count)}×`)
  const keys = Object.entries(drift.duplicateKeys).map(([path, count]) => `${escapeControls(path)} ${format(count)}×`)
  const locales = Object.entries(drift.otherLocales).map(
    ([locale, count]) => `${locale === '' ? '""' : escapeControls(locale)} ${format(count)}×`,
  )
  // Drift is counted before conditions leave records out.
  const inAll = ledger.filtered === 0 ? '' : ', filtered records too'
  return [
    ...(unknown.length === 0 ? [] : [row('drift', colors.yellow(`beyond the contract: ${shown}`))]),
    ...(codes.length === 0 ? [] : [row('codes', colors.yellow(`not of the expected form: ${codes.join(', ')}`))]),
    ...(invalid.length === 0
      ? []
      : [row('invalid', colors.yellow(`values of a wrong type, now null: ${invalid.join(', ')}`))]),
    ...(nulls.length === 0 ? [] : [row('nulls', `among the elements of lists: ${nulls.join(', ')}`)]),
    ...(keys.length === 0 ? [] : [row('keys', colors.yellow(`repeated, the last one counts: ${keys.join(', ')}`))]),
    ...(locales.length === 0 ? [] : [row('locales', `without a column${inAll}: ${locales.join(', ')}`)]),
  ]
}

/** Most of a list brings nothing in a delta, as most records have not changed. */
function toShownNotes(notes: SourceNotes, { state }: RunReport): SourceNotes {
  return state?.kind === 'delta' ? { ...notes, missing: [] } : notes
}

/** The file of the entries of a list that brought nothing. */
function renderMissing({ missingIds, state }: RunReport, colors: Colors): string[] {
  if (missingIds === undefined || missingIds.rows === 0 || state?.kind === 'delta') return []
  const { notFound, bad, path } = missingIds
  const parts = [
    ...(notFound === 0 ? [] : [`${format(notFound)} not found`]),
    ...(bad === 0 ? [] : [`${format(bad)} bad`]),
  ]
  return [row('missing', colors.yellow(`${parts.join(', ')}, each with its line in ${escapeControls(path)}`))]
}

/** Events on the way to the service: repeated requests, and codes that brought no record. */
export function renderNotes(notes: Omit<SourceNotes, 'firstAnswerAt'>, colors: Colors): string[] {
  const repeats = [...notes.repeats, ...notes.changes]
  const missing = notes.missing.filter((list) => list.missing.length > 0)
  return [
    ...(repeats.length === 0
      ? []
      : [row('service', colors.yellow(`requests repeated ${format(repeats.length)}×, see the manifest`))]),
    ...missing.map(({ key, asked, missing: codes, inFile }) => {
      const named =
        inFile?.map(({ line, written }) => `${escapeControls(written.trim())} (line ${line})`) ??
        codes.map(escapeControls)
      const shown = named.slice(0, 5).join(', ') + (named.length > 5 ? ', … (all in the manifest)' : '')
      return row(
        'missing',
        colors.yellow(
          `${format(codes.length)} of ${format(asked)} ${asked === 1 ? 'code' : 'codes'} (${key}) not found: ${shown}`,
        ),
      )
    }),
  ]
}

export function format(number: number): string {
  return number.toLocaleString('en')
}

export function toMegabytes(bytes: number): string {
  return bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
