import { toPlannedEncoding } from '../../engine/run/run-task.ts'
import { listUnique, type UniqueColumn } from '../../profile/rules/list-unique.ts'
import type { ShardPlan } from '../shard-plan.ts'

/** The columns of a plan that are to be unique, in the order of their rules. */
export function listUniqueColumns({ pipeline }: Pick<ShardPlan, 'pipeline'>): UniqueColumn[] {
  const { records, rules = [] } = toPlannedEncoding(pipeline)
  return listUnique(rules, records.tables)
}

/** The files of an attempt that hold their values, each followed by those of its key. */
export function listUniqueFiles(plan: Pick<ShardPlan, 'pipeline'>): string[] {
  return listUniqueColumns(plan).flatMap(({ key }, at) => [
    `unique-${at}.bin`,
    ...key.columns.map((_, part) => `unique-${at}-key-${part}.bin`),
  ])
}
