import { type Finding, type FindingKind, listFindings, worstOf } from '../facts.ts'
import { describeRun, listProblems } from '../facts/headline.ts'
import { describeRead, formatChanges, listLoads } from '../facts/load.ts'
import { formatCount } from '../../text/format-count.ts'
import { formatTime } from '../format.ts'
import { html, type Html, type HtmlPart } from '../html.ts'
import { code, cutTo } from '../parts.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ReportContext } from './section.ts'

/** Renders the run in one sentence, what became of its outputs, and a row for each problem. */
export function renderVerdict({ manifest, examples, limits }: ReportContext): Html {
  const problems = listProblems(listFindings(manifest, { examples }))
  const tone = worstOf(problems)
  const { shown, rest } = cutTo(problems, limits.entries, 'finding')
  const { failure, finishedAt, contract } = manifest
  return html`<header class="${classes[tone]}">
    <p class="pipeline">
      ${manifest.pipeline}
      <small>${failure === undefined ? 'saved' : 'failed'} ${formatTime(finishedAt)}, ${contract.name}</small>
    </p>
    <h1>${symbols[tone]}<span>${capitalize(describeRun(manifest, problems))}</span></h1>
    <p class="sub">
      ${failure === undefined ? describeSource(manifest) : html`<b>What to try:</b> ${markCode(failure.fix)}`}
    </p>
    ${
      shown.length > 0 &&
      html`<ul class="todo">
        ${shown.map((each) => renderRow(each, manifest))}
      </ul>`
    }${rest}
  </header> `
}

/** The ids of the sections that problems of a run are told in. */
export function listLinked({ manifest, examples }: Pick<ReportContext, 'manifest' | 'examples'>): Set<string> {
  return new Set(listProblems(listFindings(manifest, { examples })).flatMap(({ kind }) => parts[kind] ?? []))
}

const classes: Readonly<Record<Finding['severity'], string>> = { wrong: 'bad', look: 'look', note: 'good' }

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Such as `From export.ndjson and 2 more. 17 new, 250 changed since the run of 2026-11-16.` */
function describeSource(manifest: ReportManifest): Html {
  const { sources, previous } = manifest
  const [first, ...others] = sources
  const [load] = listLoads(manifest)
  const read = describeRead(manifest)
  return html`${first && html`From ${code(first.name)}`}${others.length > 0 && ` and ${formatCount(others.length)} more`}${
    read !== null && html`, ${read.text}${read.since !== null && html` ${formatTime(read.since)}`}`
  }${load && html` · ${formatChanges(load.changes)}`}${
    previous && html`${load ? ' since' : ' · after'} the run of ${previous.finishedAt.slice(0, 10)}`
  }`
}

/** One problem: its number first, then the words, and a link to all of it. */
function renderRow({ kind, severity, count, text, details }: Finding, manifest: ReportManifest): Html {
  const number = formatCount(count)
  const rest = text.startsWith(`${number} `) ? text.slice(number.length) : null
  return html`<li class="${classes[severity]}">
    <div>
      ${rest === null ? markCode(text) : html`<b>${number}</b>${markCode(rest)}`}
      ${details.slice(0, mostDetails).map((detail) => html`<small>${markCode(detail)}</small>`)}
      ${details.length > mostDetails && html`<small>${formatCount(details.length - mostDetails)} more</small>`}
    </div>
    ${linkTo(kind, manifest)}
  </li>`
}

const mostDetails = 3

function linkTo(kind: FindingKind, { missingIds, manifest, report }: ReportManifest): Html | null {
  const part = parts[kind]
  if (part === undefined) return null
  const file = kind === 'missing' ? missingIds?.path : undefined
  const name = file?.slice(folderOf(file).length)
  const isBeside = file !== undefined && folderOf(file) === folderOf(report?.path ?? manifest)
  const href = isBeside ? `./${encodeURIComponent((name ?? '').toWellFormed())}` : `#${part}`
  return html`<a href="${href}">${name ?? part} <span aria-hidden="true">→</span></a>`
}

function folderOf(path: string): string {
  return path.slice(0, path.search(/[^/\\]*$/))
}

/** Marks text in backticks as code: it is from a config or a command line. */
function markCode(text: string): HtmlPart {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : code(piece)))
}

/** The section that tells all of a finding. */
const parts: Readonly<Partial<Record<FindingKind, string>>> = {
  doubts: 'lines',
  complete: 'completeness',
  repeats: 'lines',
  rules: 'rules',
  rejects: 'rejects',
  missing: 'missing',
  edited: 'changes',
  stale: 'changes',
  invalid: 'values',
  codes: 'values',
  keys: 'values',
  drift: 'unexpected',
  newDrift: 'unexpected',
  tables: 'files',
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
