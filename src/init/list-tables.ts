import { contracts, type ContractName } from '../contracts/contracts.ts'
import type { Field } from '../contracts/fields.ts'
import { formatEach, planTables } from '../plan/records/plan-tables.ts'

export interface TableChoice {
  readonly name: string
  /** The list of which each element is a row: `photos[]`; null for the table with a row a record. */
  readonly each: string | null
}

/** Every table of a contract, in the order in which a config without `tables` has them. */
export function listTables(contract: ContractName): TableChoice[] {
  const { tables } = planTables(contracts[contract], undefined, [])
  return tables.map(({ name, each }) => ({ name, each: each.length === 0 ? null : formatEach(each) }))
}

/** True if a field has a text a locale, which becomes a column for each. */
export function hasLocales(contract: ContractName): boolean {
  return [...contracts[contract].fields.values()].some(isLocalized)
}

function isLocalized(field: Field): boolean {
  if (field.kind === 'localized') return true
  if (field.kind === 'list') return isLocalized(field.element)
  return field.kind === 'object' && [...field.fields.values()].some(isLocalized)
}
