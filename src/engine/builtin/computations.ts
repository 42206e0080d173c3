import type { BuiltinName, BuiltinPlan } from '../../records/flatten/table-plan.ts'
import { CodesComputation } from './codes.ts'
import { DuplicatesComputation } from './duplicates.ts'
import type { Computation } from './computation.ts'

/** Of a history, whose rows the merge of files computes. */
class NothingOfARun implements Computation {
  add(): void {}

  compute(): Iterable<Buffer> {
    return []
  }
}

const computations: Readonly<Record<BuiltinName, new (plan: BuiltinPlan) => Computation>> = {
  codes: CodesComputation,
  duplicates: DuplicatesComputation,
  price_periods: NothingOfARun,
}

export function openComputation(plan: BuiltinPlan): Computation {
  return new computations[plan.name](plan)
}
