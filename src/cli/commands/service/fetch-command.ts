import { fetchPlan } from '../../../engine/fetch/fetch-pipeline.ts'
import { listReadingFindings } from '../../../report/facts.ts'
import { toLandingManifestPath } from '../../../sources/landing-manifest.ts'
import type { LandingManifest } from '../../../manifest/manifest.ts'
import { defineCommand } from '../../command.ts'
import { listUnchecked, loadPlan, type LoadedPipeline } from '../../load-pipelines.ts'
import { argument, flag, option, required } from '../../parameter.ts'
import { createProgress } from '../../progress/progress.ts'
import { renderCompleteness, renderFinding, row } from '../../render/render-report.ts'
import { type Colors, colorsFor, logEvent, type Terminal, writeJson } from '../../terminal.ts'
import { logOption, quietOption, settingOptions } from '../../shared-options.ts'
import { formatCount } from '../../../text/format-count.ts'
import { formatMegabytes } from '../../../text/format-size.ts'

export const fetchCommand = defineCommand({
  description: "Saves the raw lines of a pipeline's endpoint to a file: verified complete, for run --from.",
  otherNames: ['download', 'pull', 'dump', 'get'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...settingOptions,
    ...logOption,
    to: required(
      option('<file>', 'the file, compressed if it ends in .gz; FILE.manifest.json beside it proves the lines'),
    ),
    json: flag('write the manifest as JSON to standard output'),
    ...quietOption,
  },
  examples: ['catalogue-etl fetch pipelines/products.yaml --to data/products.ndjson.gz'],
  async run({ config, to, json, quiet, ...options }, terminal) {
    const loaded = await loadPlan(config, { ...options, needsService: true, needsDatabases: false }, terminal)
    const { plan } = loaded
    if (!quiet) logUnchecked(loaded, plan.name, terminal)
    const progress = await createProgress(terminal, quiet === true)
    const landing = await fetchPlan(plan, {
      to,
      madeFrom: [config, ...(options.env ?? [])],
      signal: terminal.signal,
      onProgress: (at) => progress.show(at),
      onWarning(message) {
        const text = `${plan.name}: ${message}`
        logEvent(terminal, { level: 'warn', event: 'fetch.warning', message: text, pipeline: plan.name }, () => text)
      },
    }).finally(() => progress.stop())
    if (!quiet) logLanding(to, landing, terminal)
    if (json) writeJson(terminal, { ok: true, file: to, manifest: toLandingManifestPath(to), landing })
  },
})

function logUnchecked(loaded: LoadedPipeline, pipeline: string, terminal: Terminal): void {
  for (const note of listUnchecked(loaded)) {
    const message = `${pipeline}: note: ${note}`
    logEvent(terminal, { level: 'info', event: 'note', message, pipeline }, () => message)
  }
}

function logLanding(to: string, landing: LandingManifest, terminal: Terminal): void {
  const { pipeline, lines, bytes, completeness } = landing
  const message = `${pipeline}: landed ${lines} lines in ${to}`
  const facts = { pipeline, file: to, lines, bytes, completeness: completeness.status }
  logEvent(terminal, { level: 'info', event: 'fetch.landed', message, ...facts }, () =>
    renderLanding(to, landing, colorsFor(terminal.stderr, terminal.env)),
  )
}

function renderLanding(to: string, landing: LandingManifest, colors: Colors): string {
  const { pipeline, startedAt, finishedAt, lines, bytes, file, completeness, notes } = landing
  const durationMs = Date.parse(finishedAt) - Date.parse(startedAt)
  const speed = durationMs > 0 ? `, ${(bytes / 1e3 / durationMs).toFixed(0)} MB/s` : ''
  return [
    `${colors.green(colors.bold(pipeline))}  landed in ${(durationMs / 1000).toFixed(2)} s (${formatMegabytes(bytes)}${speed})`,
    row('lines', formatCount(lines)),
    row('complete', renderCompleteness(completeness, colors)),
    ...listReadingFindings(notes).flatMap((each) => renderFinding(each, colors)),
    row('file', `${to} (${formatMegabytes(file.bytes)})`),
    row('manifest', toLandingManifestPath(to)),
  ].join('\n')
}
