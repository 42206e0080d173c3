import { describeProof } from '../facts/completeness.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatBytes } from '../../text/format-size.ts'
import { formatTime } from '../format.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ReportContext, Section } from './section.ts'
import type { Completeness, SourceReport } from '../../manifest/manifest.ts'

export function renderCompleteness({ manifest, limits }: ReportContext): Section {
  const { completeness, sources, sourceIds } = manifest
  const { shown, rest } = cutTo(completeness.reasons, limits.entries, 'reason')
  const body = html`<p>${describe(manifest)}</p>
    ${
      shown.length > 0 &&
      html`<ul>
        ${shown.map((reason) => html`<li>${reason}</li>`)}
      </ul>`
    }${rest}
    ${sourceIds !== undefined && html`<p>Asked for were ${countOf(sourceIds.identifiers, 'identifier')} (${code(sourceIds.field)}) from ${code(sourceIds.file)}.</p>`}
    ${renderSources(sources, limits.files)}`
  return {
    id: 'completeness',
    title: completeness.limit === undefined ? titles[completeness.status] : 'A sample',
    body,
  }
}

const titles: Readonly<Record<Completeness['status'], string>> = {
  proven: 'Nothing missing',
  unprovable: 'Nothing shows if the source is complete',
  incomplete: 'The source is not complete',
}

function describe({ completeness, sources }: ReportManifest): Html {
  const { status, total, limit } = completeness
  if (limit !== undefined) return html`The run was to read no more, so nothing shows if the source is complete:`
  if (status === 'unprovable') return html`Nothing that came contradicts a whole source, and nothing proves it:`
  if (status === 'incomplete') return html`Something is missing, repeated or beyond the total:`
  return html`${countOf(total ?? 0, 'record')} came, as stated: <b>${describeProof(completeness, sources)}</b>.`
}

function renderSources(sources: readonly SourceReport[], most: number): Html {
  const { shown, rest } = cutTo(sources, most, 'source')
  const rows = shown.map(({ name, lines, bytes, completeness, landed }) => [
    html`${code(name)}${landed && html`<small>landed from ${code(landed.endpoint)} ${formatTime(landed.fetchedAt)}</small>`}`,
    toRange(completeness),
    formatCount(lines),
    formatBytes(bytes),
  ])
  const headings = [
    { text: 'Source' },
    { text: 'Indexes' },
    { text: 'Lines', isNumber: true },
    { text: 'Size', isNumber: true },
  ]
  return html`${table('Sources', headings, rows)}${rest}`
}

const verdicts: Readonly<Record<Completeness['status'], string>> = {
  proven: 'complete',
  unprovable: 'not known',
  incomplete: 'not complete',
}

function toRange({ status, total }: Completeness): string {
  if (status !== 'proven' || total === null) return verdicts[status]
  return total === 0 ? 'none, as stated' : `0 to ${formatCount(total - 1)}`
}
