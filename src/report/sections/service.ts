import { countOf, formatCount } from '../../text/format-count.ts'
import { formatDuration } from '../../text/format-size.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'
import type { SourceNotesReport, SourceReport } from '../../manifest/manifest.ts'

export function renderService({ manifest, limits }: ReportContext): Section | null {
  const parts = manifest.sources.flatMap(({ name, notes }: SourceReport) =>
    notes === undefined ? [] : [renderSource(name, notes, limits.entries)],
  )
  return parts.length === 0 ? null : { id: 'service', title: 'The service', body: html`${parts}` }
}

function renderSource(name: string, notes: SourceNotesReport, most: number): Html {
  const { requests, waitedMs, repeats, skippedRecords, refused } = notes
  const events = cutTo([...repeats, ...notes.changes, ...(refused === undefined ? [] : [refused])], most, 'event')
  const facts: [string, string][] = [
    ...(requests === undefined ? [] : [['Requests', formatCount(requests)] satisfies [string, string]]),
    ...(waitedMs === undefined ? [] : [['Waited', formatDuration(waitedMs)] satisfies [string, string]]),
    ['Repeated', formatCount(repeats.length)],
    ...(skippedRecords === 0 ? [] : [['Came again', countOf(skippedRecords, 'record')] satisfies [string, string]]),
  ]
  return html`<h3>${code(name)}</h3>
    <dl class="facts">
      ${facts.map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${
      events.shown.length > 0 &&
      html`<ul>
        ${events.shown.map((event) => html`<li>${event}</li>`)}
      </ul>`
    }${events.rest}`
}
