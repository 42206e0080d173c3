import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { catalogue, parquet } from '../../../src/index.ts'

await catalogue('v4/product')
  .from('export.ndjson.gz')
  .tables({ products: parquet('back.parquet', { columns: ['id'] }) })
console.log((await parquetReadObjects({ file: await asyncBufferFromFile('back.parquet'), compressors })).length)
