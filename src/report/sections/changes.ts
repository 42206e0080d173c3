import { countOf, formatCount } from '../../text/format-count.ts'
import { formatTime } from '../format.ts'
import { html, type Html } from '../html.ts'
import { listNewDrift } from '../facts/drift.ts'
import { describeRead, describeStale, listLoads } from '../facts/load.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportManifest } from '../report-manifest.ts'
import { describeEditLoss } from '../../loads/changes/edit-loss.ts'
import type { ReportContext, Section } from './section.ts'
import { countPublishedRows } from '../../manifest/former-run.ts'
import type { ChangeCounts, Drift, PreviousRun } from '../../manifest/manifest.ts'

export function renderChanges({ manifest, examples, limits }: ReportContext): Section | null {
  const { previous } = manifest
  const read = describeRead(manifest)
  const parts = [
    ...(manifest.editLosses ?? []).map((loss) => html`<p>${describeEditLoss(loss)}.</p>`),
    ...renderCounts(manifest),
    ...(examples ? renderRemoved(manifest, limits.entries) : []),
    ...(previous === undefined ? [] : renderPrevious(manifest, previous, limits.entries)),
  ]
  if (parts.length === 0) return null
  const body = html`${
    read && html`<p>Read was ${read.text}${read.since !== null && html` ${formatTime(read.since)}`}.</p>`
  }${parts}`
  return { id: 'changes', title: 'Since the run before', body }
}

/** The records added, changed and removed in the outputs of a pipeline that keeps a state. */
function renderCounts(manifest: ReportManifest): Html[] {
  const loads = listLoads(manifest)
  if (loads.length === 0) return []
  const headings = ['New', 'Changed', 'Touched', 'Unchanged', 'Removed'].map((text) => ({ text, isNumber: true }))
  const rows = loads.map(({ target, changes }) => [target ?? 'files', ...listCounts(changes).map(formatCount)])
  const stale = manifest.state?.stale
  return [
    html`<div class="wide" tabindex="0" role="group" aria-label="Records by change">
      ${table('Records by change', [{ text: 'Records in' }, ...headings], rows)}
    </div>`,
    ...(stale === undefined || stale.records === 0 ? [] : [html`<p>Out of date: ${describeStale(stale)}.</p>`]),
  ]
}

function listCounts({ new: added, changed, touched, unchanged, removed }: ChangeCounts): number[] {
  return [added, changed, touched, unchanged, removed]
}

function renderRemoved({ removedRecords = [] }: ReportManifest, most: number): Html[] {
  if (removedRecords.length === 0) return []
  const { shown, rest } = cutTo(removedRecords, most, 'removed record')
  return [
    html`<h3>Removed</h3>
      <ul class="chips">
        ${shown.map(({ id, status }) => html`<li>${code(id)}${status !== null && html` <small>${status}</small>`}</li>`)}
      </ul>
      ${rest}`,
  ]
}

function renderPrevious(manifest: ReportManifest, previous: PreviousRun, most: number): Html[] {
  const drift = listNewDrift(manifest)
  const { shown, rest } = cutTo(drift, most, 'entry')
  const { rejected } = manifest.ledger
  return [
    html`<p>
      The run before ended
      ${formatTime(previous.finishedAt)}${previous.runId === manifest.runId && ', with the same input and config'}. It
      rejected ${countOf(previous.rejected, 'line')}, this one ${formatCount(rejected)}.
    </p>`,
    ...renderRows(manifest, previous, most),
    ...(drift.length === 0
      ? []
      : [
          html`<h3>Unexpected for the first time</h3>
            <ul>
              ${shown.map(({ kind, path, value }) => html`<li>${nameKind(kind, path)} ${code(value ?? path)}</li>`)}
            </ul>
            ${rest}`,
        ]),
  ]
}

/** The tables that grew or shrank; empty if the manifests do not count all rows. */
function renderRows(manifest: ReportManifest, previous: PreviousRun, most: number): Html[] {
  const before = new Map(previous.tables.map(({ name, rows }) => [name, rows]))
  const now = countPublishedRows(manifest)
  if (now.size === 0 || before.size === 0) return []
  const names = [...new Set([...now.keys(), ...before.keys()])]
  const changed = names.filter((name) => now.get(name) !== before.get(name))
  const same = names.length - changed.length
  if (changed.length === 0) return [html`<p>Every table has as many rows as before.</p>`]
  const { shown, rest } = cutTo(changed, most, 'table')
  const rows = shown.map((name) => [
    code(name),
    formatRows(before.get(name)),
    formatRows(now.get(name)),
    formatDifference((now.get(name) ?? 0) - (before.get(name) ?? 0)),
  ])
  const headings = ['Before', 'Now', 'Difference'].map((text) => ({ text, isNumber: true }))
  return [
    html`${table('Rows by table', [{ text: 'Rows of' }, ...headings], rows)}${rest}${same > 0 && html`<p class="note">${countOf(same, 'other table has', 'other tables have')} as many rows as before.</p>`}`,
  ]
}

function formatRows(rows: number | undefined): string {
  return rows === undefined ? 'none' : formatCount(rows)
}

function formatDifference(difference: number): string {
  return difference > 0 ? `+${formatCount(difference)}` : `−${formatCount(-difference)}`
}

function nameKind(kind: keyof Drift, path: string): string {
  return kind === 'unknownValues' ? `value of ${path}:` : kinds[kind]
}

const kinds: Readonly<Record<Exclude<keyof Drift, 'unknownValues'>, string>> = {
  unknownFields: 'field',
  invalidValues: 'wrong values in',
  oddCodes: 'odd codes in',
  nullElements: 'nulls in',
  duplicateKeys: 'repeated key',
  otherLocales: 'locale',
}
