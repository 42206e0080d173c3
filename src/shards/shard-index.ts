import { CatalogueError } from '../errors.ts'
import type { RequiredContext } from '../run-context.ts'

/** Variables in which schedulers number the tasks of an array, from 0. */
const indexVariables = [
  'JOB_COMPLETION_INDEX',
  'AWS_BATCH_JOB_ARRAY_INDEX',
  'CLOUD_RUN_TASK_INDEX',
  'SLURM_ARRAY_TASK_ID',
] as const

/** The number of the shard that the environment asks for. Throws USAGE if no variable or several are set. */
export function findShardIndex(env: RequiredContext<'env'>['env']): number {
  const set = indexVariables.filter((name) => (env[name] ?? '') !== '')
  const [name, ...others] = set
  if (name === undefined) {
    const message = `expected --shard N, or one of ${indexVariables.join(', ')}, got none`
    throw new CatalogueError('USAGE', message)
  }
  if (others.length > 0)
    throw new CatalogueError('USAGE', `expected --shard N, as several variables are set: ${set.join(', ')}`)
  const text = env[name] ?? ''
  if (!/^\d+$/.test(text)) throw new CatalogueError('USAGE', `${name}: expected the number of a shard, got "${text}"`)
  return Number(text)
}
