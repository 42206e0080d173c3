import { toPlannedEncoding } from '../../engine/run/run-task.ts'
import { listUnique, type UniqueColumn } from '../../kernel/rules/list-unique.ts'
import type { ShardPlan } from '../shard-plan.ts'

export function listUniqueColumns({ pipeline }: Pick<ShardPlan, 'pipeline'>): UniqueColumn[] {
  const { records, rules = [] } = toPlannedEncoding(pipeline)
  return listUnique(rules, records.tables)
}

/** The files of an attempt with the values of these columns, each followed by those of the column's key. */
export function listUniqueFiles(plan: Pick<ShardPlan, 'pipeline'>): string[] {
  return listUniqueColumns(plan).flatMap(({ key }, at) => [
    `unique-${at}.bin`,
    ...key.columns.map((_, part) => `unique-${at}-key-${part}.bin`),
  ])
}
