import { html, type Html } from './html.ts'
import { pageStyle } from './page-style.ts'
import type { RejectGroup } from '../sources/rejects/reject-groups.ts'
import type { ReportManifest } from './report-manifest.ts'
import type { PastRun } from '../manifest/manifest.ts'
import type { RunProfile } from '../kernel/profile/run-profile.ts'
import { renderChanges } from './sections/changes.ts'
import { renderCompleteness } from './sections/completeness.ts'
import { renderDrift } from './sections/drift.ts'
import { renderFiles } from './sections/files.ts'
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
import { renderVerdict } from './sections/verdict.ts'

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

const sections: readonly RenderSection[] = [
  renderLedger,
  renderCompleteness,
  renderRules,
  renderChanges,
  renderRuns,
  renderTables,
  renderLocales,
  renderRejects,
  renderDrift,
  renderMissing,
  renderFiles,
  renderService,
  renderTimings,
  renderIdentity,
]

function renderPage(context: ReportContext): string {
  const { pipeline, tool, failure } = context.manifest
  const shown = sections.flatMap((render) => render(context) ?? [])
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
        <nav aria-label="Sections">
          <ul>
            ${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>
        <main>${shown.map(renderSection)}</main>
      </body>
    </html> `.text
}

function renderSection({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section> `
}
