import { stringify } from 'csv-stringify'
import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import split2 from 'split2'
import { contracts, flattenRecords, parseRecords, validateRecords } from '../../../../src/streams.ts'

const csv = stringify({ header: true })
const [written] = await Promise.all([
  text(csv),
  pipeline(
    createReadStream('export.ndjson.gz'),
    createGunzip(),
    split2(),
    parseRecords(),
    validateRecords(contracts['v4/product']),
    flattenRecords({ table: 'product_brands', columns: ['id'] }),
    csv,
  ),
])
console.log(written.slice(0, 22))
