import { countOf, formatCount } from '../../text/format-count.ts'
import { html, type Html } from '../html.ts'
import type { ColumnProfile, ProfileValue } from '../../kernel/profile/run-profile.ts'
import { drawSpark } from '../pictures/bars.ts'
import { isTime, showMeasure } from '../pictures/show-value.ts'
import { cut } from './drift.ts'
import type { ReportContext } from './section.ts'

type ValuesOfColumn = Omit<ColumnProfile, 'filled'>

/**
 * Renders the histogram, bounds, longest text and frequent values of a column. Without `examples`, shows only values listed by the
 * contract, booleans, and the bounds of numbers and dates that are no identifiers.
 */
export function renderValues(
  column: ValuesOfColumn,
  isChoice: boolean,
  { examples, limits }: Pick<ReportContext, 'examples' | 'limits'>,
): Html {
  const { distinct, longest, histogram, quantiles, type } = column
  const isOpen = examples || isChoice || column.type.startsWith('boolean')
  const showsBounds = isOpen || hasOpenBounds(column)
  const facts = [
    ...(showsBounds ? describeBounds(column, isOpen) : []),
    ...(showsBounds && quantiles
      ? [html`half ${isTime(type) ? 'since' : 'up to'} ${showMeasure(quantiles.p50, type)}`]
      : []),
    ...(longest === undefined ? [] : [html`at most ${countOf(longest, 'character')}`]),
    ...(distinct === undefined ? [] : [html`${formatCount(distinct)} distinct`]),
  ]
  const values = isOpen ? (column.frequent ?? []) : []
  const shown = values.slice(0, limits.values)
  return html`${showsBounds && histogram && drawSpark(histogram.counts)}${facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`)}${
    shown.length > 0 &&
    html`<ul class="values">
      ${shown.map(({ value, count }) => html`<li>${showValue(value)} <b>${formatCount(count)}</b></li>`)}${shown.length < values.length && html`<li>…</li>`}
    </ul>`
  }`
}

function hasOpenBounds({ name, type }: ValuesOfColumn): boolean {
  return /^(?:integer|float|decimal|date|timestamp)/.test(type) && !/(?:^|_)ids?$/.test(name)
}

/** Omits bounds among the listed values, which are shown as frequent ones. */
function describeBounds({ min, max, frequent, type }: ValuesOfColumn, isOpen: boolean): Html[] {
  if (min === null || min === undefined || max === null || max === undefined) return []
  if (type.startsWith('boolean') || (isOpen && type.startsWith('text') && (frequent ?? []).length > 0)) return []
  const show = type.startsWith('timestamp') ? showDay : showValue
  return [min === max ? html`${show(min)} only` : html`${show(min)} to ${show(max)}`]
}

/** Cuts a time to its day: the profile has the rest. */
function showDay(value: ProfileValue): Html {
  return html`${String(value).replace(/T.*$/, '')}`
}

/** Shows numbers as in the file; text may be long or empty. */
function showValue(value: ProfileValue): Html {
  if (typeof value === 'string') return html`<q>${cut(value)}</q>`
  return html`${String(value)}`
}
