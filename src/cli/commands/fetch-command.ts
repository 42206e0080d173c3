import { Command } from 'commander'
import { fetchPlan } from '../../engine/fetch/fetch-pipeline.ts'
import { toLandingManifestPath, type LandingManifest } from '../../sources/landing-manifest.ts'
import { withLogOption, withSettings } from './config-options.ts'
import { loadPipelines } from '../load-pipelines.ts'
import { createProgress } from '../render/progress.ts'
import { renderLanding } from '../render/render-landing.ts'
import { requirePlans } from '../require-plans.ts'
import { colorsFor, tell, writeJson, type Terminal } from '../terminal.ts'

interface FetchCommandOptions {
  readonly set?: readonly string[]
  readonly env?: readonly string[]
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

async function land(
  config: string,
  { set, env: envFile, to, json, quiet }: FetchCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const [plan] = requirePlans(
    await loadPipelines([config], { set, envFile, needsService: true, needsDatabases: false }, terminal),
    terminal,
  )
  if (plan === undefined) return
  const progress = await createProgress(terminal, quiet === true)
  const landing = await fetchPlan(plan, {
    to,
    madeFrom: [config, ...(envFile ?? [])],
    signal: terminal.signal,
    onProgress: (at) => progress.show(at),
    onWarning(message) {
      const text = `${plan.name}: ${message}`
      tell(terminal, { level: 'warn', event: 'fetch.warning', message: text, pipeline: plan.name }, () => text)
    },
  }).finally(() => progress.stop())
  if (!quiet) tellLanding(to, landing, terminal)
  if (json) writeJson(terminal, { ok: true, file: to, manifest: toLandingManifestPath(to), landing })
}

function tellLanding(to: string, landing: LandingManifest, terminal: Terminal): void {
  const { pipeline, lines, bytes, completeness } = landing
  const message = `${pipeline}: landed ${lines} lines in ${to}`
  const facts = { pipeline, file: to, lines, bytes, completeness: completeness.status }
  tell(terminal, { level: 'info', event: 'fetch.landed', message, ...facts }, () =>
    renderLanding(to, landing, colorsFor(terminal.stderr, terminal.env)),
  )
}
