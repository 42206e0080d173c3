import { formatTime } from '../format.ts'
import { html, type HtmlPart } from '../html.ts'
import { code } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

export function renderIdentity({ manifest, profile, examples }: ReportContext): Section {
  const { tool, contract, runId, configHash, inputDigest, startedAt, finishedAt, notes = [] } = manifest
  const facts: [string, HtmlPart][] = [
    ['Tool', `${tool.name} ${tool.version}`],
    ['Contract', `${contract.name}, version ${contract.version}`],
    ['Run', code(runId)],
    ['Config', code(configHash)],
    ['Input', code(inputDigest)],
    ['Started', formatTime(startedAt)],
    ['Finished', formatTime(finishedAt)],
    ...(manifest.failure === undefined ? [['Manifest', code(manifest.manifest)] satisfies [string, HtmlPart]] : []),
  ]
  const body = html`<dl class="identity">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${
      notes.length > 0 &&
      html`<ul>
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>`
    }
    ${profile === null && html`<p class="note">There is no profile of this run: filled shares, bounds and locales are not shown.</p>`}
    <p class="note">
      ${
        examples
          ? 'This page shows values of records.'
          : 'Values of records are left out, but for code lists, booleans and the bounds of numbers and dates; the config takes them in with report: { examples: true }.'
      }
    </p>`
  return { id: 'run', title: 'This run', body }
}
