import { type Finding, type FindingKind, listFindings, worstOf } from '../facts.ts'
import { countFiles, sumBytes } from '../facts/files.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatBytes, formatDuration } from '../../text/format-size.ts'
import { formatTime } from '../format.ts'
import { html, type Html, type HtmlPart } from '../html.ts'
import { code, cutTo } from '../parts.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ReportContext } from './section.ts'

/** Renders the outcome of the run in one line, its findings, and its numbers. */
export function renderVerdict({
  manifest,
  examples,
  limits,
}: Omit<ReportContext, 'profile' | 'rejects' | 'runs'>): Html {
  const findings = listFindings(manifest, { examples }).filter(({ severity }) => severity !== 'note')
  const tone = worstOf(findings)
  const { shown, rest } = cutTo(findings, limits.entries, 'finding')
  return html`<header class="${classes[tone]}">
    <p class="pipeline">${manifest.pipeline}</p>
    <h1>${symbols[tone]}<span>${describeOutcome(manifest, findings)}</span></h1>
    ${
      tone !== 'note' &&
      html`<ul class="findings">
          ${shown.map(renderFinding)}
        </ul>
        ${rest}
        <p>${markCode(describeOutputs(manifest))}</p>`
    }
    <p class="when">
      ${manifest.failure === undefined ? 'Published' : 'Failed'} ${formatTime(manifest.finishedAt)}, from
      ${manifest.contract.name}
    </p>
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

const classes: Readonly<Record<Finding['severity'], string>> = { wrong: 'bad', look: 'look', note: 'good' }

function describeOutcome(manifest: ReportManifest, findings: readonly Finding[]): string {
  if (manifest.failure !== undefined) return 'Nothing was published'
  if (findings.length === 0) return describeVerdict(manifest)
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length
  return wrong > 0
    ? 'Published, though something is wrong'
    : `Published, with ${countOf(findings.length, 'thing')} to look at`
}

function describeOutputs(manifest: ReportManifest): string {
  const { failure } = manifest
  if (failure === undefined) return `${describeVerdict(manifest)}.`
  return `The outputs are as they were before this run. What to try: ${failure.fix}`
}

function renderFinding({ kind, severity, text, details }: Finding): Html {
  const part = parts[kind]
  return html`<li class="${classes[severity]}">
    ${markCode(text)}${part !== undefined && html` <a href="#${part}" aria-label="more on ${kind}">more</a>`}
    ${details.slice(0, mostDetails).map((detail) => html`<small>${markCode(detail)}</small>`)}
  </li>`
}

const mostDetails = 3

/** Marks text in backticks as code: it is from a config or a command line. */
function markCode(text: string): HtmlPart {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : code(piece)))
}

const parts: Readonly<Partial<Record<FindingKind, string>>> = {
  doubts: 'lines',
  complete: 'completeness',
  repeats: 'lines',
  rules: 'rules',
  rejects: 'rejects',
  missing: 'missing',
  edited: 'changes',
  stale: 'changes',
  invalid: 'drift',
  codes: 'drift',
  keys: 'drift',
  drift: 'drift',
  newDrift: 'drift',
  tables: 'files',
}

const verdicts = {
  proven: 'Proven complete',
  unprovable: 'Published, though nothing proves the stream complete',
  incomplete: 'Published, though the stream is incomplete',
} as const

/** Such as `Proven complete: 2,988 of 3,000 lines are published, 12 are rejected`. */
function describeVerdict({ completeness, ledger }: Pick<ReportManifest, 'completeness' | 'ledger'>): string {
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
  const written = countFiles(files)
  const read = countOf(ledger.lines, 'line')
  return [
    ['Accepted', formatCount(ledger.accepted), `of ${read}`],
    ['Rejected', formatCount(ledger.rejected), ''],
    ['Rows', formatCount(rows), `in ${countOf(tables.length, 'table')}`],
    ...(files.length === 0
      ? []
      : [['Files', formatCount(written.count), formatBytes(written.bytes)] satisfies [string, string, string]]),
    ['Time', formatDuration(durationMs), `${formatBytes(sumBytes(sources))} read`],
  ]
}

const symbols: Readonly<Record<Finding['severity'], Html>> = {
  note: toSymbol('M7 12.5l3.4 3.4L17 9'),
  look: toSymbol('M12 6.5v7M12 16.6v.9'),
  wrong: toSymbol('M8 8l8 8M16 8l-8 8'),
}

function toSymbol(path: string): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d="${path}" />
  </svg>`
}
