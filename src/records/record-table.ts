import { contracts, type Contract, type ContractName } from '../contracts/contracts.ts'
import type { Field } from '../contracts/fields.ts'
import type { CellSource, ColumnPlan, TablePlan } from './flatten/table-plan.ts'

/**
 * What became of a record that has no rows in the tables of a load. `left`: it came, but no longer meets what the config
 * asks for, and so is removed; its content hash is null. `rejected`: a line of it broke its contract, so that its content
 * is not known, and what is there stays; its content hash is empty text. Beside another row of the same id, a `rejected`
 * one means nothing.
 */
export type TombstoneKind = 'filtered' | 'rejected'

export interface RecordTableOptions {
  readonly contract: ContractName
  /** The path of the moment of its last change: fields alone. Null where the contract has none. */
  readonly cursor: string | null
}

/** The table of a load that has one row a record: what a run compares with what earlier ones published. */
export function toRecordTable({ contract, cursor }: RecordTableOptions): TablePlan {
  const { fields }: Contract = contracts[contract]
  const columns: ColumnPlan[] = [
    toColumn('id', 'text', 'id', readField(fields, 'id')),
    toColumn('content_hash', 'text', '$', { kind: 'contentHash', contract, without: cursor }),
    toColumn('updated_at', 'timestamp', cursor ?? '', readField(fields, cursor ?? '')),
    toColumn('status', 'text', 'status', readField(fields, 'status')),
    toColumn('replacement', 'text', 'replacement', readField(fields, 'replacement')),
  ]
  return { name: recordTableName, each: [], columns, where: [] }
}

/** No table of a config can have this name. */
export const recordTableName = '_records'

function toColumn(name: string, kind: 'text' | 'timestamp', from: string, source: CellSource): ColumnPlan {
  return { name, type: { kind }, list: false, from, source }
}

/** What the contract does not have, or not as a scalar, is null in every row. */
function readField(fields: ReadonlyMap<string, Field>, path: string): CellSource {
  const names = path.split('.')
  const field = names.reduce<Field | undefined>(
    (inner, name, at) => (at === 0 ? fields.get(name) : inner?.kind === 'object' ? inner.fields.get(name) : undefined),
    undefined,
  )
  if (field?.kind !== 'scalar') return { kind: 'nothing' }
  const steps = names.map((name) => ({ kind: 'field' as const, name }))
  return { kind: 'path', steps, delivered: field.type, unitScale: 0 }
}
