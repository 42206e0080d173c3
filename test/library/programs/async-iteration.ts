import { catalogue } from '../../../src/index.ts'

const names = new Set<unknown>()
const products = catalogue('v4/product').from('export.ndjson.gz')
for await (const row of products.rows('product_brands', { locales: ['nl'] }))
  if (names.add(row['name_nl']).size === 5) break
console.log(names)
