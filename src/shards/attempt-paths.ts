import { splitOutputPath } from '../loads/files/part-paths.ts'
import type { FilePlan } from '../plan/outputs/file-plan.ts'
import { joinPath } from '../storage/paths.ts'

/** The path of the plan in its folder. */
export function planPathOf(folder: string): string {
  return joinPath(folder, 'plan.json')
}

/** The stages of a plan: the rows, and before them the ids where `duplicates` needs them. */
export type ShardStage = 'rows' | 'ids'

/** `PLAN/attempts/00017-4f…`: the folder of one attempt. */
export function attemptFolder(plan: string, stage: ShardStage, shard: number, token: string): string {
  return joinPath(attemptsFolder(plan, stage), `${formatShard(shard)}-${token}`)
}

export function attemptsFolder(plan: string, stage: ShardStage): string {
  return joinPath(plan, stage === 'rows' ? 'attempts' : 'ids')
}

/** `00017` */
export function formatShard(shard: number): string {
  return String(shard).padStart(5, '0')
}

/** The name of an attempt's result, which appears last. */
export const resultName = 'shard.json'

/** The place of a shard's part of an output: `out/products/part-00017.parquet` of `out/products.parquet`. */
export function toShardPath(path: string, shard: number): string {
  const { folder, stem, ending } = splitOutputPath(path)
  return `${folder}${stem}/part-${formatShard(shard)}${ending}`
}

/** An output as its shards publish it: as many files as there are shards, which `toShardPath` names. */
export function toShardedFile(file: FilePlan): FilePlan {
  const { folder, stem, ending } = splitOutputPath(file.path)
  return { ...file, path: `${folder}${stem}/part${ending}`, rowsPerFile: Number.POSITIVE_INFINITY }
}

/** The parts of an output of any shard, as `toShardPath` names them; those of a bucket also with the name of their attempt. */
export function isShardPathOf(candidate: string, path: string): boolean {
  const { folder, stem, ending } = splitOutputPath(path)
  const prefix = `${folder}${stem}/part-`
  if (!candidate.startsWith(prefix) || !candidate.endsWith(ending)) return false
  return /^\d{5,}(?:\.run-[\w-]+)?$/.test(candidate.slice(prefix.length, candidate.length - ending.length))
}
