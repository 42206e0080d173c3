import { countOf, formatCount } from '../../text/format-count.ts'
import { formatShare } from '../format.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'
import type { Ledger } from '../../manifest/manifest.ts'

/** Every line of the input, by its outcome. */
export function renderLedger({ manifest, limits }: ReportContext): Section | null {
  const { ledger, filteredBy = [] } = manifest
  if (ledger.lines === 0) return null
  const parts = outcomes.filter(({ key }) => ledger[key] > 0)
  const conditions = filteredBy.filter(({ filtered }) => filtered > 0)
  const { shown, rest } = cutTo(conditions, limits.entries, 'condition')
  const body = html`<p>
      ${countOf(ledger.lines, 'line')} =
      ${parts.map(({ key, label }, at) => html`${at > 0 && ' + '}${formatCount(ledger[key])} ${label}`)}.${
        ledger.repeatedIds > 0 &&
        html` ${countOf(ledger.repeatedIds, 'valid record repeats', 'valid records repeat')} an id.`
      }
    </p>
    ${drawBar(ledger, parts)}
    <ul class="legend">
      ${parts.map(
        ({ key, label, meaning }) =>
          html`<li>
            <svg class="${key}" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" /></svg
            ><span
              ><b>${formatCount(ledger[key])}</b> ${label}
              <small>${formatShare(ledger[key], ledger.lines)}, ${meaning}</small></span
            >
          </li>`,
      )}
    </ul>
    ${
      shown.length > 0 &&
      table(
        'Conditions that left something out',
        [{ text: 'Condition' }, { text: 'On' }, { text: 'Left out', isNumber: true }],
        shown.map(({ table: of, by, path, condition, filtered }) => [
          html`${code(path)} ${condition}`,
          of === null ? `records (${by})` : html`elements of ${code(of)}`,
          formatCount(filtered),
        ]),
      )
    }${rest}`
  return { id: 'lines', title: 'Where every line went', body }
}

interface Outcome {
  readonly key: 'accepted' | 'rejected' | 'filtered' | 'duplicate' | 'blank'
  readonly label: string
  readonly meaning: string
}

const outcomes: readonly Outcome[] = [
  { key: 'accepted', label: 'accepted', meaning: 'rows of the first table' },
  { key: 'rejected', label: 'rejected', meaning: 'not as the contract says, kept in the rejects file' },
  { key: 'filtered', label: 'filtered', meaning: 'left out by a condition of the config' },
  { key: 'duplicate', label: 'duplicate', meaning: 'an id that another line has' },
  { key: 'blank', label: 'blank', meaning: 'without a record' },
]

/** In parts of a thousand; what is there at all is wide enough to be seen. */
function drawBar(ledger: Ledger, parts: readonly Outcome[]): Html {
  const widths = parts.map(({ key }) => Math.max(leastWidth, (ledger[key] / ledger.lines) * barWidth))
  const excess = widths.reduce((sum, width) => sum + width, 0) - barWidth
  const widest = widths.indexOf(Math.max(...widths))
  const fitted = widths.map((width, at) => (at === widest ? width - excess : width))
  const label = parts.map(({ key, label: name }) => `${formatCount(ledger[key])} ${name}`).join(', ')
  let x = 0
  const pieces = parts.map(({ key }, at) => {
    const width = fitted[at] ?? 0
    x += width
    return html`<rect class="${key}" x="${round(x - width)}" width="${round(width)}" height="20" />`
  })
  return html`<svg
    class="ledger"
    viewBox="0 0 ${barWidth} 20"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${pieces}
  </svg>`
}

const barWidth = 1000
const leastWidth = 6

function round(number: number): number {
  return Number(number.toFixed(1))
}
