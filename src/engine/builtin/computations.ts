import type { BuiltinName, BuiltinPlan } from '../../records/flatten/table-plan.ts'
import { CodesComputation } from './codes.ts'
import { DuplicatesComputation } from './duplicates.ts'
import type { Computation } from './computation.ts'

const computations: Readonly<Record<BuiltinName, new (plan: BuiltinPlan) => Computation>> = {
  codes: CodesComputation,
  duplicates: DuplicatesComputation,
}

export function openComputation(plan: BuiltinPlan): Computation {
  return new computations[plan.name](plan)
}
