import { dirname } from 'node:path'
import { escapeControls } from '../../text/escape-controls.ts'
import { type Finding, listFindings, worstOf } from '../../report/facts.ts'
import { describeDoubt, describeProof } from '../../report/facts/completeness.ts'
import { countFiles, describeLeft, sumBytes } from '../../report/facts/files.ts'
import { listLeftOut, listOutcomes } from '../../report/facts/ledger.ts'
import { describeRead, listLoads, readsPart } from '../../report/facts/load.ts'
import { formatResults } from '../../report/facts/rules.ts'
import { formatSourceIds } from './render-source.ts'
import { widthOf } from '../../text/text-width.ts'
import { quoteForShell } from '../../describe/init/quote-for-shell.ts'
import type { Colors } from '../terminal.ts'
import {
  type ChangeCounts,
  type Completeness,
  type FileReport,
  type Manifest,
  type RuleReport,
} from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'
import { formatMegabytes } from '../../text/format-size.ts'
/** Renders findings first, then the ledger as a sum, completeness, tables and files. */
export function renderReport(report: Manifest, colors: Colors, width = usualWidth, file?: string): string {
  const { pipeline, durationMs, sources, completeness } = report
  const findings = listFindings(report, file === undefined ? {} : { config: quoteForShell(file) })
  const bytes = sumBytes(sources)
  const speed = durationMs > 0 ? `, ${(bytes / 1e3 / durationMs).toFixed(0)} MB/s` : ''
  const paint = painterOf(worstOf(findings), colors) ?? colors.green
  return [
    `${paint(colors.bold(pipeline))}  published in ${(durationMs / 1000).toFixed(2)} s (${formatMegabytes(bytes)} read${speed})`,
    ...findings.filter(({ severity }) => severity !== 'note').flatMap((each) => renderFinding(each, colors, width)),
    row('lines', renderLedger(report)),
    ...renderConditions(report, width),
    ...renderReplayed(report),
    ...(completeness.status === 'proven' ? [row('complete', renderCompleteness(completeness, colors, sources))] : []),
    ...renderLanded(report),
    ...(report.sourceIds === undefined ? [] : [row('list', formatSourceIds(report.sourceIds))]),
    ...renderChanges(report),
    ...renderTables(report, width),
    ...renderFiles(report.files),
    ...renderPruned(report, width),
    ...renderRules(report, width),
    ...findings.filter(({ severity }) => severity === 'note').flatMap((each) => renderFinding(each, colors, width)),
    row('manifest', escapeControls(report.manifest)),
    ...(report.report === undefined ? [] : [row('report', escapeControls(report.report.path))]),
  ].join('\n')
}

export function renderFinding(
  { kind, severity, text, details }: Finding,
  colors: Colors,
  width = usualWidth,
): string[] {
  const paint = painterOf(severity, colors) ?? String
  const lines = details.flatMap((detail) => wrapWords('', escapeControls(detail).split(' '), width))
  return [...wrapWords(kind, escapeControls(text).split(' '), width).map(paint), ...lines]
}

function painterOf(severity: Finding['severity'], colors: Colors): ((text: string) => string) | null {
  return { wrong: colors.red, look: colors.yellow, note: null }[severity]
}

const usualWidth = 100

export function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`
}

function renderLedger({ ledger }: Manifest): string {
  const { lines, repeatedIds } = ledger
  const parts = listOutcomes(ledger).map(({ text }) => text)
  const repeated = repeatedIds > 0 ? ` (${formatCount(repeatedIds)} repeat an id)` : ''
  return `${formatCount(lines)} = ${parts.join(' + ')}${repeated}`
}

function renderReplayed({ replayed }: Manifest): string[] {
  if (replayed === undefined) return []
  const { lines, path } = replayed
  const subject = lines === 1 ? '1 corrected line' : `${formatCount(lines)} corrected lines`
  return [row('replayed', escapeControls(`${subject} of ${path}`))]
}

function renderConditions(report: Manifest, width: number): string[] {
  const parts = listLeftOut(report).map(({ table, by, path, condition, filtered }) => {
    const place = table === null ? by : `${by} of ${table}`
    return escapeControls(`${formatCount(filtered)} by ${place} ${path}: ${condition}`)
  })
  return wrapRow('filtered', parts, width)
}

/** The completeness of a stream, with its proof or the reasons against it. */
export function renderCompleteness(
  completeness: Completeness,
  colors: Colors,
  sources: Manifest['sources'] = [],
): string {
  return completeness.status === 'proven'
    ? `${colors.green('proven')}, ${describeProof(completeness, sources)}`
    : colors.yellow(escapeControls(describeDoubt(completeness)))
}

function renderLanded({ sources }: Manifest): string[] {
  const landed = sources.flatMap((source) => source.landed ?? [])
  return landed.map(({ endpoint, fetchedAt }) => row('landed', `from ${endpoint} at ${fetchedAt}`))
}

function renderChanges(report: Manifest): string[] {
  const read = describeRead(report)
  if (read === null) return []
  const { state, removedRecords = [] } = report
  const gone = removedRecords.slice(0, 5).map(({ id }) => escapeControls(id))
  const more = (state?.changes?.removed ?? gone.length) - gone.length
  const removed = gone.length === 0 ? [] : [gone.join(', ') + (more > 0 ? `, ${formatCount(more)} more` : '')]
  const loads = listLoads(report).map(({ target, changes }) => ({ target, text: formatChanges(changes) }))
  return [
    row('read', read.since === null ? read.text : `${read.text} ${read.since}`),
    ...loads.flatMap(({ target, text }) => (target === null ? [row('changes', text)] : [])),
    ...removed.map((text) => row('removed', text)),
    ...loads.flatMap(({ target, text }) =>
      target === null ? [] : [row('loaded', `${escapeControls(target)}: ${text}`)],
    ),
  ]
}

/** `12 new, 3 changed, 40 touched only, 990 unchanged, 1 removed` */
export function formatChanges(changes: ChangeCounts): string {
  const { changed, touched, unchanged, removed } = changes
  const parts = [
    `${formatCount(changes.new)} new`,
    `${formatCount(changed)} changed`,
    `${formatCount(touched)} touched only`,
  ]
  return [...parts, `${formatCount(unchanged)} unchanged`, `${formatCount(removed)} removed`].join(', ')
}

function renderTables(report: Manifest, width: number): string[] {
  const { tables } = report
  const filled = tables.filter(({ rows }) => rows > 0)
  const empty = tables.length - filled.length
  const parts = filled.map(({ name, rows }) => `${name} ${formatCount(rows)}`)
  if (empty > 0) parts.push(`${empty} ${empty === 1 ? 'table' : 'tables'} without a row`)
  return wrapRow(readsPart(report) ? 'rows read' : 'rows', parts, width)
}

/** A row whose list is wrapped onto several lines. */
export function wrapRow(label: string, parts: readonly string[], width = usualWidth): string[] {
  const last = parts.length - 1
  return wrapWords(
    label,
    parts.map((part, at) => (at === last ? part : `${part},`)),
    width,
  )
}

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
  const formats = countFiles(files).formats.map(
    ({ format, count, bytes }) => `${formatCount(count)} ${format} (${formatMegabytes(bytes)})`,
  )
  return [row('files', `${formats.join(', ')} in ${escapeControls(nameFolders(files))}`)]
}

/** The folders of files, or the common parent of many folders. */
function nameFolders(files: readonly FileReport[]): string {
  const folders = [...new Set(files.map((file) => dirname(file.base ?? file.path)))]
  const parents = [...new Set(folders.map((folder) => dirname(folder)))]
  return folders.length > mostFolders && parents.length === 1
    ? `${folders.length} folders of ${parents[0]}`
    : folders.join(', ')
}

const mostFolders = 3

function renderPruned({ prunedFiles = [] }: Manifest, width: number): string[] {
  return prunedFiles.length === 0
    ? []
    : wrapWords('pruned', escapeControls(describeLeft(prunedFiles)).split(' '), width)
}

/** The results, and why rules are unjudged. Empty if a rule is broken, as that is a finding. */
function renderRules({ rules = [] }: Manifest, width: number): string[] {
  if (rules.some(({ result }) => result === 'broken')) return []
  const results = formatResults(rules, ['kept', 'unjudged'])
  const unjudged = rules.filter(({ result }) => result === 'unjudged')
  const reasons = [...new Set(unjudged.map(({ found }) => found))].map((reason) => {
    const names = unjudged.filter(({ found }) => found === reason).map(nameRule)
    return `${[...new Set(names)].join(', ')}: ${reason}`
  })
  return [
    ...(results === '' ? [] : [row('rules', results)]),
    ...reasons.flatMap((reason) => wrapWords('', escapeControls(reason).split(' '), width)),
  ]
}

function nameRule({ rule, table, column }: RuleReport): string {
  if (rule === 'volume') return rule
  return `${rule} of ${column === undefined ? table : `${table}.${column}`}`
}
