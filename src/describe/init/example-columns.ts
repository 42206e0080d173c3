import { contracts, type ContractName } from '../../contracts/contracts.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { toSnakeCase } from '../../plan/records/plan-columns.ts'
import { formatList } from './yaml-text.ts'

/**
 * Example columns of the main table, one of each kind that the contract has: a code, a name, a price, a date. Empty if
 * only the id would remain.
 */
export function formatColumns(contract: ContractName, locales: readonly string[]): string[] {
  const { fields } = contracts[contract]
  const scalars = [...fields].filter((entry): entry is [string, ScalarField] => isCurrent(entry, 'scalar'))
  const code = scalars.find(([name, field]) => field.length !== undefined && name !== 'id')
  const choice = scalars.find(([, field]) => field.values !== undefined)
  const text = [...fields].find(([, field]) => field.kind === 'localized' && field.element.kind === 'scalar')
  const money = scalars.find(([, field]) => field.money === true)
  const columns = [
    'id',
    ...(code === undefined ? [] : [code[0]]),
    ...(choice === undefined ? [] : [choice[0]]),
    ...(text === undefined ? [] : [formatText(text[0], locales)]),
    ...(money === undefined ? [] : [formatMoney(money[0])]),
    ...(hasUpdatedAt(fields) ? ['{ column: updated_on, from: meta.updatedAt, as: date }'] : []),
  ]
  return columns.length > 1 ? columns : []
}

function isCurrent([, field]: readonly [string, Field], kind: Field['kind']): boolean {
  return field.kind === kind && field.notes.deprecated === undefined
}

function formatText(name: string, [locale = 'nl', ...others]: readonly string[]): string {
  const fallback = others.length === 0 ? '' : `, fallback: ${formatList(others)}`
  return `{ column: ${toSnakeCase(name)}, from: ${name}, locale: ${locale}${fallback} }`
}

function formatMoney(name: string): string {
  return `{ column: ${toSnakeCase(name)}_eur, from: ${name}, as: 'decimal(12,2)', unit: cents }`
}

function hasUpdatedAt(fields: ReadonlyMap<string, Field>): boolean {
  const meta = fields.get('meta')
  return meta?.kind === 'object' && meta.fields.has('updatedAt')
}

/** An example condition such as `{ status: active }`; null if no field has listed values. */
export function formatCondition(contract: ContractName): string | null {
  const choice = [...contracts[contract].fields].find(
    (entry) => isCurrent(entry, 'scalar') && (entry[1] as ScalarField).values !== undefined,
  )
  if (choice === undefined) return null
  const [name, field] = choice
  const [value = ''] = (field as ScalarField).values ?? []
  return `{ ${name}: ${value} }`
}
