import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { mostWorkers } from '../engine/open-encoder.ts'
import { runPlan } from '../engine/run-pipeline.ts'
import type { RunReport } from '../engine/run-report.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../errors.ts'
import { withConfigOptions, withFromOption } from './config-options.ts'
import { listUnapplied } from './list-unapplied.ts'
import { loadPipelines } from './load-pipelines.ts'
import { createProgress } from './progress.ts'
import { renderError, toErrorJson } from './render-error.ts'
import { renderReport } from './render-report.ts'
import { requirePlans } from './require-plans.ts'
import { colorsFor, say, writeJson, type Finish, type Terminal } from './terminal.ts'
import { toCount } from './to-count.ts'

interface RunCommandOptions {
  readonly set?: readonly string[]
  readonly env?: readonly string[]
  readonly out?: string
  readonly from?: readonly string[]
  readonly limit?: number
  readonly workers?: number
  readonly json?: true
  readonly quiet?: true
}

/** One run's outcome, as `--json` writes it. */
export type RunOutcome =
  | { readonly pipeline: string; readonly ok: true; readonly report: RunReport }
  | { readonly pipeline: string; readonly ok: false; readonly error: CatalogueError }

export function createRunCommand(terminal: Terminal, finish: Finish): Command {
  return withFromOption(withConfigOptions(new Command('run')))
    .description('Runs pipelines: reads, validates, flattens and publishes, or publishes nothing.')
    .argument('<config...>', 'YAML, JSON, .ts or .js files')
    .option('--limit <n>', 'read only the first lines: publishes a sample', toCount)
    .option(
      '--workers <n>',
      'threads that validate and encode, 0 to 64; default as many as the cores are good for',
      toWorkers,
    )
    .option('--json', 'write the reports as JSON to standard output')
    .option('--quiet', 'say nothing but errors')
    .addHelpText('after', exitCodeHelp)
    .action(async (files: string[], options: RunCommandOptions) => finish(await run(files, options, terminal)))
}

const exitCodeHelp = `
Example:
  $ catalogue-etl run pipelines/products.yaml --set rejects.limit=0 --out /data/catalogue
  $ catalogue-etl run pipelines/products.yaml --from data/products.ndjson.gz

Exit codes: 0 published, 1 unexpected failure, 2 usage or config, 3 more rejects than the limit,
4 source failed or incomplete, 5 an output could not be written, 130 interrupted. All but 0 publish nothing.`

async function run(files: readonly string[], options: RunCommandOptions, terminal: Terminal): Promise<number> {
  const { set, env: envFile, out, from, json } = options
  const loaded = await loadPipelines(files, { set, envFile, out, from, needsService: true }, terminal)
  const plans = requirePlans(loaded, terminal)
  checkApart(plans)
  const outcomes: RunOutcome[] = []
  for (const [at, plan] of plans.entries()) {
    const outcome = await runOne(plan, () => listUnapplied(loaded[at]!, from), options, terminal, plans.length > 1)
    outcomes.push(outcome)
    if (!outcome.ok && outcome.error.code === 'INTERRUPTED') break
  }
  if (json) writeJson(terminal, { ok: outcomes.every(({ ok }) => ok), runs: outcomes.map(toJson) })
  return Math.max(...outcomes.map((outcome) => (outcome.ok ? exitCodes.published : outcome.error.exitCode)))
}

/** Runs one pipeline and says how it ended; a failure does not keep the next one from running. */
async function runOne(
  plan: PipelinePlan,
  listNotes: () => Promise<readonly string[]>,
  options: RunCommandOptions,
  terminal: Terminal,
  isOneOfSeveral: boolean,
): Promise<RunOutcome> {
  const { limit, workers, out: outDir, quiet } = options
  const colors = colorsFor(terminal.stderr, terminal.env)
  const progress = createProgress(terminal, quiet === true)
  const { stdin, env, signal } = terminal
  try {
    const notes = await listNotes()
    if (!quiet) for (const note of notes) say(terminal, `${plan.name}: note: ${note}`)
    const report = await runPlan(plan, {
      limit,
      workers,
      outDir,
      stdin,
      env,
      signal,
      notes,
      onProgress: (at) => progress.show(at),
      onTrouble: (message) => say(terminal, `${plan.name}: ${message}`),
    })
    progress.stop()
    if (!quiet) say(terminal, renderReport(report, colors, terminal.stderr.columns))
    return { pipeline: plan.name, ok: true, report }
  } catch (thrown) {
    progress.stop()
    const error = toCatalogueError(thrown)
    say(terminal, renderError(error, colors, isOneOfSeveral ? plan.name : undefined))
    return { pipeline: plan.name, ok: false, error }
  }
}

/** From 0: no thread but the one that reads and writes. */
function toWorkers(text: string): number {
  const workers = Number(text)
  if (!/^\d+$/.test(text) || workers > mostWorkers)
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${mostWorkers}.`)
  return workers
}

/** Two pipelines of one call must not write the same files. */
function checkApart(plans: readonly PipelinePlan[]): void {
  const owners = new Map<string, string>()
  for (const plan of plans) {
    const paths = [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path)
    for (const path of paths) {
      const owner = owners.get(resolve(path))
      if (owner !== undefined) {
        const message = `${owner} and ${plan.name}: expected outputs apart, got "${path}" from both`
        throw new CatalogueError('CONFIG_INVALID', message, { outputs: 'Nothing was read, nothing was published.' })
      }
    }
    for (const path of paths) owners.set(resolve(path), plan.name)
  }
}

function toJson(outcome: RunOutcome) {
  return outcome.ok ? outcome : { ...outcome, error: toErrorJson(outcome.error) }
}
