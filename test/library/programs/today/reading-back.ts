import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { columnsOf, contracts, readRows, toParquet } from '../../../../src/streams.ts'

const products = { contract: contracts['v4/product'], table: 'products', columns: ['id'] }
await pipeline(
  createReadStream('export.ndjson.gz'),
  createGunzip(),
  readRows(products),
  toParquet({ columns: columnsOf(products) }),
  createWriteStream('back.parquet.part'),
)
await rename('back.parquet.part', 'back.parquet')
console.log((await parquetReadObjects({ file: await asyncBufferFromFile('back.parquet'), compressors })).length)
