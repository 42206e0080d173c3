import { catalogue, csv } from '../../../src/index.ts'

const active = catalogue('v4/product').from('export.ndjson.gz').where({ status: 'active' })
await active.tables({ products: csv('active.csv', { columns: ['id', 'cnk'] }) })
console.log(active.report().completeness.status, active.report().tables[0]?.rows)
