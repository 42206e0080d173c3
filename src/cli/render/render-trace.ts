import type {
  Mention,
  TracedId,
  TracedLine,
  TracedOutcome,
  TracedTable,
  TraceReport,
} from '../../inspect/trace/trace-report.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { showValue } from '../../text/show-value.ts'
import type { LinePlace, RawText } from '../../records/reject.ts'
import type { Colors } from '../terminal.ts'
import { formatValue, renderRows } from './render-rows.ts'
import { fitText, padText, widthOf } from '../../text/text-width.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface TraceStyle {
  readonly colors: Colors
  readonly width: number | undefined
  readonly raw: boolean
  /** True to show the rows of all tables, false to count those of child tables. */
  readonly rows: boolean
}

export function renderTrace({ ids, read, published }: TraceReport, style: TraceStyle): string {
  const traced = ids.map((id) => renderId(id, read, style))
  const isFound = ids.some(({ lines }) => lines.length > 0)
  return [...traced, ...(isFound ? [style.colors.dim(renderPublished(published))] : [])].join('\n\n')
}

/** Names the published run, whose outcomes differ from those above if lines were replayed or the config was changed. */
function renderPublished(published: TraceReport['published']): string {
  const now = 'This is what a run would make of the lines now.'
  if (published === null) return `${now} Nothing is published.`
  if ('unreadable' in published)
    return `${now} What is published can't be read: ${escapeControls(published.unreadable)}`
  const { finishedAt, replayed } = published
  const time = `${finishedAt.slice(0, 19).replace('T', ' ')} UTC`
  const instead =
    replayed === undefined
      ? ''
      : `, with ${countOf(replayed.lines, 'corrected line')} of ${escapeControls(replayed.path)}`
  return `${now} Published is the run of ${time}${instead}.`
}

function renderId({ id, code, lines, more, mentions }: TracedId, read: TraceReport['read'], style: TraceStyle): string {
  const { bold } = style.colors
  const searched = `${countOf(read.lines, 'line')}, ${countOf(read.files, 'file')}`
  if (lines.length === 0) {
    const title = `${bold(escapeControls(id))}  no record has this id or code, in ${searched}`
    return [title, ...mentions.map((mention) => `  ${renderMention(mention)}`)].join('\n')
  }
  const has = code === undefined ? '' : `, whose ${code.path} is ${escapeControls(code.written)}`
  const title = `${bold(escapeControls(id))}${has}  ${formatCount(lines.length + more)} of ${searched}`
  const shown = lines.map((line) => renderLine(line, style))
  if (more > 0) shown.splice(-1, 0, `… ${countOf(more, 'more line')}`)
  return [title, ...shown].join('\n\n')
}

function renderMention({ path, id, unreadable, ...place }: Mention): string {
  if (unreadable !== null) {
    const { code, message } = unreadable
    return `${renderPlace(place)}: it is in a line that can't be read (${code}): ${escapeControls(message)}`
  }
  const where = path === null ? 'it is part of a text' : `it is ${path}`
  return `${renderPlace(place)}: ${where} of the record ${id === null ? 'without an id' : escapeControls(id)}`
}

function renderLine({ outcome, raw, tables, ...place }: TracedLine, style: TraceStyle): string {
  const head = `${renderPlace(place)}: ${renderOutcome(outcome, style.colors)}`
  const [first, ...others] = tables
  const rows = style.rows
    ? tables.map((table) => renderTable(table, style))
    : [...(first === undefined ? [] : [renderFirst(first, style)]), ...others.map((table) => `  ${countRows(table)}`)]
  return [head, ...renderRaw(raw, style), ...rows].join('\n')
}

function renderTable(table: TracedTable, { colors, width }: TraceStyle): string {
  if (table.rows.length === 0) return countRows(table)
  const left = table.filtered === 0 ? [] : [`  ${countFiltered(table)}`]
  return [renderRows(table, width, colors, Number.POSITIVE_INFINITY), ...left].join('\n')
}

function renderFirst(table: TracedTable, { colors, width = usualWidth }: TraceStyle): string {
  const [row, ...others] = table.rows
  const title = `  ${countRows(table)}`
  if (row === undefined || others.length > 0) return title
  const filled = table.columns.filter(({ name }) => row[name] !== null)
  const nameWidth = Math.min(Math.max(0, ...filled.map(({ name }) => widthOf(name))), Math.floor(width / 2))
  const lines = filled.map(({ name }) => {
    const label = colors.dim(padText(fitText(name, nameWidth), nameWidth))
    return `    ${label}  ${fitText(formatValue(row[name]), Math.max(10, width - nameWidth - 6))}`
  })
  return [title, ...lines].join('\n')
}

function countRows(table: TracedTable): string {
  const { name, rows, filtered } = table
  return `${name}  ${countOf(rows.length, 'row')}${filtered === 0 ? '' : `, ${countFiltered(table)}`}`
}

function countFiltered({ filtered }: TracedTable): string {
  return `${countOf(filtered, 'element')} filtered by its where`
}

function renderPlace({ source, line, byteOffset }: LinePlace): string {
  const at = byteOffset === null ? '' : `, byte ${formatCount(byteOffset)}`
  return `${escapeControls(source)}, line ${formatCount(line)}${at}`
}

function renderOutcome(outcome: TracedOutcome, { green, red, yellow }: Colors): string {
  switch (outcome.kind) {
    case 'accepted':
      return green('accepted')
    case 'filtered':
      return yellow(
        escapeControls(
          `filtered by ${outcome.by}.${outcome.path}: ${outcome.condition}, got ${showValue(outcome.got)}`,
        ),
      )
    case 'duplicate':
      return yellow(`duplicate${outcome.of === null ? '' : `: ${renderPlace(outcome.of)} stays`}`)
    case 'rejected':
      return [
        red('rejected'),
        ...outcome.issues.flatMap(({ code, path, message }) => [
          `  ${code}${path === '' ? '' : `  ${escapeControls(path)}`}`,
          `    ${escapeControls(message)}`,
        ]),
      ].join('\n')
  }
}

function renderRaw(text: RawText, { colors, width = usualWidth, raw }: TraceStyle): string[] {
  const shown = 'raw' in text ? text.raw : `base64 ${text.rawBase64}`
  if (raw) return [`  ${escapeControls(shown)}`]
  return [colors.dim(fitText(`  ${escapeControls(shown.slice(0, width))}`, width))]
}

const usualWidth = 80
