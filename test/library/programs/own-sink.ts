import { catalogue } from '../../../src/index.ts'
import { send, sent } from './search-index.ts'

const photos = catalogue('v4/product')
  .from('export.ndjson.gz')
  .rows('product_photos', { columns: ['id'] })
await photos.batches(10).forEach(send, { concurrency: 4 })
console.log(sent)
