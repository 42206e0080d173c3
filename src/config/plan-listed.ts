import type { Contract } from '../contracts/contracts.ts'
import { toComparableCode } from '../records/comparable-code.ts'
import type { Condition, Step } from '../records/table-plan.ts'
import { listIdentifierFields } from '../service/identifier-fields.ts'
import type { IdentifierFile } from './plan-source-ids.ts'
import { toRoot } from './plan-tables.ts'

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

/** Where records have what a filter key of identifiers asks for: single values and lists of them. */
export function listIdentifierPaths(contract: Contract, key: string): Step[][] {
  const root = toRoot(contract)
  if (root.kind !== 'object') return []
  return listIdentifierFields(key).flatMap((name): Step[][] => {
    const field = root.fields.get(name)
    if (field?.kind === 'scalar') return [[{ kind: 'field', name }]]
    return field?.kind === 'list' && field.element.kind === 'scalar' ? [[{ kind: 'field', name }, { kind: 'all' }]] : []
  })
}
