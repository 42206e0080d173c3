import { resolve } from 'node:path'
import { CatalogueError, exitCodes, toCatalogueError } from '../../../errors.ts'
import {
  listUnchecked,
  loadPipelines,
  requirePlans,
  toFailureDocument,
  type LoadedPipeline,
} from '../../load-pipelines.ts'
import { runOptions, type RunInput, sparkOptionNames } from './run-options.ts'
import { listUnapplied } from '../../render/list-unapplied.ts'
import { defineCommand } from '../../command.ts'
import type { CallEnd } from '../../log/tell-outcome.ts'
import { argument } from '../../parameter.ts'
import { toRunDocument, runPipelines, type RunOutcome, type Runnable } from '../../run-pipelines.ts'
import { writeJson, type Terminal } from '../../terminal.ts'

export const runCommand = defineCommand({
  description: 'Runs pipelines: reads, validates, flattens and publishes, or publishes nothing.',
  otherNames: [
    'convert',
    'export',
    'import',
    'start',
    'execute',
    'exec',
    'transform',
    'load',
    'etl',
    'process',
    'publish',
  ],
  arguments: {
    files: argument('<config...>', 'YAML, JSON, .ts or .js files; or an export, which runs as `init` would write it'),
  },
  options: runOptions,
  examples: [
    'catalogue-etl run export.ndjson',
    'catalogue-etl run pipelines/products.yaml --set rejects.limit=0 --out /data/catalogue',
    'catalogue-etl run pipelines/products.yaml --from data/products.ndjson.gz',
    'catalogue-etl run archive.yaml --engine spark --master spark://spark.example.com:7077',
    'catalogue-etl run products.yaml brands.yaml --parallel 2 --wait 10m --metrics /var/lib/metrics/catalogue.prom',
  ],
  after: `Exit codes: 0 published, 1 unexpected failure, 2 usage, config, or an output that is refused, 3 more
rejects or removals than the limits allow, 4 source failed or incomplete, 5 an output could not be
written now, 6 another run of the pipeline has the lock, 130 interrupted. All but 0 publish nothing.
Of several pipelines it is the worst: 130, 1, 2, 5, 3, 4, 6, 0.`,
  async run({ pageOnly, ...input }, terminal) {
    if (pageOnly !== true) return runAndReport(input, terminal)
    const { rewritePage } = await import('../look/report-command.ts')
    for (const config of input.files) await rewritePage({ ...input, config }, terminal)
    return exitCodes.published
  },
})

/** Runs all pipelines, and reports to scripts, the metrics file and the hook. */
export async function runAndReport(options: RunInput, terminal: Terminal): Promise<number> {
  const { metrics, json } = options
  let outcomes: RunOutcome[]
  try {
    if (metrics !== undefined) await (await loadTelling()).checkMetricsPath(metrics)
    checkSharded(options)
    checkAsOf(options)
    outcomes = await runPipelines(await loadRunnables(options, terminal), options, terminal)
  } catch (thrown) {
    const error = toCatalogueError(thrown)
    const { exitCode } = error
    await tell({ exitCode, document: toFailureDocument(error), outcomes: null }, options, terminal)
    throw error
  }
  const document = toRunDocument(outcomes)
  const { exitCode } = document
  await tell({ exitCode, document, outcomes }, options, terminal)
  if (json) writeJson(terminal, document)
  return exitCode
}

async function tell(end: CallEnd, options: RunInput, terminal: Terminal): Promise<void> {
  const { metrics, onFailure } = options
  if (metrics === undefined && (onFailure === undefined || end.exitCode === exitCodes.published)) return
  const { tellOutcome } = await loadTelling()
  await tellOutcome(end, options, terminal)
}

/** Loaded on demand: most calls have neither metrics nor a hook. */
function loadTelling() {
  return import('../../log/tell-outcome.ts')
}

/** Checks options that conflict with shards: a plan of shards belongs to one pipeline and all of its records. */
function checkSharded(options: RunInput): void {
  const { files, engine, plan, limit, fullRefresh, workers } = options
  const alone = sparkOptionNames.find((name) => options[name] !== undefined)
  if (engine === undefined && alone !== undefined)
    throw new CatalogueError('USAGE', `expected --engine spark with --${alone}, got no engine`)
  const named = engine === undefined ? '--plan' : `--engine ${engine}`
  if (engine === undefined && plan === undefined) return
  if (files.length > 1) throw new CatalogueError('USAGE', `expected one config with ${named}, got ${files.length}`)
  const other = limit === undefined ? fullRefresh && '--full-refresh' : '--limit'
  if (other) throw new CatalogueError('USAGE', `expected ${named} without ${other}, as a plan says what is read`)
  if (engine !== undefined && workers !== undefined) throw new CatalogueError('USAGE', noWorkers)
}

const noWorkers =
  'expected --engine spark without --workers: each task has spark.task.cpus - 1, or CATALOGUE_WORKERS of its machine'

/** Checks options that conflict with a history, which is read in place of a source. */
function checkAsOf({ asOf, out, from, limit, fullRefresh, prune, plan, engine, contract }: RunInput): void {
  if (asOf === undefined) return
  const fix = 'For instance `catalogue-etl run nightly.yaml --as-of 2026-10-01 --out as-it-was`.'
  if (out === undefined)
    throw new CatalogueError('USAGE', 'expected --out DIR with --as-of, for the tables as they were, got none', { fix })
  const others = {
    from,
    limit,
    'full-refresh': fullRefresh || undefined,
    prune: prune || undefined,
    plan,
    engine,
    contract,
  }
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (other === undefined) return
  throw new CatalogueError('USAGE', `expected --as-of without --${other}, as a history is read and no source`, { fix })
}

async function loadRunnables(options: RunInput, terminal: Terminal): Promise<Runnable[]> {
  const { files, asOf, from } = options
  const isOfSource = asOf === undefined
  const needs = { needsService: isOfSource, needsDatabases: isOfSource, takesExports: isOfSource }
  const loaded = await loadPipelines(files, { ...options, ...needs }, terminal)
  const plans = requirePlans(loaded, terminal)
  checkApart(plans)
  const own = isOfSource ? [] : await loadPipelines(files, { ...options, ...needs, out: undefined }, terminal)
  return plans.map((plan, at) => {
    const read = loaded[at]!
    const listNotes = () => listRunNotes(read, from)
    return { file: read.file, plan, own: own[at]?.plan ?? undefined, env: read.env, listNotes }
  })
}

async function listRunNotes(loaded: LoadedPipeline, from: RunInput['from']): Promise<string[]> {
  return [...listUnchecked(loaded), ...(await listUnapplied(loaded, from))]
}

/** Throws if two pipelines of one call write the same files or read the same input. */
function checkApart(plans: readonly Runnable['plan'][]): void {
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
  return new CatalogueError('CONFIG_INVALID', message, { outputs: 'Nothing was read, nothing was saved.', fix })
}
