import type { Contract } from '../../contracts/contracts.ts'
import { toComparableCode } from '../../records/flatten/comparable-code.ts'
import type { Condition } from '../../records/flatten/table-plan.ts'
import { listIdentifierPaths } from './plan-list-key.ts'
import type { IdentifierFile } from './plan-source-ids.ts'

/** The condition that a record of a file has one of the identifiers of a list. */
export function planListed({ counts, identifiers }: IdentifierFile, contract: Contract): Condition {
  const [steps = [], ...otherSteps] = listIdentifierPaths(contract, counts.field)
  return {
    from: counts.field,
    steps,
    ...(otherSteps.length > 0 && { otherSteps }),
    test: { kind: 'listed', codes: identifiers.map(({ code }) => toComparableCode(code)) },
    by: 'sourceIds',
    shown: `${identifiers.length.toLocaleString('en')} ${identifiers.length === 1 ? 'identifier' : 'identifiers'} of ${counts.file}`,
  }
}
