import { escapeControls } from '../../text/escape-controls.ts'
import type { ColumnProfile, RunProfile, TableProfile } from '../../kernel/profile/run-profile.ts'
import type { Colors } from '../terminal.ts'
import { describeMedian, drawHistogram } from './render-spread.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface ProfileLayout {
  /** Columns of the terminal; undefined if there is none. */
  readonly width: number | undefined
  readonly isDetailed: boolean
}

/** Renders each column's filled share, distinct values, bounds, median, histogram and frequent values. */
export function renderProfile({ tables }: RunProfile, colors: Colors, { width, isDetailed }: ProfileLayout): string {
  const room = Math.min(Math.max(width ?? narrow, narrow), wide)
  return tables.map((table) => renderTable(table, colors, room, isDetailed)).join('\n\n')
}

const narrow = 80
const wide = 120

function renderTable({ name, rows, columns }: TableProfile, colors: Colors, room: number, isDetailed: boolean): string {
  const title = `${colors.bold(escapeControls(name))}  ${countOf(rows, 'row')}`
  const head = colors.dim(layOut('  column  type', 'filled', 'distinct', room))
  return [title, head, ...columns.flatMap((column) => renderColumn(column, rows, colors, room, isDetailed))].join('\n')
}

function renderColumn(
  column: ColumnProfile,
  rows: number,
  colors: Colors,
  room: number,
  isDetailed: boolean,
): string[] {
  const { name, type, filled, distinct } = column
  const left = `  ${escapeControls(name)}  ${type}`
  const line = layOut(left, formatShare(filled, rows), distinct === undefined ? '' : formatCount(distinct), room)
  const bounds = describeBounds(column)
  const lines = [line.replace(`  ${type}`, () => `  ${colors.dim(type)}`)]
  if (bounds !== '') lines.push(...besideBars(cut(bounds, room - 4), drawHistogram(column), room))
  return [...lines, ...(isDetailed ? listFrequent(column) : joinFrequent(column, room))]
}

/** The bars of a histogram are on a line of their own if there is no room. */
function besideBars(bounds: string, bars: string, room: number): string[] {
  const both = `    ${bounds}  ${bars}`.trimEnd()
  return both.length <= room ? [both] : [`    ${bounds}`, `    ${bars}`]
}

/** A line that ends with two aligned numbers; a name that is too long shifts them. */
function layOut(left: string, filled: string, distinct: string, room: number): string {
  const right = `${filled.padStart(filledWidth)}${distinct.padStart(distinctWidth)}`
  return `${left.padEnd(room - right.length - 1)} ${right}`
}

const filledWidth = 8
const distinctWidth = 12

/** Never rounds to 0 % or 100 %. */
function formatShare(part: number, whole: number): string {
  if (part === 0 || part === whole) return part === 0 ? '0 %' : '100 %'
  return `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)} %`
}

/** `1 to 99, median 7`, for text the longest length. Empty if the frequent values are all there are. */
function describeBounds(column: ColumnProfile): string {
  const { min, max, longest, filled, distinct, frequent = [] } = column
  const isListed = distinct === frequent.length && typeof min !== 'number'
  if (isListed || filled === 0 || min === undefined || min === null || max === undefined || max === null) return ''
  const range = min === max ? `only ${show(min)}` : `${show(min)} to ${show(max)}`
  const more = longest === undefined ? describeMedian(column) : `${countOf(longest, 'character')} at most`
  return more === '' ? range : `${range}, ${more}`
}

/** As many frequent values as fit on one line; none if every value occurs once. */
function joinFrequent({ frequent = [], distinct }: ColumnProfile, room: number): string[] {
  const [first] = frequent
  const isListed = frequent.length === distinct
  if (first === undefined || (first.count === 1 && !isListed)) return []
  let line = '   '
  for (const { value, count } of frequent) {
    const part = ` ${show(value)} ${formatCount(count)}×`
    const next = `${line}${line.trim() === '' ? '' : ','}${part}`
    if (next.length > room) break
    line = next
  }
  return [line]
}

function listFrequent({ frequent = [], filled, distinct }: ColumnProfile): string[] {
  if (frequent[0]?.count === 1 && frequent.length !== distinct) return ['    each value once']
  const counts = frequent.map(({ count }) => formatCount(count))
  const width = Math.max(0, ...counts.map((count) => count.length))
  return frequent.map(
    ({ value, count }, at) =>
      `    ${(counts[at] ?? '').padStart(width)}×  ${formatShare(count, filled).padStart(7)}  ${show(value, detailedWidth)}`,
  )
}

const detailedWidth = 50

function show(value: string | number | boolean, most = valueWidth): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === '' ? '""' : cut(escapeControls(value.replaceAll(/\s+/g, ' ')), most)
}

const valueWidth = 24

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
