import type { Contract, ContractName } from '../contracts/contracts.ts'
import type { Field } from '../contracts/fields.ts'
import type { Column, Row } from './flatten/column.ts'
import type { ColumnPlan, TablePlan } from './flatten/table-plan.ts'

/** The columns of the table of records. `updated_at` is null if the contract has no cursor. */
export const recordColumns: readonly Column[] = [
  { name: 'id', type: { kind: 'text' }, list: false },
  { name: 'content_hash', type: { kind: 'text' }, list: false },
  { name: 'updated_at', type: { kind: 'timestamp' }, list: false },
  { name: 'status', type: { kind: 'text' }, list: false },
  { name: 'replacement', type: { kind: 'text' }, list: false },
]

/** No table of a config can have this name. */
export const recordTableName = '_records'

/**
 * The table of a load that has one row a record: a run compares it with what earlier ones published. `cursor` is the path of
 * the timestamp of the last change: fields alone, null if the contract has none.
 */
export function toRecordTable(
  { name, fields, extra }: Pick<Contract, 'name' | 'fields' | 'extra'>,
  cursor: string | null,
): TablePlan {
  const contract = { contract: name as ContractName, ...(extra && { extra }) }
  const sources: readonly Pick<ColumnPlan, 'from' | 'source'>[] = [
    readField(fields, 'id'),
    { from: '$', source: { kind: 'contentHash', ...contract, without: cursor } },
    readField(fields, cursor ?? ''),
    readField(fields, 'status'),
    readField(fields, 'replacement'),
  ]
  const columns = sources.map((source, at): ColumnPlan => ({ ...recordColumns[at]!, ...source }))
  return { name: recordTableName, each: [], columns, where: [] }
}

/**
 * Why a record has no rows in the tables of a load. `filtered`: it came, but no longer meets the conditions of the config,
 * and so is removed; its content hash is null. `rejected`: a line of it broke its contract, so that its content is not
 * known, and the published rows stay; its content hash is empty text. Beside another row of the same id, a `rejected` one
 * means nothing.
 */
export type TombstoneKind = 'filtered' | 'rejected'

/** The row, in the table of records, of a record that has no rows in the other tables. */
export function toTombstoneRow(id: string, kind: TombstoneKind): Row {
  return [id, kind === 'filtered' ? null : '', null, null, null]
}

/** A field that the contract does not have, or not as a scalar, is null in every row. */
function readField(fields: ReadonlyMap<string, Field>, path: string): Pick<ColumnPlan, 'from' | 'source'> {
  const names = path.split('.')
  const field = names.reduce<Field | undefined>(
    (inner, name, at) => (at === 0 ? fields.get(name) : inner?.kind === 'object' ? inner.fields.get(name) : undefined),
    undefined,
  )
  if (field?.kind !== 'scalar') return { from: path, source: { kind: 'nothing' } }
  const steps = names.map((name) => ({ kind: 'field' as const, name }))
  return { from: path, source: { kind: 'path', steps, delivered: field.type, unitScale: 0 } }
}
