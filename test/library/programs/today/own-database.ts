import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { contracts, readRows, type TableRow } from '../../../../src/streams.ts'

const database = await (await DuckDBInstance.create()).connect()
await database.run('CREATE TABLE prices (id VARCHAR, price BIGINT)')
let batch: TableRow[] = []

async function insert(): Promise<void> {
  if (batch.length === 0) return
  const values = batch.map((row) => `('${String(row['id'])}', ${String(row['public_price'])})`)
  batch = []
  await database.run(`INSERT INTO prices VALUES ${values.join()}`)
}

await pipeline(
  createReadStream('export.ndjson.gz'),
  createGunzip(),
  readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id', 'publicPrice'] }),
  async (rows: AsyncIterable<TableRow>) => {
    for await (const row of rows) {
      batch.push(row)
      if (batch.length === 16) await insert()
    }
    await insert()
  },
)
console.log((await database.runAndReadAll('SELECT count(*) || 0, sum(price) || 0 FROM prices')).getRows())
