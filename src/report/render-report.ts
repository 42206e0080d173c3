import type { RunProfile } from '../kernel/profile/run-profile.ts'
import { countFiles } from './facts/files.ts'
import { html, type Html, type HtmlPart } from './html.ts'
import { pageStyle } from './page-style.ts'
import type { RejectGroup } from '../sources/rejects/reject-groups.ts'
import type { ReportManifest } from './report-manifest.ts'
import type { PastRun } from '../manifest/manifest.ts'
import { countOf } from '../text/format-count.ts'
import { formatDuration } from '../text/format-size.ts'
import { renderChanges } from './sections/changes.ts'
import { renderCompleteness } from './sections/completeness.ts'
import { renderCoverage } from './sections/coverage.ts'
import { renderUnexpected, renderWrongValues } from './sections/drift.ts'
import { renderFiles } from './sections/files.ts'
import { renderGlance } from './sections/glance.ts'
import { renderIdentity } from './sections/identity.ts'
import { renderLedger } from './sections/ledger.ts'
import { renderLocales } from './sections/locales.ts'
import { renderMissing } from './sections/missing.ts'
import { renderRejects } from './sections/rejects.ts'
import { renderRules } from './sections/rules.ts'
import type { RenderSection, ReportContext, ReportLimits, Section } from './sections/section.ts'
import { renderRuns } from './sections/runs.ts'
import { renderService } from './sections/service.ts'
import { renderTables } from './sections/tables.ts'
import { renderTimings } from './sections/timings.ts'
import { listLinked, renderVerdict } from './sections/verdict.ts'

export interface RenderOptions {
  /** Shows values of records. Default false: only code lists and some bounds. */
  readonly examples?: boolean | undefined
  /** Examples of rejected lines, which the manifest has not. */
  readonly rejects?: readonly RejectGroup[] | undefined
  /** The last runs of the pipeline, this one last. Default: none are known. */
  readonly runs?: readonly PastRun[] | undefined
}

/**
 * Renders a run as one HTML page below 200 kB, without scripts, that needs no request when opened. The same manifest,
 * profile, runs and options give the same text.
 */
export function renderReport(
  manifest: ReportManifest,
  profile: RunProfile | null,
  { examples = false, rejects = [], runs = [] }: RenderOptions = {},
): string {
  let page = ''
  for (const limits of limitSteps) {
    page = renderPage({ manifest, profile, examples, rejects, runs, limits })
    if (Buffer.byteLength(page) <= mostBytes) break
  }
  return page
}

const mostBytes = 195_000

/** Tried in this order until the page is small enough. */
const limitSteps: readonly ReportLimits[] = [
  { columns: 2000, values: 6, files: 300, entries: 100 },
  { columns: 2000, values: 4, files: 100, entries: 50 },
  { columns: 600, values: 3, files: 100, entries: 30 },
  { columns: 400, values: 3, files: 50, entries: 20 },
  { columns: 200, values: 2, files: 20, entries: 10 },
  { columns: 60, values: 0, files: 5, entries: 3 },
]

/** The pictures of a run, and what it changed; shown if there are any. */
const pictures: readonly RenderSection[] = [renderGlance, renderCoverage]
const history: readonly RenderSection[] = [renderChanges, renderRuns]

/** Told openly if a problem of the run links to it, else in a fold. */
const evidence: readonly RenderSection[] = [
  renderRules,
  renderRejects,
  renderMissing,
  renderWrongValues,
  renderUnexpected,
  renderCompleteness,
  renderLedger,
  renderFiles,
  renderService,
  renderTimings,
  renderIdentity,
]

function renderPage(context: ReportContext): string {
  const { pipeline, tool, failure } = context.manifest
  const render = (parts: readonly RenderSection[]) => parts.flatMap((each) => each(context) ?? [])
  const linked = listLinked(context)
  const told = render(evidence)
  const opened = [...render(pictures), ...told.filter(({ id }) => linked.has(id)), ...render(history)]
  const folds = [...render([renderTables]), ...render([renderLocales])]
  const proof = told.filter(({ id }) => !linked.has(id))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="generator" content="${tool.name} ${tool.version}" />
        <title>${pipeline}: ${failure === undefined ? 'run report' : 'failed run'}</title>
        <link rel="icon" href="data:," />
        <style>
          ${pageStyle}
        </style>
      </head>
      <body>
        ${renderVerdict(context)}
        <main>
          ${opened.map(renderSection)}${folds.map((each) => renderFold(each, each.body))}${renderProof(proof, context)}
        </main>
      </body>
    </html> `.text
}

function renderSection({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `
}

function renderFold({ id, title }: Pick<Section, 'id' | 'title'>, body: HtmlPart): Html {
  return html`<details class="fold" id="${id}">
    <summary><h2>${title}</h2></summary>
    ${body}
  </details> `
}

/** What nobody has to read: where every line went, files, times, names and hashes. */
function renderProof(parts: readonly Section[], { manifest }: ReportContext): Html {
  const { ledger, files, durationMs } = manifest
  const facts = [
    countOf(ledger.lines, 'line'),
    ...(files.length === 0 ? [] : [countOf(countFiles(files).count, 'file')]),
    formatDuration(durationMs),
  ]
  const body = parts.map(
    ({ id, title, body: content }) =>
      html`<section id="${id}" aria-labelledby="${id}-title">
        <h3 id="${id}-title">${title}</h3>
        ${content}
      </section> `,
  )
  return renderFold({ id: 'proof', title: `Proof, files and times (${facts.join(', ')})` }, body)
}
