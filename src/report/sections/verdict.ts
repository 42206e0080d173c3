import { countOf, formatBytes, formatCount, formatDuration, formatTime } from '../format.ts'
import { html, type Html } from '../html.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ReportContext } from './section.ts'

/** The outcome of the run in one line, and its numbers. */
export function renderVerdict({ manifest }: Pick<ReportContext, 'manifest'>): Html {
  const tone = toTone(manifest)
  return html`<header class="${tone}">
    <p class="pipeline">${manifest.pipeline}</p>
    <h1>${symbols[tone]}<span>${describeVerdict(manifest)}</span></h1>
    <p class="when">Published ${formatTime(manifest.finishedAt)}, from ${manifest.contract.name}</p>
    <dl class="tiles">
      ${listTiles(manifest).map(
        ([name, value, note]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}${note !== '' && html`<small>${note}</small>`}</dd>
          </div>`,
      )}
    </dl>
  </header> `
}

type Tone = 'good' | 'look' | 'bad'

function toTone({ completeness, ledger, missingIds, state, drift, rules = [] }: ReportManifest): Tone {
  if (completeness.status === 'incomplete') return 'bad'
  const isDelta = state?.kind === 'delta'
  const missing = isDelta ? 0 : (missingIds?.rows ?? 0)
  const stale = state?.stale?.records ?? 0
  const invalid = Object.keys(drift.invalidValues).length
  const broken = rules.filter(({ result }) => result === 'broken').length
  const deservesLook = ledger.rejected + missing + stale + invalid + broken > 0 || completeness.status === 'unprovable'
  return deservesLook ? 'look' : 'good'
}

const verdicts = {
  proven: 'Proven complete',
  unprovable: 'Published, though nothing proves the stream complete',
  incomplete: 'Published, though the stream is incomplete',
} as const

/** `Proven complete: 2,988 of 3,000 lines are published, 12 are rejected` */
export function describeVerdict({ completeness, ledger }: Pick<ReportManifest, 'completeness' | 'ledger'>): string {
  const { lines, blank, accepted, rejected, filtered, duplicate } = ledger
  const read = lines - blank
  const published =
    read === 0
      ? 'no record matched'
      : accepted === read
        ? `${read === 1 ? 'the only line is' : `all ${formatCount(read)} lines are`} published`
        : `${formatCount(accepted)} of ${countOf(read, 'line')} ${accepted === 1 ? 'is' : 'are'} published`
  const others = [
    [rejected, 'rejected'],
    [filtered, 'filtered'],
    [duplicate, 'left out as repeated'],
  ] as const
  const rest = others.filter(([count]) => count > 0).map(([count, verb]) => `${formatCount(count)} ${verb}`)
  return [`${verdicts[completeness.status]}: ${published}`, ...rest].join(', ')
}

function listTiles({ ledger, tables, files, sources, durationMs }: ReportManifest): [string, string, string][] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const readBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0)
  const read = countOf(ledger.lines, 'line')
  return [
    ['Accepted', formatCount(ledger.accepted), `of ${read}`],
    ['Rejected', formatCount(ledger.rejected), ''],
    ['Rows', formatCount(rows), `in ${countOf(tables.length, 'table')}`],
    ...(files.length === 0
      ? []
      : [['Files', formatCount(files.length), formatBytes(fileBytes)] satisfies [string, string, string]]),
    ['Time', formatDuration(durationMs), `${formatBytes(readBytes)} read`],
  ]
}

/** Drawn beside the words, which say the same. */
const symbols: Readonly<Record<Tone, Html>> = {
  good: toSymbol('M7 12.5l3.4 3.4L17 9'),
  look: toSymbol('M12 6.5v7M12 16.6v.9'),
  bad: toSymbol('M8 8l8 8M16 8l-8 8'),
}

function toSymbol(path: string): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d="${path}" />
  </svg>`
}
