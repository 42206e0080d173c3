import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { attemptsFolder, resultName, type ShardStage } from '../attempt-paths.ts'
import type { ShardPlan } from '../shard-plan.ts'
import { parseShardResult, type ShardResult } from '../shard-result.ts'
import { describeDifference } from './describe-difference.ts'

/** An attempt that finished. */
export type FinishedAttempt = ShardResult & { readonly [Member in 'facts' | 'files']: NonNullable<ShardResult[Member]> }

/** The state of every shard in a stage. */
export interface ShardStates {
  /** The attempts that ended, by shard, in the order of their ends. */
  readonly ended: readonly (readonly ShardResult[])[]
  /** Numbers of shards without an attempt that ended. */
  readonly missing: readonly number[]
  /** The last attempt of each shard whose attempts have all failed. */
  readonly failed: readonly ShardResult[]
}

/** Reads the results of all attempts of a stage. Those of other plans don't count. */
export async function readAttempts(
  folder: string,
  { shards, planId }: ShardPlan,
  stage: ShardStage,
  storage: FileStorage,
): Promise<ShardStates> {
  const ended: ShardResult[][] = shards.map(() => [])
  const isOpen = (name: string) => /^\d{5,}-[\w-]+$/.test(name)
  for await (const { path } of storage.list(attemptsFolder(folder, stage), isOpen)) {
    if (!/[\\/]\d{5,}-[\w-]+[\\/]shard\.json$/.test(path) || !path.endsWith(resultName)) continue
    const bytes = await storage.read(path)
    const result = bytes === null ? null : parseShardResult(bytes)
    if (result?.planId === planId) ended[result.shard]?.push(result)
  }
  for (const results of ended) results.sort((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1))
  return {
    ended,
    missing: ended.flatMap((results, shard) => (results.length === 0 ? [shard] : [])),
    failed: ended.flatMap((results) => (results.every(({ facts }) => facts === null) ? results.slice(-1) : [])),
  }
}

/**
 * One finished attempt for each shard. Throws SHARDS_DIFFER where two have different results, SHARDS_INCOMPLETE with every
 * shard that has none.
 */
export async function chooseAttempts(
  folder: string,
  plan: ShardPlan,
  stage: ShardStage,
  storage: FileStorage,
): Promise<FinishedAttempt[]> {
  const states = await readAttempts(folder, plan, stage, storage)
  const finished = states.ended.map((results) => results.filter(isFinished))
  checkAlike(finished)
  if (states.missing.length > 0 || states.failed.length > 0) throw incomplete(folder, plan, stage, states)
  return finished.flatMap(([first]) => first ?? [])
}

export function isFinished(result: ShardResult): result is FinishedAttempt {
  return result.facts !== null && result.files !== null
}

function checkAlike(finished: readonly (readonly FinishedAttempt[])[]): void {
  const differing = finished.filter((attempts) => new Set(attempts.map(({ digest }) => digest)).size > 1)
  if (differing.length === 0) return
  const lines = differing.map((attempts) => {
    const [first, ...others] = attempts as readonly [FinishedAttempt, ...FinishedAttempt[]]
    const other = others.find(({ digest }) => digest !== first.digest) ?? first
    const shown = [first, other].map(({ attempt, host }) => `${attempt} on ${host}`).join(' and ')
    return `shard ${first.shard}: attempts ${shown} differ in ${describeDifference(first.facts, other.facts)}`
  })
  const message = `expected the same result of every attempt of a shard, got others:\n${lines.join('\n')}`
  throw new CatalogueError('SHARDS_DIFFER', message)
}

function incomplete(
  folder: string,
  { pipeline, shards }: ShardPlan,
  stage: ShardStage,
  { missing, failed }: ShardStates,
): CatalogueError {
  const bad = [...missing, ...failed.map(({ shard }) => shard)].toSorted((a, b) => a - b)
  const why = failed.map(
    ({ shard, failure, host }) => `shard ${shard} on ${host}: ${failure?.code} ${failure?.message}`,
  )
  const missed = missing.length === 0 ? [] : [`not run, or not to its end: shard ${formatNumbers(missing)}`]
  const message = `${pipeline.name}: expected ${shards.length} shards, got ${shards.length - bad.length}:\n${[...why, ...missed].join('\n')}`
  const stageOption = stage === 'ids' ? ' --stage ids' : ''
  const fix = `Run these again: \`catalogue-etl shards run ${folder} --shard ${formatNumbers(bad)}${stageOption}\` (as an array of jobs: ${formatNumbers(bad)}), then what follows.`
  return new CatalogueError('SHARDS_INCOMPLETE', message, { fix })
}

/** `3,7-9`: as arrays of Slurm and Kubernetes take it. */
export function formatNumbers(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
