import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../../errors.ts'
import type { ExportOptions } from '../config-entry.ts'
import {
  listUnchecked,
  loadPipelines,
  requirePlans,
  toFailureDocument,
  type ConfigOptions,
  type LoadedPipeline,
} from '../load-pipelines.ts'
import {
  withConfigOptions,
  withContractOption,
  withFromOption,
  withLogOption,
  collect,
  toBytes,
  toCount,
  toWaitMs,
  toWorkers,
} from './command-options.ts'
import type { SparkOptions } from '../../shards/spark/run-tasks.ts'
import { listUnapplied } from '../render/list-unapplied.ts'
import { toRunDocument, runPipelines, type RunOutcome, type Runnable } from '../run-pipelines.ts'
import { logEvent, writeJson, type Finish, type Terminal } from '../terminal.ts'

export interface RunCommandOptions extends ConfigOptions, ExportOptions {
  readonly limit?: number
  readonly fullRefresh?: true
  readonly prune?: true
  readonly workers?: number
  readonly parallel?: number
  /** The file of corrected lines. */
  readonly fixed?: readonly string[]
  /** The folder of a plan of shards. */
  readonly plan?: string
  readonly engine?: 'spark'
  readonly bytes?: number
  readonly master?: string
  readonly remote?: string
  readonly conf?: readonly string[]
  readonly command?: string
  readonly wait?: true | number
  readonly metrics?: string
  readonly onFailure?: string
  readonly json?: true
  readonly quiet?: true
}

export function createRunCommand(terminal: Terminal, finish: Finish): Command {
  const command = new Command('run')
    .description('Runs pipelines: reads, validates, flattens and publishes, or publishes nothing.')
    .argument('<config...>', 'YAML, JSON, .ts or .js files; or an export, which runs as `init` would write it')
    .option('--limit <n>', 'read only the first lines: publishes a sample', toCount)
    .option('--full-refresh', 'read everything, not only what changed since the last run')
    .option('--prune', 'remove files that an earlier config of the pipeline left, once the new ones are in place')
    .option(
      '--plan <folder>',
      'run the shards of this plan one by one, then commit: the outputs that many machines make',
    )
    .option('--parallel <n>', 'pipelines that run at the same time', toCount, 1)
  return withSparkOptions(withContractOption(withRunOptions(command)))
    .addHelpText('after', exitCodeHelp)
    .action(async (files: string[], options: RunCommandOptions) => finish(await runAndReport(files, options, terminal)))
}

/** The options of runs on Spark. */
function withSparkOptions(command: Command): Command {
  return command
    .addOption(new Option('--engine <name>', 'plan shards, run them there, and commit').choices(['spark']))
    .option('--bytes <size>', 'with --engine: size of a shard, as its files are on disk; default 512MB', toBytes)
    .option('--master <url>', 'of Spark, such as spark://HOST:7077; default that of its settings')
    .option('--remote <url>', 'a server of Spark Connect, such as sc://HOST:15002')
    .option('--conf <key=value>', 'a setting of Spark (repeatable)', collect)
    .option('--command <command>', 'catalogue-etl on the executors; default CATALOGUE_ETL there, else the one in PATH')
}

/** The options of every command that runs pipelines. */
export function withRunOptions(command: Command): Command {
  return withLogOption(withFromOption(withConfigOptions(command)))
    .option(
      '--workers <n>',
      'threads that validate and encode, 0 to 64; default CATALOGUE_WORKERS, else by the number of cores',
      toWorkers,
    )
    .option('--wait [duration]', 'wait for another run of the pipeline to end, 10m at most for instance', toWaitMs)
    .option('--metrics <file>', 'write the outcome as OpenMetrics text, for a collector of text files')
    .option(
      '--on-failure <command>',
      'command to run if the exit code is not 0; it gets the JSON of --json on standard input',
    )
    .option('--json', 'write the reports as JSON to standard output')
    .option('--quiet', 'print nothing but errors')
}

const exitCodeHelp = `
Example:
  $ catalogue-etl run export.ndjson
  $ catalogue-etl run pipelines/products.yaml --set rejects.limit=0 --out /data/catalogue
  $ catalogue-etl run pipelines/products.yaml --from data/products.ndjson.gz
  $ catalogue-etl run archive.yaml --engine spark --master spark://spark.example.com:7077
  $ catalogue-etl run products.yaml brands.yaml --parallel 2 --wait 10m --metrics /var/lib/metrics/catalogue.prom

Exit codes: 0 published, 1 unexpected failure, 2 usage, config, or an output that is refused, 3 more
rejects or removals than the limits allow, 4 source failed or incomplete, 5 an output could not be
written now, 6 another run of the pipeline has the lock, 130 interrupted. All but 0 publish nothing.
Of several pipelines it is the worst: 130, 1, 2, 5, 3, 4, 6, 0.`

/** Runs all pipelines, and reports it to scripts, the collector of metrics, and the hook. */
export async function runAndReport(
  files: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { metrics, json } = options
  let outcomes: RunOutcome[]
  try {
    if (metrics !== undefined) await (await import('../log/metrics-file.ts')).checkMetricsPath(metrics)
    checkSharded(files, options)
    outcomes = await runPipelines(await loadRunnables(files, options, terminal), toRunOptions(options), terminal)
  } catch (thrown) {
    const error = toCatalogueError(thrown)
    await writeMetrics(metrics, terminal, { exitCode: error.exitCode, seconds: Date.now() / 1000 })
    await react(toFailureDocument(error), error.exitCode, options, terminal)
    throw error
  }
  const document = toRunDocument(outcomes)
  await writeMetrics(metrics, terminal, outcomes)
  await react(document, document.exitCode, options, terminal)
  if (json) writeJson(terminal, document)
  return document.exitCode
}

/** A plan is of one pipeline, and of all that it reads. */
function checkSharded(files: readonly string[], options: RunCommandOptions): void {
  const { engine, plan, limit, fullRefresh, workers } = options
  const alone = sparkOptions.find((name) => options[name] !== undefined)
  if (engine === undefined && alone !== undefined)
    throw new CatalogueError('USAGE', `expected --engine spark with --${alone}, got no engine`)
  const named = engine === undefined ? '--plan' : `--engine ${engine}`
  if (engine === undefined && plan === undefined) return
  if (files.length > 1) throw new CatalogueError('USAGE', `expected one config with ${named}, got ${files.length}`)
  const other = limit === undefined ? fullRefresh && '--full-refresh' : '--limit'
  if (other) throw new CatalogueError('USAGE', `expected ${named} without ${other}, as a plan says what is read`)
  if (engine !== undefined && workers !== undefined) throw new CatalogueError('USAGE', noWorkers)
}

const sparkOptions = ['bytes', 'master', 'remote', 'conf', 'command'] as const

const noWorkers =
  'expected --engine spark without --workers: each task has spark.task.cpus - 1, or CATALOGUE_WORKERS of its machine'

async function loadRunnables(
  files: readonly string[],
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<Runnable[]> {
  const loaded = await loadPipelines(files, { ...options, needsService: true, takesExports: true }, terminal)
  const plans = requirePlans(loaded, terminal)
  checkApart(plans)
  return plans.map((plan, at) => {
    const read = loaded[at]!
    return { plan, env: read.env, listNotes: () => listRunNotes(read, options.from) }
  })
}

async function listRunNotes(loaded: LoadedPipeline, from: RunCommandOptions['from']): Promise<string[]> {
  return [...listUnchecked(loaded), ...(await listUnapplied(loaded, from))]
}

function toRunOptions({ out: outDir, parallel = 1, quiet, ...options }: RunCommandOptions) {
  const { limit, fullRefresh, prune, workers, wait, fixed, plan, bytes } = options
  const shards = { plan, bytes, spark: options.engine === undefined ? undefined : toSparkOptions(options) }
  return { limit, fullRefresh, prune, workers, outDir, wait, fixed, ...shards, parallel, isQuiet: quiet === true }
}

function toSparkOptions({ master, remote, conf, command, env: envFiles }: RunCommandOptions): SparkOptions {
  return { master, remote, conf, command, envFiles }
}

/** A run that failed before any pipeline did: its exit code, and the time in Unix seconds. */
interface EarlyFailure {
  readonly exitCode: number
  readonly seconds: number
}

/** A file of metrics that cannot be written changes nothing of how the runs went. */
async function writeMetrics(
  path: string | undefined,
  terminal: Terminal,
  ended: readonly RunOutcome[] | EarlyFailure,
): Promise<void> {
  if (path === undefined) return
  // Most runs load nothing of them.
  const { updateMetricsFile } = await import('../log/metrics-file.ts')
  const { listFailedSamples, listSamples } = await import('../log/metrics.ts')
  try {
    await updateMetricsFile(path, randomBytes(6).toString('hex'), (previous) =>
      'exitCode' in ended
        ? listFailedSamples(ended.exitCode, ended.seconds, previous)
        : ended.flatMap((outcome) => listSamples(outcome, previous)),
    )
  } catch (error) {
    const { code, message } = toCatalogueError(error)
    logEvent(terminal, { level: 'error', event: 'metrics.failed', code, message }, () => `--metrics: ${message}`)
  }
}

async function react(
  document: unknown,
  exitCode: number,
  { onFailure: command }: RunCommandOptions,
  terminal: Terminal,
): Promise<void> {
  if (command === undefined || exitCode === exitCodes.published) return
  // Loading it takes time that runs without failures don't pay.
  const { runFailureHook } = await import('../log/failure-hook.ts')
  await runFailureHook({ command, document, exitCode }, terminal)
}

/** Two pipelines of one call must neither write the same files nor read the same input. */
function checkApart(plans: readonly PipelinePlan[]): void {
  const owners = new Map<string, string>()
  for (const plan of plans) {
    const paths = [...plan.outputs.files, plan.report.rejects, plan.report.manifest].map(({ path }) => path)
    for (const path of paths) {
      const owner = owners.get(resolve(path))
      if (owner !== undefined)
        throw notApart(
          [owner, plan.name],
          'outputs apart',
          `"${path}" from both`,
          'Give one of them another name, or other paths.',
        )
    }
    for (const path of paths) owners.set(resolve(path), plan.name)
  }
  const readers = plans.filter(({ source }) => source.kind === 'files' && source.files.includes('-'))
  if (readers.length > 1) {
    const names = readers.map(({ name }) => name)
    throw notApart(names, 'one at most to read standard input', `${names.length}`, 'Run them one by one.')
  }
}

function notApart(names: readonly string[], expected: string, got: string, fix: string): CatalogueError {
  const message = `${names.join(' and ')}: expected ${expected}, got ${got}`
  return new CatalogueError('CONFIG_INVALID', message, { outputs: 'Nothing was read, nothing was published.', fix })
}
