import { expect, test } from 'vitest'
import { checkText } from './check-text.ts'

const long = 'x'.repeat(64)
const fitting = 'y'.repeat(63)

const expected = (what: string, name: string, bytes: number) =>
  `${what} "${name}": expected a name of at most 63 bytes, as PostgreSQL has no longer ones, got ${bytes}: give it a shorter one`

test('names over 63 bytes are problems at their places in a config with a PostgreSQL output', () => {
  const text = `name: products
source: { files: data.ndjson, contract: v4/product }
tables:
  ${long}:
    columns:
      - id
      - { column: ${fitting}, from: status }
      - { column: ${'z'.repeat(64)}, from: cnk }
      - { column: ${'n'.repeat(62)}, from: name }
  product_photos:
    each: photos[]
    columns: [id, { column: ${long}, from: organizations, as: json }]
outputs:
  - { format: postgres, url: '\${DATABASE_URL}', schema: one }
  - { format: postgres, url: '\${DATABASE_URL}', schema: two, mode: history }
`
  expect(checkText(text)).toEqual([
    `4:3 ${expected('table', long, 64)}`,
    `8:9 ${expected('column', 'z'.repeat(64), 64)}`,
    ...['nl', 'fr', 'en'].map((locale) => `9:9 ${expected('column', `${'n'.repeat(62)}_${locale}`, 65)}`),
    `12:19 ${expected('column', long, 64)}`,
  ])
  expect(checkText(text.replaceAll(/format: postgres, url: '[^']*'/g, 'format: duckdb'))).toEqual([])
})

test('a long table name is no problem without a PostgreSQL output for it', () => {
  const text = `name: products
source: { files: data.ndjson, contract: v4/product }
tables:
  products: { columns: [id] }
  ${long}: { each: 'photos[]' }
outputs:
  - { format: postgres, url: '\${DATABASE_URL}', tables: [products] }
  - { format: csv }
`
  expect(checkText(text)).toEqual([])
})
