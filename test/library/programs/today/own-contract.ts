import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { extendContract, readRows, type TableRow } from '../../../../src/streams.ts'

const contract = extendContract('v4/product', { 'stock.count': 'integer' })
const found: TableRow[] = []
await pipeline(
  createReadStream('stock.ndjson'),
  readRows({ contract, table: 'products', columns: ['id', 'stock.count'] }),
  async (rows: AsyncIterable<TableRow>) => {
    for await (const row of rows) found.push(row)
  },
)
console.log(found)
