import { countOf, formatCount } from '../../text/format-count.ts'
import { formatShare, toPercent } from '../format.ts'
import { html, type Html } from '../html.ts'
import { bar, code, fold, table } from '../parts.ts'
import { readsPart } from '../facts/load.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ColumnProfile, TableProfile } from '../../kernel/profile/run-profile.ts'
import { renderValues } from './column-values.ts'
import type { ReportContext, Section } from './section.ts'
import type { TableReport } from '../../manifest/manifest.ts'

/** Renders all tables with each column's type, share of filled cells, and the values that may be shown, worst filled first. */
export function renderTables(context: ReportContext): Section | null {
  const { manifest, profile, limits } = context
  const tables = manifest.tables.map((view) => toTable(view, manifest, profile?.tables ?? []))
  if (tables.length === 0) return null
  const columns = tables.reduce((sum, each) => sum + each.columns.length, 0)
  const share = shareOut(
    tables.map((each) => each.columns.length),
    limits.columns,
  )
  const rendered = tables.map((each, at) => renderTable(each, share[at] ?? 0, context))
  const body = html`${readsPart(manifest) && html`<p>The rows are those that this run read.</p>`}
    <div class="tables">${rendered}</div>`
  const title = `Tables and columns (${countOf(tables.length, 'table')}, ${countOf(columns, 'column')})`
  return { id: 'tables', title, body }
}

interface TableOfReport extends TableReport {
  readonly columns: readonly ShownColumn[]
}

type ShownColumn = Omit<ColumnProfile, 'filled'> & { readonly filled?: number | undefined }

/** Takes the columns from the profile or, without one, from the manifest's files. */
function toTable(view: TableReport, { files }: ReportManifest, profiles: readonly TableProfile[]): TableOfReport {
  const profile = profiles.find(({ name }) => name === view.name)
  if (profile !== undefined) {
    const columns = profile.columns.toSorted((one, other) => one.filled - other.filled)
    return { ...view, rows: profile.rows, columns }
  }
  const file = files.find((each) => each.table === view.name)
  return { ...view, columns: file?.columns ?? [] }
}

/** Distributes `most` columns over the tables in small portions, so that no table gets none. */
function shareOut(counts: readonly number[], most: number): number[] {
  const least = Math.max(1, Math.floor(most / counts.length))
  const shares = counts.map((count) => Math.min(count, least))
  let left = most - shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share, at) => {
    const more = Math.max(0, Math.min((counts[at] ?? 0) - share, left))
    left -= more
    return share + more
  })
}

function renderTable(shown: TableOfReport, most: number, context: ReportContext): Html {
  const { name, filtered, columns, rows, listLines } = shown
  const left = columns.length - most
  const summary = html`<span class="name">${code(name)}</span>
    <span class="rows"
      >${listLines === undefined ? countOf(rows, 'row') : `${countOf(listLines, 'line')} of the list`}</span
    >
    <span class="more"
      >${countOf(columns.length, 'column')}${filtered > 0 && html`, ${formatCount(filtered)} left out`}${listLines !== undefined && `, filled of ${countOf(rows, 'row')} of products`}</span
    >${renderMean(shown)}`
  const list = table(
    `Columns of ${name}`,
    [{ text: 'Column' }, { text: 'Filled' }, { text: 'Values' }],
    columns.slice(0, most).map((column) => renderColumn(column, shown, context)),
  )
  return fold(
    summary,
    html`${list}${left > 0 && html`<p class="note">${countOf(left, 'more column')} left out here, so that this page stays small; all are in the profile.</p>`}`,
  )
}

function renderMean({ rows, columns }: TableOfReport): Html | null {
  const cells = rows * columns.length
  if (cells === 0 || columns.some(({ filled }) => filled === undefined)) return null
  const filled = columns.reduce((sum, column) => sum + (column.filled ?? 0), 0)
  return html`<span class="mean"
    >${bar(toPercent(filled, cells))}<small>${formatShare(filled, cells)} filled</small></span
  >`
}

function renderColumn(column: ShownColumn, { rows, choices = [] }: TableOfReport, context: ReportContext) {
  const { name, type, unit, filled } = column
  return [
    html`${code(name)}<small>${type}${unit !== undefined && `, ${units[unit] ?? unit}`}</small>`,
    filled !== undefined && html`${bar(toPercent(filled, rows))}<small>${formatShare(filled, rows)}</small>`,
    renderValues(column, choices.includes(name), context),
  ]
}

const units: Readonly<Record<string, string>> = {
  delivered: 'money as delivered',
  cents: 'money from cents',
  units: 'money from units',
}
