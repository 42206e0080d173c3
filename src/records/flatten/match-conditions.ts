import { compileTest, type FoundCodes } from './condition-test.ts'
import { compilePath } from './read-path.ts'
import type { Condition } from './table-plan.ts'

/**
 * The position of the first condition, in the order written, that a value (a record, or an element of a table's `each`)
 * fails; -1 where it meets them all.
 */
export type FindFailing = (value: unknown, found: FoundCodes) => number

export function compileConditions(conditions: readonly Condition[]): FindFailing {
  const fails = conditions.map(({ steps, otherSteps = [], test }) => {
    const reads = [steps, ...otherSteps].map(compilePath)
    const meets = compileTest(test)
    // All paths are looked at: each may bring a code.
    return (value: unknown, found: FoundCodes) => reads.filter((read) => meets(read(value), found)).length === 0
  })
  return (value, found) => fails.findIndex((fail) => fail(value, found))
}

/** Notes the codes of lists on a line that was rejected: they brought something, if not a record. */
export function compileCodeFinding(conditions: readonly Condition[]): (delivered: unknown, found: FoundCodes) => void {
  const lists = conditions.filter(({ test }) => test.kind === 'listed')
  const findings = lists.map(({ steps, otherSteps = [], test }) => {
    const fields = [steps, ...otherSteps].flatMap(([step]) => (step?.kind === 'field' ? [step.name] : []))
    const meets = compileTest(test)
    return (record: Readonly<Record<string, unknown>>, found: FoundCodes) => {
      for (const field of fields) meets(record[field], found)
    }
  })
  return (delivered, found) => {
    if (findings.length === 0 || typeof delivered !== 'object' || delivered === null) return
    for (const find of findings) find(delivered as Readonly<Record<string, unknown>>, found)
  }
}

/** A condition of a plan, and the table whose elements it is on; null for those on records. */
export interface PlacedCondition {
  readonly table: string | null
  readonly condition: Condition
}

/** Conditions on records, and tables with those on their elements. */
export interface ConditionalPlan {
  readonly where: readonly Condition[]
  readonly tables: readonly { readonly name: string; readonly where: readonly Condition[] }[]
}

/** Every condition in the order in which outcomes count what each leaves out: those on records, then those of each table. */
export function listConditions({ where, tables }: ConditionalPlan): PlacedCondition[] {
  return [
    ...where.map((condition) => ({ table: null, condition })),
    ...tables.flatMap((table) => table.where.map((condition) => ({ table: table.name, condition }))),
  ]
}
