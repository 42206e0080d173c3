import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { contracts, readRows, toCsv, type TableRow } from '../../../../src/streams.ts'

let status = ''
let count = 0
const counting = new Transform({
  objectMode: true,
  transform(row: TableRow, _encoding, done) {
    count++
    done(null, row)
  },
})
await pipeline(
  createReadStream('export.ndjson.gz'),
  createGunzip(),
  readRows({
    contract: contracts['v4/product'],
    table: 'products',
    columns: ['id', 'cnk'],
    where: { status: 'active' },
    onEnd: (completeness) => {
      status = completeness.status
    },
  }),
  counting,
  toCsv({ columns: ['id', 'cnk'] }),
  createWriteStream('active.csv.part'),
)
await rename('active.csv.part', 'active.csv')
console.log(status, count)
