import { Command } from 'commander'
import { fetchPlan } from '../../engine/fetch/fetch-pipeline.ts'
import { listReadingFindings } from '../../report/facts.ts'
import { toLandingManifestPath } from '../../sources/landing-manifest.ts'
import type { LandingManifest } from '../../manifest/manifest.ts'
import { listUnchecked, loadPlan, type ConfigOptions, type LoadedPipeline } from '../load-pipelines.ts'
import { createProgress } from '../render/progress.ts'
import { format, renderCompleteness, renderFinding, row, toMegabytes } from '../render/render-report.ts'
import { type Colors, colorsFor, logEvent, type Terminal, writeJson } from '../terminal.ts'
import { withLogOption, withSettings } from './command-options.ts'

interface FetchCommandOptions extends ConfigOptions {
  readonly to: string
  readonly json?: true
  readonly quiet?: true
}

export function createFetchCommand(terminal: Terminal): Command {
  return withLogOption(withSettings(new Command('fetch')))
    .description("Saves the raw lines of a pipeline's endpoint to a file, verified complete, for run --from.")
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .requiredOption(
      '--to <file>',
      'the file, compressed if it ends in .gz; FILE.manifest.json beside it proves the lines',
    )
    .option('--json', 'write the manifest as JSON to standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl fetch pipelines/products.yaml --to data/products.ndjson.gz')
    .action((file: string, options: FetchCommandOptions) => land(file, options, terminal))
}

async function land(config: string, options: FetchCommandOptions, terminal: Terminal): Promise<void> {
  const { to, env: envFiles = [], json, quiet } = options
  const loaded = await loadPlan(config, { ...options, needsService: true, needsDatabases: false }, terminal)
  const { plan } = loaded
  if (!quiet) logUnchecked(loaded, plan.name, terminal)
  const progress = await createProgress(terminal, quiet === true)
  const landing = await fetchPlan(plan, {
    to,
    madeFrom: [config, ...envFiles],
    signal: terminal.signal,
    onProgress: (at) => progress.show(at),
    onWarning(message) {
      const text = `${plan.name}: ${message}`
      logEvent(terminal, { level: 'warn', event: 'fetch.warning', message: text, pipeline: plan.name }, () => text)
    },
  }).finally(() => progress.stop())
  if (!quiet) logLanding(to, landing, terminal)
  if (json) writeJson(terminal, { ok: true, file: to, manifest: toLandingManifestPath(to), landing })
}

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

/** A landing manifest, for people. */
function renderLanding(to: string, landing: LandingManifest, colors: Colors): string {
  const { pipeline, startedAt, finishedAt, lines, bytes, file, completeness, notes } = landing
  const durationMs = Date.parse(finishedAt) - Date.parse(startedAt)
  const speed = durationMs > 0 ? `, ${(bytes / 1e3 / durationMs).toFixed(0)} MB/s` : ''
  return [
    `${colors.green(colors.bold(pipeline))}  landed in ${(durationMs / 1000).toFixed(2)} s (${toMegabytes(bytes)}${speed})`,
    row('lines', format(lines)),
    row('complete', renderCompleteness(completeness, colors)),
    ...listReadingFindings(notes).flatMap((each) => renderFinding(each, colors)),
    row('file', `${to} (${toMegabytes(file.bytes)})`),
    row('manifest', toLandingManifestPath(to)),
  ].join('\n')
}
