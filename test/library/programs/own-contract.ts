import { catalogue, extendContract } from '../../../src/index.ts'

const contract = extendContract('v4/product', { 'stock.count': 'integer' })
const rows = catalogue(contract)
  .from('stock.ndjson')
  .rows('products', { columns: ['id', 'stock.count'] })
console.log(await rows.toArray())
