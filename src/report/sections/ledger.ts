import { countOf, formatCount } from '../../text/format-count.ts'
import { formatShare } from '../format.ts'
import { html, type Html } from '../html.ts'
import { listLeftOut, listOutcomes, type Outcome } from '../facts/ledger.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

export function renderLedger({ manifest, limits }: ReportContext): Section | null {
  const { ledger } = manifest
  if (ledger.lines === 0) return null
  const parts = listOutcomes(ledger).filter(({ count }) => count > 0)
  const { shown, rest } = cutTo(listLeftOut(manifest), limits.entries, 'condition')
  const body = html`<p>
      ${countOf(ledger.lines, 'line')} =
      ${parts.map(({ text }) => text).join(' + ')}.${
        ledger.repeatedIds > 0 &&
        html` ${countOf(ledger.repeatedIds, 'valid record repeats', 'valid records repeat')} an id.`
      }
    </p>
    ${drawBar(ledger.lines, parts)}
    <ul class="legend">
      ${parts.map(
        ({ outcome, count }) =>
          html`<li>
            <svg class="${outcome}" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" /></svg
            ><span
              ><b>${formatCount(count)}</b> ${outcome}
              <small>${formatShare(count, ledger.lines)}, ${meanings[outcome]}</small></span
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

const meanings: Readonly<Record<Outcome, string>> = {
  accepted: 'rows of the first table',
  rejected: 'not as the contract says, kept in the rejects file',
  filtered: 'left out by a condition of the config',
  duplicate: 'an id that another line has',
  blank: 'without a record',
}

/** Widths are in thousandths; an outcome with few lines is wide enough to be seen. */
function drawBar(lines: number, parts: ReturnType<typeof listOutcomes>): Html {
  const widths = parts.map(({ count }) => Math.max(leastWidth, (count / lines) * barWidth))
  const excess = widths.reduce((sum, width) => sum + width, 0) - barWidth
  const widest = widths.indexOf(Math.max(...widths))
  const fitted = widths.map((width, at) => (at === widest ? width - excess : width))
  const label = parts.map(({ text }) => text).join(', ')
  let x = 0
  const pieces = parts.map(({ outcome }, at) => {
    const width = fitted[at] ?? 0
    x += width
    return html`<rect class="${outcome}" x="${round(x - width)}" width="${round(width)}" height="20" />`
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
