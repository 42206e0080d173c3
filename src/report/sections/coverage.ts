import { countOf, formatCount } from '../../text/format-count.ts'
import { cutText } from '../../text/cut-text.ts'
import { html, type Html } from '../html.ts'
import { code, heatCell } from '../parts.ts'
import type { CoverageProfile } from '../../kernel/profile/run-profile.ts'
import type { ReportContext, Section } from './section.ts'

/** How much of what matters is filled, by status; by what else the profile has, only if values may be shown. */
export function renderCoverage({ manifest, profile, examples }: ReportContext): Section | null {
  const choices = manifest.tables[0]?.choices ?? []
  const shown = (profile?.coverage ?? []).filter(
    ({ by, columns, groups }) => columns.length > 0 && groups.length > 0 && (examples || choices.includes(by)),
  )
  if (shown.length === 0) return null
  const body = html`<p>The share of rows that have a value.</p>
    ${shown.map(drawMatrix)}`
  return { id: 'coverage', title: 'What is complete', body }
}

function drawMatrix({ by, columns, groups, others }: CoverageProfile): Html {
  const caption = `Share of rows with a value, by ${by}`
  return html`<div class="wide" tabindex="0" role="group" aria-label="${caption}">
    <table class="heat">
      <caption class="hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">By ${code(by)}</th>
          ${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${groups.map((group) => drawGroup(group, group.value ?? '(none)'))}
        ${others && drawGroup(others, countOf(others.groups, 'other'))}
      </tbody>
    </table>
  </div>`
}

function drawGroup({ rows, filled }: Pick<CoverageProfile['groups'][number], 'rows' | 'filled'>, name: string): Html {
  return html`<tr>
    <th scope="row">${name === '' ? '""' : cutText(name, longestName)}<small>${formatCount(rows)}</small></th>
    ${filled.map((count) => heatCell(count, rows))}
  </tr>`
}

/** The profile has up to a kilobyte of a name. */
const longestName = 60
