import { objectReading } from '../flatten/read-path.ts'
import { compileCondition, compileTest, type CodeTaker } from './condition-test.ts'
import type { Condition } from './condition.ts'

/**
 * The position of the first condition, in the order written, that a value (a record, or an element of a table's `each`)
 * fails; -1 if it meets them all.
 */
export type FindFailing = (value: unknown, found: CodeTaker) => number

export function compileConditions(conditions: readonly Condition[]): FindFailing {
  const all = conditions.map((condition) => compileCondition(condition, objectReading))
  return (value, found) => all.findIndex((meets) => !meets(value, found))
}

/** Notes the codes of lists on a line that was rejected: they brought something, if not a record. */
export function compileCodeFinding(conditions: readonly Condition[]): (delivered: unknown, found: CodeTaker) => void {
  const alternatives = conditions.flatMap((each) => (each.test.kind === 'any' ? each.test.of.flat() : [each]))
  const findings = alternatives.flatMap(({ steps, otherSteps = [], test }) => {
    if (test.kind !== 'listed') return []
    const fields = [steps, ...otherSteps].flatMap(([step]) => (step?.kind === 'field' ? [step.name] : []))
    const meets = compileTest(test)
    return (record: Readonly<Record<string, unknown>>, found: CodeTaker) => {
      for (const field of fields) meets(record[field], found)
    }
  })
  return (delivered, found) => {
    if (findings.length === 0 || typeof delivered !== 'object' || delivered === null) return
    for (const find of findings) find(delivered as Readonly<Record<string, unknown>>, found)
  }
}

/** Whether a condition leaves out nothing. */
export function isNotedOnly({ test }: Pick<Condition, 'test'>): boolean {
  if (test.kind === 'any') return test.of.every((where) => where.every(isNotedOnly))
  return test.kind === 'noted' || (test.kind === 'listed' && test.isNotedOnly === true)
}

/** A condition as the config has it, such as `where status: active`. */
export function nameCondition({ by, from = '', shown = '' }: Partial<Condition> = {}): string {
  return `${by ?? 'where'} ${from}: ${shown}`
}

/** A condition of a plan, and the table whose elements it is on; null for those on records. */
export interface PlacedCondition {
  readonly table: string | null
  readonly condition: Condition
}

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
