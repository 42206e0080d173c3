import { splitOutputPath } from '../loads/files/part-paths.ts'
import type { FilePlan } from '../plan/outputs/file-plan.ts'
import { joinPath } from '../storage/paths.ts'

export function planPathOf(folder: string): string {
  return joinPath(folder, 'plan.json')
}

/** The stages of a plan. The ids come before the rows, if `duplicates` needs them. */
export type ShardStage = 'rows' | 'ids'

/** `PLAN/attempts/00017-4f…`: the folder of one attempt. */
export function attemptFolder(plan: string, stage: ShardStage, shard: number, token: string): string {
  return joinPath(attemptsFolder(plan, stage), `${formatShard(shard)}-${token}`)
}

export function attemptsFolder(plan: string, stage: ShardStage): string {
  return joinPath(plan, stage === 'rows' ? 'attempts' : 'ids')
}

export function formatShard(shard: number): string {
  return String(shard).padStart(5, '0')
}

/** The name of an attempt's result, which is published last. */
export const resultName = 'shard.json'

/** The path of a shard's part of an output: `out/products/part-00017.parquet` of `out/products.parquet`. */
export function toShardPath(path: string, shard: number): string {
  const { folder, stem, ending } = splitOutputPath(path)
  return `${folder}${stem}/part-${formatShard(shard)}${ending}`
}

/** An output as shards publish it: one file for each shard, named by `toShardPath`. */
export function toShardedFile(file: FilePlan): FilePlan {
  const { folder, stem, ending } = splitOutputPath(file.path)
  return { ...file, path: `${folder}${stem}/part${ending}`, rowsPerFile: Number.POSITIVE_INFINITY }
}

/** True for a part of an output, of any shard. In a bucket the name of a part may include its attempt. */
export function isShardPathOf(candidate: string, path: string): boolean {
  const { folder, stem, ending } = splitOutputPath(path)
  const prefix = `${folder}${stem}/part-`
  if (!candidate.startsWith(prefix) || !candidate.endsWith(ending)) return false
  return /^\d{5,}(?:\.run-[\w-]+)?$/.test(candidate.slice(prefix.length, candidate.length - ending.length))
}
