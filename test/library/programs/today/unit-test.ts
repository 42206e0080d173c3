import { pipeline } from 'node:stream/promises'
import { readService } from '../../../../src/index.ts'
import { startSandbox } from '../../../../src/sandbox.ts'
import { contracts, readRows, type TableRow } from '../../../../src/streams.ts'

const { close, baseUrl, keyId, keySecret } = await startSandbox({ products: 20, rateLimit: false, images: false })
const found: TableRow[] = []
await pipeline(
  readService({ endpoint: 'v4/products/stream', baseUrl, keyId, keySecret }),
  readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id'], completeness: 'report' }),
  async (rows: AsyncIterable<TableRow>) => {
    for await (const row of rows) found.push(row)
  },
)
console.log(found.length)
await close()
