import { DuckDBInstance } from '@duckdb/node-api'
import { catalogue } from '../../../src/index.ts'

const database = await (await DuckDBInstance.create()).connect()
await database.run('CREATE TABLE prices (id VARCHAR, price BIGINT)')
const rows = catalogue('v4/product')
  .from('export.ndjson.gz')
  .rows('products', { columns: ['id', 'publicPrice'] })
await rows.batches(16).forEach(async (batch) => {
  const values = batch.map((row) => `('${row['id']}', ${String(row['public_price'])})`)
  await database.run(`INSERT INTO prices VALUES ${values.join()}`)
})
console.log((await database.runAndReadAll('SELECT count(*) || 0, sum(price) || 0 FROM prices')).getRows())
