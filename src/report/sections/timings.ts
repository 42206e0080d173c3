import { formatDuration } from '../../text/format-size.ts'
import { formatShare, toPercent } from '../format.ts'
import { html } from '../html.ts'
import { bar, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

export function renderTimings({ manifest }: ReportContext): Section | null {
  const { stages = [] } = manifest
  const total = stages.reduce((sum, { ms }) => sum + ms, 0)
  if (total === 0) return null
  const rows = stages.map(({ name, ms }) => [
    name,
    html`${bar(toPercent(ms, total))}<small>${formatShare(ms, total)}</small>`,
    formatDuration(ms),
  ])
  const body = table('Time by stage', [{ text: 'Stage' }, { text: 'Share' }, { text: 'Time', isNumber: true }], rows)
  return { id: 'timings', title: 'Time', body }
}
