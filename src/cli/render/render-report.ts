import { dirname } from 'node:path'
import { escapeControls } from '../../text/escape-controls.ts'
import { type Finding, listFindings, worstOf } from '../../report/facts.ts'
import { describeDoubt, describeProof } from '../../report/facts/completeness.ts'
import { countFiles, describeLeft, sumBytes } from '../../report/facts/files.ts'
import { describeRun, listProblems } from '../../report/facts/headline.ts'
import { listLeftOut } from '../../report/facts/ledger.ts'
import { describeRead, formatChanges, listLoads, readsPart } from '../../report/facts/load.ts'
import { formatSourceIds } from './render-source.ts'
import { widthOf } from '../../text/text-width.ts'
import { quoteForShell } from '../../describe/init/quote-for-shell.ts'
import type { Colors } from '../terminal.ts'
import type {
  Completeness,
  FileReport,
  Manifest,
  OwnOutputReport,
  RuleReport,
  TableReport,
} from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatMegabytes } from '../../text/format-size.ts'

/**
 * Renders a run as its page does: one sentence, then what somebody has to look at. What was saved, what changed and what
 * is good to know follow; what is as it should be has no line.
 */
export function renderReport(report: Manifest, colors: Colors, width = usualWidth, file?: string): string {
  const findings = listFindings(report, file === undefined ? {} : { config: quoteForShell(file) })
  const problems = listProblems(findings)
  const notes = findings.filter((each) => !problems.includes(each))
  return [
    ...renderHeadline(report, problems, colors, width),
    ...problems.flatMap((each) => renderFinding(each, colors, width)),
    ...renderConditions(report, width),
    ...renderReplayed(report),
    ...renderList(report),
    ...renderChanges(report, width),
    ...renderSaved(report, width),
    ...renderPruned(report, width),
    ...renderUnjudged(report, width),
    ...notes.flatMap((each) => renderFinding(each, colors, width)),
    row('open', escapeControls(report.report?.path ?? report.manifest)),
  ].join('\n')
}

function renderHeadline(
  report: Manifest,
  problems: readonly Finding[],
  colors: Colors,
  width: number,
): readonly string[] {
  const paint = painterOf(worstOf(problems), colors) ?? colors.green
  const name = escapeControls(report.pipeline)
  const words = [name, '', ...describeRun(report, problems).split(' ')]
  const [first = '', ...more] = wrap(words, width - 2)
  return [paint(colors.bold(name)) + first.slice(name.length), ...more.map((line) => `  ${line}`)]
}

/** A mark, `✗` for what is wrong and `!` for what deserves a look, then the finding with its details. */
export function renderFinding({ severity, text, details }: Finding, colors: Colors, width = usualWidth): string[] {
  const paint = painterOf(severity, colors) ?? String
  const lines = details.flatMap((detail) => wrapBehind('      ', '      ', detail, width))
  return [...wrapBehind(`  ${marks[severity]} `, '    ', text, width).map(paint), ...lines]
}

const marks: Readonly<Record<Finding['severity'], string>> = { wrong: '✗', look: '!', note: '·' }

function wrapBehind(first: string, others: string, text: string, width: number): string[] {
  const lines = wrap(escapeControls(text).split(' '), width - others.length)
  return lines.map((line, at) => (at === 0 ? first : others) + line)
}

function painterOf(severity: Finding['severity'], colors: Colors): ((text: string) => string) | null {
  return { wrong: colors.red, look: colors.yellow, note: null }[severity]
}

const usualWidth = 100

export function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`
}

function renderReplayed({ replayed }: Manifest): string[] {
  if (replayed === undefined) return []
  return [row('replayed', escapeControls(`${countOf(replayed.lines, 'corrected line')} of ${replayed.path}`))]
}

function renderConditions(report: Manifest, width: number): string[] {
  const parts = listLeftOut(report).map(({ table, by, path, condition, filtered }) => {
    const place = table === null ? by : `${by} of ${table}`
    return escapeControls(`${formatCount(filtered)} by ${place} ${path}: ${condition}`)
  })
  return wrapRow('left out', parts, width)
}

/** The list of codes, if its entries were not all read as they are written. */
function renderList({ sourceIds }: Manifest): string[] {
  if (sourceIds === undefined) return []
  const { repaired, repeated, empty, bad = 0 } = sourceIds
  if (repaired + repeated + empty + bad === 0) return []
  return [row('list', escapeControls(formatSourceIds(sourceIds)))]
}

/** The completeness of a stream, with its proof or the reasons against it. */
export function renderCompleteness(
  completeness: Completeness,
  colors: Colors,
  sources: Manifest['sources'] = [],
): string {
  return completeness.status === 'proven'
    ? `${colors.green('nothing missing')}, ${describeProof(completeness, sources)}`
    : colors.yellow(escapeControls(describeDoubt(completeness)))
}

/** What an incremental run read, and what changed by it. */
function renderChanges(report: Manifest, width: number): string[] {
  const read = describeRead(report)
  if (read === null) return []
  const { state, removedRecords = [] } = report
  const gone = removedRecords.slice(0, 5).map(({ id }) => escapeControls(id))
  const more = (state?.changes?.removed ?? gone.length) - gone.length
  const removed = more > 0 ? [...gone, `${formatCount(more)} more`] : gone
  return [
    row('read', read.since === null ? read.text : `${read.text} ${read.since}`),
    ...listLoads(report).map(({ target, changes }) =>
      target === null
        ? row('changes', formatChanges(changes))
        : row('loaded', `${escapeControls(target)}: ${formatChanges(changes)}`),
    ),
    ...(gone.length === 0 ? [] : wrapRow('removed', removed, width)),
  ]
}

/** Rows, files and time: `23 tables, 41,203 rows: products 20,000, photos 9,005, …`. */
function renderSaved(report: Manifest, width: number): string[] {
  const { files, ownOutputs = [], sources, durationMs } = report
  const label = readsPart(report) ? 'rows read' : 'saved'
  return [
    ...wrapWords(label, describeTables(report).map(escapeControls), width),
    ...renderFiles(files),
    ...(ownOutputs.length > 0 ? wrapRow('outputs', nameOutputs(ownOutputs), width) : []),
    row('time', `${(durationMs / 1000).toFixed(2)} s, ${formatMegabytes(sumBytes(sources))} read`),
  ]
}

/** The only table, or how many there are, with the first one and the largest of the others. */
function describeTables({ tables: [root, ...others] }: Manifest): string[] {
  if (root === undefined) return []
  if (others.length === 0) return [`${root.name}, ${countOf(rowsOf(root), 'row')}`]
  const rows = others.reduce((sum, table) => sum + rowsOf(table), rowsOf(root))
  const filled = others.filter((table) => rowsOf(table) > 0).toSorted((one, other) => rowsOf(other) - rowsOf(one))
  const named = [root, ...filled.slice(0, mostTables - 1)].map((table) => `${table.name} ${formatCount(rowsOf(table))}`)
  const listed = filled.length < mostTables ? named : [...named, '…']
  return [
    `${countOf(others.length + 1, 'table')}, ${countOf(rows, 'row')}:`,
    ...listed.map((name, at) => (at < listed.length - 1 ? `${name},` : name)),
  ]
}

const mostTables = 4

/** The rows that its files have. */
function rowsOf({ rows, listLines }: TableReport): number {
  return listLines ?? rows
}

function renderFiles(files: readonly FileReport[]): string[] {
  if (files.length === 0) return []
  const formats = countFiles(files).formats.map(
    ({ format, count, bytes }) => `${formatCount(count)} ${format} (${formatMegabytes(bytes)})`,
  )
  return [row('files', `${formats.join(', ')} in ${escapeControls(nameFolders(files))}`)]
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

/** The outputs of the config's own, each with the rows that it got. */
function nameOutputs(reports: readonly OwnOutputReport[]): string[] {
  const names = [...new Set(reports.map(({ output }) => output))]
  return names.map((name) => {
    const rows = reports.reduce((sum, each) => sum + (each.output === name ? each.rows : 0), 0)
    return `${name} (${countOf(rows, 'row')})`
  })
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

/** The rules that could not be judged, with the reasons. */
function renderUnjudged({ rules = [] }: Manifest, width: number): string[] {
  const unjudged = rules.filter(({ result }) => result === 'unjudged')
  const reasons = [...new Set(unjudged.map(({ found }) => found))]
  return reasons.flatMap((reason) => {
    const names = unjudged.filter(({ found }) => found === reason).map(nameRule)
    return wrapBehind(`  ${marks.note} `, '    ', `not judged: ${[...new Set(names)].join(', ')}: ${reason}`, width)
  })
}

function nameRule({ rule, table, column }: RuleReport): string {
  if (rule === 'volume') return rule
  return `${rule} of ${column === undefined ? table : `${table}.${column}`}`
}
