import { formatNumbers } from '../../shards/commit/choose-attempts.ts'
import { type PlanStatus, readPlanStatus } from '../../shards/run-planned.ts'
import { readEnvFiles } from '../env-file.ts'
import { print, type Terminal, writeJson } from '../terminal.ts'
import type { PlanOptions } from './plan-options.ts'

/** Shows what has been run of a plan. */
export async function showStatus(folder: string, options: PlanOptions, terminal: Terminal): Promise<void> {
  const status = await readPlanStatus(folder, { env: await readEnvFiles(options.env ?? [], terminal) })
  if (options.json) return writeJson(terminal, toStatusJson(status, folder))
  print(terminal, renderStatus(status))
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
