import { stringify } from 'csv-stringify'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { catalogue } from '../../../src/index.ts'

const rows = catalogue('v4/product')
  .from('export.ndjson.gz')
  .rows('product_brands', { columns: ['id'] })
console.log((await text(Readable.from(rows).compose(stringify({ header: true })))).slice(0, 22))
