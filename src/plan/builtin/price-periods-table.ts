import { type BuiltinTable, computed, keyColumns } from './builtin-table.ts'

/** A row for each period in which a product had one price; `src/loads/files/price-periods.ts` computes it from a history. */
export const pricePeriodsTable: BuiltinTable = {
  description: 'One row a period in which a product had one price.',
  columns: [
    ...keyColumns,
    computed('from', 'timestamp', 'When the price began', true),
    computed(
      'until',
      'timestamp',
      'When it ended: the next price began, or the product had none any more; empty while it lasts',
      false,
    ),
    computed('amount', 'integer', 'The public price, as delivered; zero and less is no price', true),
    computed('unit', 'text', 'What the amount is in, as the interface documents it; deliveries differ from it', false),
    computed('previous', 'integer', 'The last price before, whatever was in between; empty for the first', false),
    computed(
      'percent',
      'float',
      'By how many percent the amount differs from the previous one, to two decimals',
      false,
    ),
  ],
  planFeed: (contract) =>
    contract.fields.has('publicPrice') && contract.fields.has('id')
      ? [{ column: 'id', from: 'id' }]
      : `expected a contract of products, which have a publicPrice, got ${contract.name}`,
}
