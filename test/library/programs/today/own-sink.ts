import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { contracts, readRows, type TableRow } from '../../../../src/streams.ts'
import { send, sent } from '../search-index.ts'

const underWay = new Set<Promise<void>>()

async function start(batch: readonly TableRow[]): Promise<void> {
  const sending: Promise<void> = send(batch).finally(() => underWay.delete(sending))
  underWay.add(sending)
  if (underWay.size >= 4) await Promise.race(underWay)
}

await pipeline(
  createReadStream('export.ndjson.gz'),
  createGunzip(),
  readRows({ contract: contracts['v4/product'], table: 'product_photos', columns: ['id'] }),
  async (rows: AsyncIterable<TableRow>) => {
    let batch: TableRow[] = []
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < 10) continue
      await start(batch)
      batch = []
    }
    if (batch.length > 0) await start(batch)
    await Promise.all(underWay)
  },
)
console.log(sent)
