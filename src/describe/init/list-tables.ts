import { contracts, type ContractName } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import { formatEach, planTables } from '../../plan/records/plan-tables.ts'

export interface TableChoice {
  readonly name: string
  /** The list whose elements are the rows, such as `photos[]`; null if each record is a row. */
  readonly each: string | null
}

/** Lists a contract's tables in the order of a config without `tables`. */
export function listTables(contract: ContractName): TableChoice[] {
  const { tables } = planTables(contracts[contract], undefined, [])
  return tables.map(({ name, each }) => ({ name, each: each.length === 0 ? null : formatEach(each) }))
}

export function hasLocales(contract: ContractName): boolean {
  return [...contracts[contract].fields.values()].some(isLocalized)
}

function isLocalized(field: Field): boolean {
  if (field.kind === 'localized') return true
  if (field.kind === 'list') return isLocalized(field.element)
  return field.kind === 'object' && [...field.fields.values()].some(isLocalized)
}
