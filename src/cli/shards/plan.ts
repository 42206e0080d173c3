import { checkSharding } from '../../shards/plan/check-sharding.ts'
import { planShards } from '../../shards/plan/plan-shards.ts'
import { stagesOf } from '../../shards/run-planned.ts'
import type { ShardPlan } from '../../shards/shard-plan.ts'
import { type ConfigOptions, loadPlan } from '../load-pipelines.ts'
import { log, type Terminal, writeJson } from '../terminal.ts'

export interface PlanShardsOptions extends ConfigOptions {
  readonly to: string
  readonly bytes?: number
  readonly json?: true
}

/** Writes a plan, and logs what it is and what follows. */
export async function plan(file: string, options: PlanShardsOptions, terminal: Terminal): Promise<void> {
  const checked = { ...options, needsService: true, checkPlan: checkSharding }
  const { plan: pipeline, env } = await loadPlan(file, checked, terminal)
  const { to, bytes } = options
  const made = await planShards(pipeline, { to, bytes, env })
  if (options.json) return writeJson(terminal, toPlanJson(made, to))
  const size = made.shards.reduce((sum, shard) => sum + shard.bytes, 0)
  const files = made.shards.flatMap(({ segments }) => segments).filter(({ from }) => from === 0).length
  log(
    terminal,
    `${pipeline.name}: ${made.shards.length} shards of ${files} files (${formatSize(size)}), plan ${made.planId.slice(0, 8)} in ${to}`,
  )
  for (const line of listNext(made, to)) log(terminal, `  ${line}`)
}

function formatSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
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
