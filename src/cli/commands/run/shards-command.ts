import { InvalidArgumentError } from 'commander'
import type { RunContext } from '../../../run-context.ts'
import { formatNumbers } from '../../../shards/commit/choose-attempts.ts'
import { commitShards } from '../../../shards/commit/commit-shards.ts'
import { resolveIds } from '../../../shards/ids/resolve-ids.ts'
import { checkSharding } from '../../../shards/plan/check-sharding.ts'
import { planShards } from '../../../shards/plan/plan-shards.ts'
import { type PlanStatus, readPlanStatus, stagesOf } from '../../../shards/run-planned.ts'
import { checkShards, runShard } from '../../../shards/run/run-shard.ts'
import { findShardIndex } from '../../../shards/shard-index.ts'
import type { ShardPlan } from '../../../shards/shard-plan.ts'
import type { ShardResult } from '../../../shards/shard-result.ts'
import { type CommandGroup, defineCommand } from '../../command.ts'
import { readEnvFiles } from '../../env-file.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, flag, option, required, withDefault } from '../../parameter.ts'
import { renderReport } from '../../render/render-report.ts'
import { configOptions, envOption, fromOption, logOption, toBytes, wait, workersOption } from '../../shared-options.ts'
import { colorsFor, log, logEvent, print, type Terminal, writeJson } from '../../terminal.ts'
import { formatCount } from '../../../text/format-count.ts'

const planFolder = 'the folder of the plan, or s3://bucket/prefix'

const plan = defineCommand({
  description: 'Divides the files of a config into shards, and writes the plan that every machine reads.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    ...fromOption,
    to: required(option('<plan>', `${planFolder}, which every machine sees`)),
    bytes: option('<size>', 'size of a shard, as its files are on disk; default 512MB', toBytes),
    json: flag('write the plan as JSON'),
  },
  examples: ['catalogue-etl shards plan archive.yaml --to s3://bucket/plan --bytes 1GB'],
  async run({ config, to, bytes, json, ...options }, terminal) {
    const checked = { ...options, needsService: true, checkPlan: checkSharding }
    const { plan: pipeline, env } = await loadPlan(config, checked, terminal)
    const made = await planShards(pipeline, { to, bytes, env })
    if (json) return writeJson(terminal, toPlanJson(made, to))
    const size = made.shards.reduce((sum, shard) => sum + shard.bytes, 0)
    const files = made.shards.flatMap(({ segments }) => segments).filter(({ from }) => from === 0).length
    log(
      terminal,
      `${pipeline.name}: ${made.shards.length} shards of ${files} files (${formatSize(size)}), plan ${made.planId.slice(0, 8)} in ${to}`,
    )
    for (const line of listNext(made, to)) log(terminal, `  ${line}`)
  },
})

const run = defineCommand({
  description: 'Runs shards of a plan. What they hold is judged by the commit: rejects fail no shard.',
  arguments: { plan: argument('<plan>', planFolder) },
  options: {
    ...envOption,
    ...logOption,
    shard: option(
      '<numbers>',
      `numbers and ranges such as 3,7-9, from 0 on; default that of the scheduler's array`,
      toNumbers,
    ),
    stage: withDefault(
      choice('<stage>', 'ids for what duplicates: last or reject needs first', ['rows', 'ids']),
      'rows',
    ),
    ...workersOption('threads that validate and encode, see run'),
    endWithStdin: { ...flag('end when standard input ends: the caller is gone'), isHidden: true },
    json: flag('write the results as JSON'),
  },
  examples: ['catalogue-etl shards run /shared/plan --shard 17'],
  after: `Exit codes: 0 the shard has a result (also with rejects, an incomplete or a damaged file: the commit
judges them), 2 usage or another plan: a repetition ends in the same way; 1, 4, 5 and 130 may be
better elsewhere or later.`,
  async run({ plan: from, stage, workers, endWithStdin, json, ...options }, terminal) {
    const env = await readEnvFiles(options.env ?? [], terminal)
    const numbers = options.shard ?? [findShardIndex(env)]
    if (numbers.length > 1) await checkShards(from, numbers, { env })
    const caller = endWithStdin ? watchStdin(terminal) : null
    const signal = caller?.signal ?? terminal.signal
    const results: ShardResult[] = []
    try {
      for (const number of numbers) {
        const result = await runShard(from, number, { stage, workers, env, signal })
        results.push(result)
        logResult(result, terminal)
      }
    } finally {
      caller?.stop()
    }
    if (json) writeJson(terminal, { ok: true, shards: results.map(toResultJson) })
  },
})

const resolve = defineCommand({
  description: 'Finds which lines repeat an id, once the stage ids of all shards has been run.',
  arguments: { plan: argument('<plan>', planFolder) },
  options: { ...envOption, json: flag('write the outcome as JSON') },
  examples: ['catalogue-etl shards resolve /shared/plan'],
  async run({ plan: from, json, ...options }, terminal) {
    const env = await readEnvFiles(options.env ?? [], terminal)
    const resolution = await resolveIds(from, { env, signal: terminal.signal })
    const repeatedIds = resolution?.repeatedIds ?? null
    if (json) return writeJson(terminal, { ok: true, plan: from, repeatedIds })
    const text =
      repeatedIds === null
        ? 'the pipeline keeps repeated ids: there is nothing to resolve'
        : `${formatCount(repeatedIds)} lines repeat an id and are left out`
    log(terminal, text)
  },
})

const status = defineCommand({
  description: 'Shows which shards of a plan have been run, and why others failed.',
  arguments: { plan: argument('<plan>', planFolder) },
  options: { ...envOption, json: flag('write the state as JSON') },
  examples: ['catalogue-etl shards status /shared/plan'],
  async run({ plan: from, json, ...options }, terminal) {
    const found = await readPlanStatus(from, { env: await readEnvFiles(options.env ?? [], terminal) })
    if (json) writeJson(terminal, toStatusJson(found, from))
    else print(terminal, renderStatus(found))
  },
})

const commit = defineCommand({
  description:
    'Adds up all shards, checks the totals as a run does, and publishes them together, or publishes nothing.',
  arguments: { plan: argument('<plan>', planFolder) },
  options: {
    ...envOption,
    ...logOption,
    prune: flag('remove files that an earlier config of the pipeline left, once the new ones are in place'),
    keep: flag('keep what the attempts have written, which nothing needs any more'),
    wait: wait('wait for another run of the pipeline to end, 10m at most for instance'),
    json: flag('write the report as JSON'),
  },
  examples: ['catalogue-etl shards commit /shared/plan'],
  async run({ plan: from, json, ...options }, terminal) {
    const { signal, stderr } = terminal
    const env = await readEnvFiles(options.env ?? [], terminal)
    const onWarning: RunContext['onWarning'] = (message, about) => {
      if (about?.isReported !== true) log(terminal, message)
    }
    const { report, wasPublished } = await commitShards(from, { ...options, env, signal, onWarning })
    if (json) writeJson(terminal, { ok: true, wasPublished, report })
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
  },
})

export const shardsCommand: CommandGroup = {
  description: 'Runs a pipeline in shards, on any number of machines: plan, run each shard, commit.',
  examples: ['catalogue-etl shards status /shared/plan'],
  after: `In their order:
  $ catalogue-etl shards plan archive.yaml --to /shared/plan
  $ for n in 0 1 2 3; do catalogue-etl shards run /shared/plan --shard $n; done
  $ catalogue-etl shards commit /shared/plan`,
  commands: { plan, run, resolve, status, commit },
}

function formatSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

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

/** More than any plan has, so that a typing error makes no huge list. */
const mostShards = 1_000_000

function toNumbers(text: string): number[] {
  const ranges = text.split(',').map((range) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range))
  const numbers = ranges.flatMap((range) => {
    const from = Number(range?.[1])
    const to = Number(range?.[2] ?? range?.[1])
    if (range === null || to < from || to - from >= mostShards)
      throw new InvalidArgumentError('Expected numbers and ranges such as 3,7-9, from 0 on.')
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
  return [...new Set(numbers)]
}

/** Aborts at the end of standard input: a killed caller has no other way to stop what it started. */
function watchStdin({ stdin, signal }: Pick<Terminal, 'stdin' | 'signal'>): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const ending = new AbortController()
  const end = (): void => ending.abort(new Error('standard input has ended'))
  for (const event of ['end', 'close', 'error']) stdin.once(event, end)
  // Only the end of the input matters.
  stdin.resume()
  const stop = (): void => {
    for (const event of ['end', 'close', 'error']) stdin.off(event, end)
    // An open input would keep the process running.
    stdin.destroy()
  }
  return { signal: AbortSignal.any([signal, ending.signal]), stop }
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
  const counts = `${formatCount(lines)} lines, ${formatCount(accepted)} accepted, ${formatCount(rejected)} rejected`
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

function toStatusJson({ plan: { planId, shards, pipeline }, stages, published }: PlanStatus, folder: string) {
  return { ok: true, plan: folder, planId, pipeline: pipeline.name, shards: shards.length, published, stages }
}

function renderStatus({ plan: { planId, shards, pipeline, createdAt }, stages, published }: PlanStatus): string {
  const title = `${pipeline.name}  ${shards.length} shards, plan ${planId.slice(0, 8)} of ${createdAt}`
  if (published !== null) return `${title}\n  published ${published}`
  const lines = stages.flatMap(({ stage, finished, failed, missing }) => [
    `  ${stage.padEnd(8)}  ${finished.length} finished, ${failed.length} failed, ${missing.length} missing${missing.length === 0 ? '' : `: ${formatNumbers(missing)}`}`,
    ...failed.map(({ shard, host, code, message }) => `            shard ${shard} on ${host}: ${code} ${message}`),
  ])
  return [title, ...lines].join('\n')
}
