import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'

/** Values of every type that a column can have, as hard as they come. */
const columns: NonNullable<NonNullable<PipelineConfig['tables']>[string]['columns']> = [
  'id',
  'cnk',
  'note',
  'isOrganic',
  { from: 'amount', as: 'decimal(20,2)', unit: 'cents' },
  'ratio',
  { from: 'seenAt', as: 'timestamp' },
  { from: 'seenAt', column: 'seen_on', as: 'date', timezone: 'UTC' },
  'count',
  'raw',
  'ean',
]
const contract: NonNullable<PipelineConfig['contract']> = {
  extra: {
    note: 'text',
    isOrganic: 'boolean',
    amount: 'integer',
    ratio: 'float',
    seenAt: 'text',
    count: 'integer',
    raw: 'json',
  },
}
/** Products for `everyType`. */
export const typedProducts: readonly object[] = [
  {
    id: 'A',
    cnk: '0012345',
    note: '',
    isOrganic: true,
    amount: 820,
    ratio: 0.1,
    count: 9007199254740991,
    seenAt: '2023-11-14T22:13:20.123Z',
    raw: { a: [1, 'x'] },
    ean: ['0541', 'a|b\\'],
  },
  {
    id: 'B',
    cnk: null,
    note: '_x0041_ "q",\n=1',
    isOrganic: false,
    amount: 1234567890123456,
    ratio: -1e-7,
    seenAt: '1874-12-08T18:40:00Z',
    count: -1,
    raw: null,
    ean: [],
  },
  {
    id: 'C',
    note: ' TRUE ',
    amount: -5,
    ratio: 1e300,
    seenAt: '2023-11-14T00:00:00Z',
    count: 0,
    ean: ['0'],
  },
]

/** Without the source and the outputs. */
export const everyType = {
  contract,
  tables: { t: { columns }, eans: { each: 'ean[]' } },
} satisfies Partial<PipelineConfig>
