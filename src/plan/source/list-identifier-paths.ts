import type { Contract } from '../../contracts/contracts.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { listIdentifierFields } from '../../api/identifier-fields.ts'
import { toRoot } from '../records/plan-tables.ts'

/** The places in a record of what a filter key of identifiers asks for: single values and lists of them. */
export function listIdentifierPaths(contract: Contract, key: string): Step[][] {
  const root = toRoot(contract)
  if (root.kind !== 'object') return []
  return listIdentifierFields(key).flatMap((name): Step[][] => {
    const field = root.fields.get(name)
    if (field?.kind === 'scalar') return [[{ kind: 'field', name }]]
    return field?.kind === 'list' && field.element.kind === 'scalar' ? [[{ kind: 'field', name }, { kind: 'all' }]] : []
  })
}
