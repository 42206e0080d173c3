import type { Difference, DiffReport, DiffSide, FieldDiff, TableDiff } from '../../inspect/diff/diff-report.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { Colors } from '../terminal.ts'
import { renderCompleteness, row } from './render-report.ts'
import { fitText, padText, widthOf } from '../../text/text-width.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

/** Renders the compared things, the counts, and the differing fields with an example each. */
export function renderDiff(report: DiffReport, colors: Colors, width: number): string {
  const { equal, old, new: next, ignored, tables, to } = report
  return [
    ...renderSide('old', old, colors),
    ...renderSide('new', next, colors),
    ...(ignored.length === 0 ? [] : [row('left out', ignored.map(escapeControls).join(', '))]),
    ...tables.flatMap((table) => renderTable(table, colors, width)),
    ...(equal ? [colors.green('no difference')] : []),
    ...(to === undefined ? [] : [row('written', `${countOf(to.rows, 'difference')} in ${escapeControls(to.path)}`)]),
  ].join('\n')
}

function renderSide(name: string, { path, kind, files, time, lines }: DiffSide, colors: Colors): string[] {
  const of = time === null ? '' : `, of ${time.slice(0, 19).replace('T', ' ')} UTC`
  const several = files === 1 ? '' : `, ${formatCount(files)} files`
  if (kind === 'history') return [row(name, `${escapeControls(path)}${of}`)]
  if (lines === null) return [row(name, `${escapeControls(path)}  ${countOf(files, 'file')}${of}`)]
  const { total, blank, repeated, rejected, withoutId, completeness } = lines
  const notes = [
    ...(repeated === 0 ? [] : [`${countOf(repeated, 'line')} with an id that comes again: the last one counts`]),
    ...(rejected === 0 ? [] : [`${countOf(rejected, 'line')} against the contract: compared where they have an id`]),
    ...(withoutId === 0 ? [] : [`${countOf(withoutId, 'line')} without an id: not compared`]),
    ...(completeness.status === 'incomplete' ? [renderCompleteness(completeness, colors)] : []),
  ]
  const blanks = blank === 0 ? '' : `, ${formatCount(blank)} blank`
  return [
    row(name, `${escapeControls(path)}  ${countOf(total, 'line')}${blanks}${several}${of}`),
    ...notes.map((note) => row('', colors.yellow(note))),
  ]
}

function renderTable(table: TableDiff, colors: Colors, width: number): string[] {
  const { name, changed, unchanged, removed, fields } = table
  const counts = [`${formatCount(table.new)} new`, `${formatCount(removed)} removed`, `${formatCount(changed)} changed`]
  return [
    `${colors.bold(escapeControls(name))}  ${[...counts, `${formatCount(unchanged)} unchanged`].join(', ')}`,
    ...renderFields(fields, colors, width),
  ]
}

function renderFields(fields: readonly FieldDiff[], colors: Colors, width: number): string[] {
  const names = fields.map(({ field }) => escapeControls(field))
  const longest = Math.min(Math.max(0, ...names.map(widthOf)), Math.floor(width * fieldShare))
  const counts = fields.map(({ count }) => formatCount(count))
  const digits = Math.max(0, ...counts.map((count) => count.length))
  return fields.map(({ example }, at) => {
    const [name = '', count = ''] = [names[at], counts[at]]
    const start = `  ${padText(fitText(name, longest), longest)}  ${count.padStart(digits)}  `
    return start + colors.dim(renderExample(example, width - widthOf(start)))
  })
}

/** The largest share of a line for field names. */
const fieldShare = 0.45

/** `M34C3D3A5E  820 → 790` within `width` columns. */
function renderExample({ id, element, old, new: next }: Difference, width: number): string {
  const place = element === null ? id : `${id} ${element}`
  const start = `${escapeControls(place)}  `
  const room = width - widthOf(start) - 3
  const [before, after] = skipCommon(show(old), show(next), room)
  // The side that needs less leaves the rest to the other.
  const half = Math.max(Math.floor(room / 2), room - widthOf(after))
  const shown = fitText(before, Math.max(1, half))
  return fitText(`${start}${shown} → ${fitText(after, Math.max(1, room - widthOf(shown)))}`, width)
}

/** Drops most of the common beginning of long texts. */
function skipCommon(before: string, after: string, room: number): [string, string] {
  if (widthOf(before) + widthOf(after) <= room) return [before, after]
  let common = 0
  while (common < before.length && before[common] === after[common]) common++
  const start = common - keptBefore
  return start < keptBefore ? [before, after] : [`…${before.slice(start)}`, `…${after.slice(start)}`]
}

const keptBefore = 8

function show(value: string | null): string {
  if (value === null) return 'nothing'
  return value === '' ? '""' : escapeControls(value)
}
