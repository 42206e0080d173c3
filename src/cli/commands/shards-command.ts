import { Command, InvalidArgumentError, Option } from 'commander'
import { exitCodes } from '../../errors.ts'
import { commitShards } from '../../shards/commit/commit-shards.ts'
import { formatNumbers } from '../../shards/commit/choose-attempts.ts'
import { resolveIds } from '../../shards/ids/resolve-ids.ts'
import { planShards } from '../../shards/plan/plan-shards.ts'
import { runShard } from '../../shards/run/run-shard.ts'
import { readPlanStatus, stagesOf, type PlanStatus } from '../../shards/run-planned.ts'
import { findShardIndex } from '../../shards/shard-index.ts'
import type { ShardPlan } from '../../shards/shard-plan.ts'
import type { ShardResult } from '../../shards/shard-result.ts'
import { readEnvFiles } from '../env-file.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { renderReport } from '../render/render-report.ts'
import { colorsFor, log, logEvent, print, writeJson, type Finish, type Terminal } from '../terminal.ts'
import {
  toBytes,
  toWaitMs,
  toWorkers,
  withConfigOptions,
  withEnvFile,
  withFromOption,
  withLogOption,
} from './command-options.ts'
import { watchStdin } from './watch-stdin.ts'

interface PlanShardsOptions extends ConfigOptions {
  readonly to: string
  readonly bytes?: number
  readonly json?: true
}

interface PlanOptions {
  readonly env?: readonly string[]
  readonly json?: true
}

interface RunShardsOptions extends PlanOptions {
  readonly shard?: readonly number[]
  readonly stage: 'rows' | 'ids'
  readonly workers?: number
  readonly endWithStdin?: true
}

interface CommitOptions extends PlanOptions {
  readonly prune?: true
  readonly keep?: true
  readonly wait?: true | number
}

const planArgument = 'the folder of the plan, or s3://bucket/prefix'

export function createShardsCommand(terminal: Terminal, finish: Finish): Command {
  const command = new Command('shards')
    .description('Runs a pipeline in shards, on any number of machines: plan, run each shard, commit.')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl shards plan archive.yaml --to /shared/plan\n  $ seq 0 19 | xargs -P 4 -I N catalogue-etl shards run /shared/plan --shard N\n  $ catalogue-etl shards commit /shared/plan',
    )
  withFromOption(withConfigOptions(command.command('plan')))
    .description('Divides the files of a config into shards, and writes the plan that every machine reads.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .requiredOption('--to <plan>', `${planArgument}, which every machine sees`)
    .option('--bytes <size>', 'size of a shard, as its files are on disk; default 512MB', toBytes)
    .option('--json', 'write the plan as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards plan archive.yaml --to s3://bucket/plan --bytes 1GB')
    .action((file: string, options: PlanShardsOptions) => plan(file, options, terminal))
  withLogOption(withEnvFile(command.command('run')))
    .description('Runs shards of a plan. What they hold is judged by the commit: rejects fail no shard.')
    .argument('<plan>', planArgument)
    .option(
      '--shard <numbers>',
      `numbers and ranges such as 3,7-9, from 0 on; default that of the scheduler's array`,
      toNumbers,
    )
    .addOption(
      new Option('--stage <stage>', 'ids for what duplicates: last or reject needs first')
        .choices(['rows', 'ids'])
        .default('rows'),
    )
    .option('--workers <n>', 'threads that validate and encode, see run', toWorkers)
    .addOption(new Option('--end-with-stdin', 'end when standard input ends: the caller is gone').hideHelp())
    .option('--json', 'write the results as JSON')
    .addHelpText('after', runHelp)
    .action(async (folder: string, options: RunShardsOptions) => finish(await run(folder, options, terminal)))
  withEnvFile(command.command('resolve'))
    .description('Finds which lines repeat an id, once the stage ids of all shards has been run.')
    .argument('<plan>', planArgument)
    .option('--json', 'write the outcome as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards resolve /shared/plan')
    .action((folder: string, options: PlanOptions) => resolve(folder, options, terminal))
  withEnvFile(command.command('status'))
    .description('Shows which shards of a plan have been run, and why others failed.')
    .argument('<plan>', planArgument)
    .option('--json', 'write the state as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards status /shared/plan')
    .action((folder: string, options: PlanOptions) => showStatus(folder, options, terminal))
  withLogOption(withEnvFile(command.command('commit')))
    .description(
      'Adds up all shards, checks the totals as a run does, and publishes them together, or publishes nothing.',
    )
    .argument('<plan>', planArgument)
    .option('--prune', 'remove files that an earlier config of the pipeline left, once the new ones are in place')
    .option('--keep', 'keep what the attempts have written, which nothing needs any more')
    .option('--wait [duration]', 'wait for another run of the pipeline to end, 10m at most for instance', toWaitMs)
    .option('--json', 'write the report as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards commit /shared/plan')
    .action((folder: string, options: CommitOptions) => commit(folder, options, terminal))
  return command
}

const runHelp = `
Example:
  $ catalogue-etl shards run /shared/plan --shard 17

Exit codes: 0 the shard has a result (also with rejects, an incomplete or a damaged file: the commit
judges them), 2 usage or another plan: a repetition ends in the same way; 1, 4, 5 and 130 may be
better elsewhere or later.`

async function plan(file: string, options: PlanShardsOptions, terminal: Terminal): Promise<void> {
  const { plan: pipeline } = await loadPlan(file, { ...options, needsService: true }, terminal)
  const { to, bytes } = options
  const env = await readEnvFiles(options.env ?? [], terminal)
  const made = await planShards(pipeline, { to, bytes, env })
  if (options.json) return writeJson(terminal, toPlanJson(made, to))
  const size = made.shards.reduce((sum, shard) => sum + shard.bytes, 0)
  const files = made.shards.flatMap(({ segments }) => segments).filter(({ from }) => from === 0).length
  log(
    terminal,
    `${pipeline.name}: ${made.shards.length} shards of ${files} files (${(size / 1e9).toFixed(1)} GB), plan ${made.planId.slice(0, 8)} in ${to}`,
  )
  for (const line of listNext(made, to)) log(terminal, `  ${line}`)
}

/** The commands that follow, in their order. */
function listNext(made: ShardPlan, to: string): string[] {
  const numbers = `each N from 0 to ${made.shards.length - 1}`
  const stages = stagesOf(made).flatMap((stage) =>
    stage === 'ids'
      ? [`catalogue-etl shards run ${to} --shard N --stage ids   (${numbers})`, `catalogue-etl shards resolve ${to}`]
      : [`catalogue-etl shards run ${to} --shard N   (${numbers})`],
  )
  return [...stages, `catalogue-etl shards commit ${to}`]
}

function toPlanJson({ planId, shards, ...made }: ShardPlan, to: string) {
  const listed = shards.map(({ number, bytes, segments }) => ({ number, bytes, segments: segments.length }))
  return { ok: true, plan: to, planId, stages: stagesOf(made), shards: listed }
}

async function run(folder: string, options: RunShardsOptions, terminal: Terminal): Promise<number> {
  const env = await readEnvFiles(options.env ?? [], terminal)
  const numbers = options.shard ?? [findShardIndex(env)]
  const caller = options.endWithStdin ? watchStdin(terminal) : null
  const signal = caller?.signal ?? terminal.signal
  const results: ShardResult[] = []
  try {
    for (const number of numbers) {
      const { stage, workers } = options
      const result = await runShard(folder, number, { stage, workers, env, signal })
      results.push(result)
      logResult(result, terminal)
    }
  } finally {
    caller?.stop()
  }
  if (options.json) writeJson(terminal, { ok: true, shards: results.map(toResultJson) })
  return exitCodes.published
}

function logResult(result: ShardResult, terminal: Terminal): void {
  const { shard, attempt, facts, failure } = result
  const seconds = (Date.parse(result.finishedAt) - Date.parse(result.startedAt)) / 1000
  if (failure !== null) {
    const text = `shard ${shard}: failed, which the commit will say: ${failure.code} ${failure.message}`
    return logEvent(
      terminal,
      { level: 'error', event: 'shard.failed', shard, attempt, ...failure, message: text },
      () => text,
    )
  }
  const { lines = 0, accepted = 0, rejected = 0 } = facts?.totals.ledger ?? {}
  const counts = `${lines.toLocaleString('en')} lines, ${accepted.toLocaleString('en')} accepted, ${rejected.toLocaleString('en')} rejected`
  const text = `shard ${shard}: ${counts}, in ${seconds.toFixed(2)} s`
  logEvent(
    terminal,
    { level: 'info', event: 'shard.finished', message: text, shard, attempt, seconds, ledger: facts?.totals.ledger },
    () => text,
  )
}

function toResultJson({ shard, attempt, host, digest, failure, facts, startedAt, finishedAt }: ShardResult) {
  return { shard, attempt, host, startedAt, finishedAt, digest, failure, ledger: facts?.totals.ledger ?? null }
}

async function resolve(folder: string, options: PlanOptions, terminal: Terminal): Promise<void> {
  const resolution = await resolveIds(folder, { env: await readEnvFiles(options.env ?? [], terminal) })
  const repeatedIds = resolution?.repeatedIds ?? null
  if (options.json) return writeJson(terminal, { ok: true, plan: folder, repeatedIds })
  const text =
    repeatedIds === null
      ? 'the pipeline keeps repeated ids: there is nothing to resolve'
      : `${repeatedIds.toLocaleString('en')} lines repeat an id and are left out`
  log(terminal, text)
}

async function showStatus(folder: string, options: PlanOptions, terminal: Terminal): Promise<void> {
  const status = await readPlanStatus(folder, { env: await readEnvFiles(options.env ?? [], terminal) })
  if (options.json) return writeJson(terminal, toStatusJson(status, folder))
  print(terminal, renderStatus(status))
}

function toStatusJson({ plan: { planId, shards, pipeline }, stages }: PlanStatus, folder: string) {
  return { ok: true, plan: folder, planId, pipeline: pipeline.name, shards: shards.length, stages }
}

function renderStatus({ plan: { planId, shards, pipeline, createdAt }, stages }: PlanStatus): string {
  const lines = stages.flatMap(({ stage, finished, failed, missing }) => [
    `  ${stage.padEnd(8)}  ${finished.length} finished, ${failed.length} failed, ${missing.length} missing${missing.length === 0 ? '' : `: ${formatNumbers(missing)}`}`,
    ...failed.map(({ shard, host, code, message }) => `            shard ${shard} on ${host}: ${code} ${message}`),
  ])
  return [`${pipeline.name}  ${shards.length} shards, plan ${planId.slice(0, 8)} of ${createdAt}`, ...lines].join('\n')
}

async function commit(folder: string, options: CommitOptions, terminal: Terminal): Promise<void> {
  const { prune, keep, wait } = options
  const { signal, stderr } = terminal
  const env = await readEnvFiles(options.env ?? [], terminal)
  const onWarning = (message: string): void => log(terminal, message)
  const { report, wasPublished } = await commitShards(folder, { prune, keep, wait, env, signal, onWarning })
  if (options.json) writeJson(terminal, { ok: true, wasPublished, report })
  const message = wasPublished
    ? `${report.pipeline}: this plan is published already, ${report.finishedAt}`
    : `${report.pipeline}: published ${report.ledger.accepted} of ${report.ledger.lines} lines of ${report.plan?.shards ?? 0} shards`
  const event = {
    level: 'info',
    event: 'run.published',
    message,
    pipeline: report.pipeline,
    runId: report.runId,
    ledger: report.ledger,
    manifest: report.manifest,
  } as const
  logEvent(terminal, event, () =>
    wasPublished ? message : renderReport(report, colorsFor(stderr, env), stderr.columns),
  )
}

/** `3,7-9` */
function toNumbers(text: string): number[] {
  const ranges = text.split(',').map((range) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range))
  return ranges.flatMap((range) => {
    const from = Number(range?.[1])
    const to = Number(range?.[2] ?? range?.[1])
    if (range === null || to < from)
      throw new InvalidArgumentError('Expected numbers and ranges such as 3,7-9, from 0 on.')
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
}
