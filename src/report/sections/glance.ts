import { countOf, formatCount } from '../../text/format-count.ts'
import { formatShare } from '../format.ts'
import { html, type Html, type HtmlPart } from '../html.ts'
import { code } from '../parts.ts'
import type { ColumnProfile, ListLengths, TableProfile } from '../../kernel/profile/run-profile.ts'
import { drawBars } from '../pictures/bars.ts'
import { isTime, showBounds, showMeasure } from '../pictures/show-value.ts'
import type { ReportContext, Section } from './section.ts'

/** Pictures of the first table: its price, its last change, lists in it, and how much of each column is filled. */
export function renderGlance({ manifest, profile }: ReportContext): Section | null {
  const root = profile?.tables.find(({ name }) => name === manifest.tables[0]?.name)
  if (root === undefined || root.rows === 0) return null
  const lengths = (profile?.listLengths ?? []).filter(({ table }) => table === root.name).slice(0, mostLists)
  const cards = [
    ...[findPrice(root), findLastChange(root)]
      .flatMap((column) => column && drawHistogram(column, root))
      .filter(isHtml),
    ...lengths.map((list) => drawLengths(list, root)),
  ]
  const body = html`${cards.length > 0 && html`<div class="cards">${cards}</div>`}${drawFill(root)}`
  return { id: 'glance', title: 'The data at a glance', body }
}

const mostLists = 2

function isHtml(part: Html | null): part is Html {
  return part !== null
}

/** The public price, or else the first column of money. */
function findPrice({ columns }: TableProfile): ColumnProfile | null {
  const prices = columns.filter(({ unit, histogram }) => unit !== undefined && histogram !== undefined)
  return prices.find(({ name }) => /public|retail|^price/i.test(name)) ?? prices[0] ?? null
}

function findLastChange({ columns }: TableProfile): ColumnProfile | null {
  const times = columns.filter(({ type, histogram }) => isTime(type) && histogram !== undefined)
  return times.find(({ name }) => /updat|chang|modif/i.test(name)) ?? null
}

function drawHistogram({ name, type, unit, filled, histogram, quantiles }: ColumnProfile, table: TableProfile) {
  if (histogram === undefined) return null
  const bounds = showBounds(histogram.bounds, type)
  const bars = histogram.counts.map((count, at) => ({ count, label: `${bounds[at]} to ${bounds[at + 1]}` }))
  const show = (value: PicturedValue) => showMeasure(value, type)
  const empty = table.rows - filled
  const facts = [
    ...(unit === undefined ? [] : [units[unit]]),
    ...(quantiles === undefined
      ? []
      : isTime(type)
        ? [`half since ${show(quantiles.p50)}`]
        : [`5 % up to ${show(quantiles.p05)}, half up to ${show(quantiles.p50)}, 95 % up to ${show(quantiles.p95)}`]),
    ...(empty === 0 ? [] : [`${formatShare(empty, table.rows)} empty`]),
  ].join(' · ')
  const picture = drawBars(bars, [bounds[0] ?? '', bounds.at(-1) ?? ''], `How many have which ${name}: ${facts}`)
  return drawCard(code(name), facts, picture)
}

type PicturedValue = NonNullable<ColumnProfile['quantiles']>['p50']

const units: Readonly<Record<NonNullable<ColumnProfile['unit']>, string>> = {
  delivered: 'as delivered',
  cents: 'from cents',
  units: 'from whole units',
}

function drawLengths({ path, counts }: ListLengths, table: TableProfile): Html {
  const noun = path.replaceAll('[]', '')
  const last = counts.length - 1
  const bars = counts.map((count, at) => ({ count, label: at === last ? `${at} or more` : String(at) }))
  const none = counts[0] ?? 0
  const fact = none === 0 ? 'every row has one or more' : `${countOf(none, 'row has', 'rows have')} none`
  const title = html`${noun} <small>in a row of ${code(table.name)}</small>`
  return drawCard(title, fact, drawBars(bars, ['0', `${last} or more`], `How many ${noun} a row has: ${fact}`))
}

/** A bar for each column, the fullest first. */
function drawFill({ name, rows, columns }: TableProfile): Html | null {
  if (columns.length < fewColumns) return null
  const sorted = columns.toSorted((one, other) => other.filled - one.filled)
  const full = columns.filter(({ filled }) => filled === rows).length
  const sparse = sorted.filter(({ filled }) => filled > 0 && filled * 20 < rows)
  const empty = sorted.filter(({ filled }) => filled === 0)
  const facts = [
    `${formatCount(full)} of ${countOf(columns.length, 'column')} full`,
    ...nameFew(sparse, 'nearly empty'),
    ...nameFew(empty, 'without any value'),
  ].join(' · ')
  const title = html`Filled cells <small>by column of ${code(name)}</small>`
  const bars = sorted.map((column) => ({
    label: `${column.name}, ${formatShare(column.filled, rows)}`,
    count: column.filled,
  }))
  const ends = [sorted[0]?.name ?? '', sorted.at(-1)?.name ?? ''] as const
  return drawCard(title, facts, drawBars(bars, ends, `Filled cells by column of ${name}: ${facts}`))
}

const fewColumns = 3

function nameFew(columns: readonly ColumnProfile[], what: string): string[] {
  if (columns.length === 0) return []
  const shown = columns.slice(0, 3).map(({ name }) => name)
  return [`${formatCount(columns.length)} ${what} (${shown.join(', ')}${columns.length > shown.length ? ', …' : ''})`]
}

function drawCard(title: HtmlPart, fact: string, picture: Html): Html {
  return html`<div class="card">
    <h3>${title}</h3>
    <p>${fact}</p>
    ${picture}
  </div>`
}
