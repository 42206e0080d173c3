import { listCodeFields } from '../../contracts/code-fields.ts'
import { type BuiltinTable, computed, keyColumns } from './builtin-table.ts'

/** A row for each code of each product; `src/engine/builtin/codes.ts` computes it. */
export const codesTable: BuiltinTable = {
  description: 'One row a code of a product.',
  columns: [
    ...keyColumns,
    computed(
      'scheme',
      'text',
      'What the code is: cnk, ean, gtin, gtin8, gtin12, gtin13, gtin14, cip7, cip13, acl, pzn, or the path of a code of contract.extra',
      true,
    ),
    computed(
      'delivered',
      'text',
      'The code as other tables have it: as delivered, a code of a fixed length with its lost leading zeros',
      true,
    ),
    computed(
      'canonical',
      'text',
      'The one form of the code: 7 digits of a CNK, 14 of every GTIN, 8 of a PZN; empty for what is no code',
      false,
    ),
    computed(
      'check_digit',
      'text',
      'Whether the check digit is right or wrong; none if there is no code, or no published way to compute it',
      true,
    ),
    computed(
      'product_count',
      'integer',
      'The number of products that have the code, in whichever field of its kind',
      false,
    ),
    computed(
      'chosen',
      'text',
      'The one product to take for the code: the only one that has it, else the only active one; else ambiguous',
      false,
    ),
  ],
  planFeed: (contract) => {
    const codes = contract.record === 'product' ? listCodeFields(contract) : []
    if (codes.length === 0) return `expected a contract of products, which have codes, got ${contract.name}`
    const status = contract.fields.has('status') ? [{ column: 'status', from: 'status' }] : []
    return [
      { column: 'id', from: 'id' },
      ...status,
      ...codes.map(({ path }, at) => ({ column: `code_${at}`, from: path })),
    ]
  },
}
