import { listCodeFields } from '../../contracts/code-fields.ts'
import { type BuiltinTable, computed, keyColumns } from './builtin-table.ts'

/** Groups of products that are likely the same; `src/engine/builtin/duplicates.ts` computes it. */
export const duplicatesTable: BuiltinTable = {
  description: 'One row a product of a group of likely duplicates.',
  columns: [
    ...keyColumns,
    computed('group_id', 'integer', 'The number of the group, from 1', true),
    computed(
      'reason',
      'text',
      'What the products of the group have in common: code, name (with brand and content) or picture',
      true,
    ),
    computed('shared', 'text', 'The codes, names or pictures that they share, with | between', true),
    computed('product_count', 'integer', 'The number of products of the group', true),
    computed('status', 'text', 'The state of the product', false),
  ],
  planFeed: (contract) => {
    const { fields, record, name } = contract
    if (record !== 'product' || !fields.has('cnk')) return `expected a contract of products, got ${name}`
    const content = ['packageContent', 'packageQuantity', 'packagingUnit']
    const has = (field: string) => fields.has(field)
    return [
      { column: 'id', from: 'id' },
      ...['status'].filter(has).map((from) => ({ column: 'status', from })),
      ...listCodeFields(contract).map(({ path }, at) => ({ column: `code_${at}`, from: path })),
      ...['brands'].filter(has).map((from) => ({ column: 'brands', from: `${from}[].id` })),
      ...['name'].filter(has).map((from) => ({ column: 'name', from, as: 'json' }) as const),
      ...content.filter(has).map((from, at) => ({ column: `content_${at}`, from })),
      ...['photos', 'frontals'].filter(has).map((from) => ({ column: from, from: `${from}[].id` })),
    ]
  },
}
