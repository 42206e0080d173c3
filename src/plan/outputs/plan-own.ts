import { moduleOf } from '../../config/own-code.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import type { OutputConfig, OwnOutputConfig } from '../../config/schemas/output-schema.ts'
import { isOfList, type TablePlan } from '../../records/flatten/table-plan.ts'
import { withoutFile } from '../records/plan-computed.ts'
import type { OwnOutputPlan } from './own-output-plan.ts'

/** Plans an output of the config's own for its tables; null if its function is not there. */
export function planOwn({ name, open }: OwnOutputConfig, tables: readonly number[]): OwnOutputPlan | null {
  if (typeof open !== 'function') return null
  const module = moduleOf(open)
  return { name, tables, ...(module && { module }), open }
}

/** Problems of an output of the config's own, beside those of its shape. */
export function checkOwn(
  output: OwnOutputConfig,
  earlier: readonly OutputConfig[],
  tables: readonly Pick<TablePlan, 'name' | 'columns'>[],
  path: Problem['path'],
): Problem[] {
  const problems: Problem[] = []
  if (typeof output.open !== 'function') problems.push(problemAt([...path, 'open'], withoutFile('function')))
  if (earlier.some((other) => other.format === 'own' && other.name === output.name)) {
    const message = `name: expected another one than that of an output above, got "${output.name}"`
    problems.push(problemAt([...path, 'name'], message))
  }
  const listed = tables.find(isOfList)
  if (listed !== undefined) {
    const message = `expected tables whose rows come as they are read, got "${listed.name}", which has a row a line of a list: leave it out with tables, or leave out order: list and keep`
    problems.push(problemAt([...path, 'tables'], message))
  }
  return problems
}
