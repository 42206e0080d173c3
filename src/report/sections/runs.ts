import { shownRuns } from '../../manifest/run-history.ts'
import type { PastRun } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatDuration } from '../../text/format-size.ts'
import { formatTime } from '../format.ts'
import { html, type Html } from '../html.ts'
import { code, fold, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

/** The trends over the last runs, and the runs that failed. Null for a first run. */
export function renderRuns({ runs, limits }: ReportContext): Section | null {
  const shown = runs.slice(-shownRuns)
  if (shown.length < 2) return null
  const published = shown.filter(({ outcome, kind }) => outcome === 'published' && kind !== 'sample')
  const lines = trends.flatMap((trend) => renderTrend(trend, published) ?? [])
  const listed = shown.slice(-limits.entries).toReversed()
  const headings = trends.map(({ name }) => ({ text: name, isNumber: true }))
  const list = table(
    'The last runs',
    [{ text: 'Run' }, { text: 'Outcome' }, ...headings],
    listed.map((run) => [formatTime(run.startedAt), showOutcome(run), ...trends.map((trend) => showValue(trend, run))]),
  )
  const body = html`<p>${describeRuns(shown)}</p>
    ${
      lines.length > 0 &&
      html`<ul class="trends">
        ${lines}
      </ul>`
    }
    ${fold(countOf(listed.length, 'run'), html`<div class="wide" tabindex="0" role="group" aria-label="The last runs">${list}</div>`)}`
  return { id: 'runs', title: 'The last runs', body }
}

interface Trend {
  readonly name: string
  readonly valueOf: (run: PastRun) => number | undefined
  readonly format: (value: number) => string
}

const trends: readonly Trend[] = [
  { name: 'Records', valueOf: ({ records }) => records, format: formatCount },
  { name: 'Rows', valueOf: countRows, format: formatCount },
  { name: 'Changes', valueOf: countChanges, format: formatCount },
  { name: 'Rejected lines', valueOf: ({ ledger }) => ledger?.rejected, format: formatCount },
  { name: 'Time', valueOf: ({ durationMs }) => durationMs, format: formatDuration },
]

/** The rows of a run that has written all of them, if they are in several tables. */
function countRows({ kind, tables = {} }: PastRun): number | undefined {
  const all = Object.values(tables)
  return kind !== 'full' || all.length < 2 ? undefined : all.reduce((sum, { rows }) => sum + rows, 0)
}

/** New, changed and removed records, of files or the first database. */
function countChanges({ loads }: PastRun): number | undefined {
  const [load] = loads ?? []
  return load && load.new + load.changed + load.removed
}

function showValue({ valueOf, format }: Trend, run: PastRun): string {
  const value = valueOf(run)
  return value === undefined ? '' : format(value)
}

function showOutcome({ outcome, kind }: PastRun): Html {
  if (outcome !== 'published') return html`<span class="tag">failed</span> ${code(outcome)}`
  return html`saved${kind !== undefined && kind !== 'full' && html` <small>(${kind})</small>`}`
}

/** Such as `39 of the last 42 runs went well. Failed: 2 × SOURCE_INCOMPLETE, 1 × INTERRUPTED, the last 2 in a row.` */
function describeRuns(runs: readonly PastRun[]): Html {
  const failed = runs.filter(({ outcome }) => outcome !== 'published')
  const subject = html`${formatCount(runs.length - failed.length)} of the last ${countOf(runs.length, 'run')} went well`
  if (failed.length === 0) return html`${subject}.`
  const outcomes = [...new Set(failed.map(({ outcome }) => outcome))]
  const codes = outcomes.map((each, at) => {
    const times = failed.filter(({ outcome }) => outcome === each).length
    return html`${at > 0 && ', '}${times} × ${code(each)}`
  })
  const since = runs.slice(0, -1)
  const inRow = since.length - 1 - since.findLastIndex(({ outcome }) => outcome === 'published')
  const before = inRow > 0 && html` ${countOf(inRow, 'run')} just before this one failed.`
  return html`${subject}. Failed: ${codes}.${before}`
}

/** A line from the oldest run to this one; null if fewer than two runs have a value. */
function renderTrend({ name, valueOf, format }: Trend, runs: readonly PastRun[]): Html | null {
  const values = runs.flatMap((run) => valueOf(run) ?? [])
  const [least, most, last] = [Math.min(...values), Math.max(...values), values.at(-1)]
  if (values.length < 2 || last === undefined) return null
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * width
    const y = most === least ? height / 2 : height - ((value - least) / (most - least)) * height
    return `${Number(x.toFixed(1))},${Number(y.toFixed(1))}`
  })
  const range = least === most ? `always ${format(least)}` : `${format(least)} to ${format(most)}`
  const words = `${name}: ${format(last)}, ${range} in ${countOf(values.length, 'run')}`
  return html`<li>
    <b>${name}</b> ${format(last)}
    <svg viewBox="-3 -3 ${width + 6} ${height + 6}" role="img" aria-label="${words}">
      <polyline points="${points.join(' ')}" />
      <circle cx="${width}" cy="${points.at(-1)?.split(',')[1] ?? ''}" r="2.5" />
    </svg>
    <small>${range}</small>
  </li> `
}

const [width, height] = [200, 40]
