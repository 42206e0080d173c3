import { exitCodes } from '../../errors.ts'
import { checkShards, runShard } from '../../shards/run/run-shard.ts'
import { findShardIndex } from '../../shards/shard-index.ts'
import type { ShardResult } from '../../shards/shard-result.ts'
import { readEnvFiles } from '../env-file.ts'
import { logEvent, type Terminal, writeJson } from '../terminal.ts'
import type { PlanOptions } from './plan-options.ts'
import { watchStdin } from './watch-stdin.ts'

export interface RunShardsOptions extends PlanOptions {
  readonly shard?: readonly number[]
  readonly stage: 'rows' | 'ids'
  readonly workers?: number
  readonly endWithStdin?: true
}

/** Runs shards one after the other, and gives the exit code. */
export async function run(folder: string, options: RunShardsOptions, terminal: Terminal): Promise<number> {
  const env = await readEnvFiles(options.env ?? [], terminal)
  const numbers = options.shard ?? [findShardIndex(env)]
  if (numbers.length > 1) await checkShards(folder, numbers, { env })
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
