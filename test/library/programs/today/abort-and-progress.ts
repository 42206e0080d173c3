import { createReadStream } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  contracts,
  flattenRecords,
  type NumberedLine,
  parseRecords,
  splitLines,
  validateRecords,
} from '../../../../src/streams.ts'

const stop = new AbortController()
let lines = 0
const counting = new Transform({
  objectMode: true,
  transform(line: NumberedLine, _encoding, done) {
    lines++
    done(null, line)
  },
})
const reading = pipeline(
  createReadStream('export.ndjson.gz'),
  createGunzip(),
  splitLines(),
  counting,
  parseRecords(),
  validateRecords(contracts['v4/product']),
  flattenRecords({ table: 'products' }),
  new Writable({
    objectMode: true,
    write(_row, _encoding, done) {
      if (lines >= 40) stop.abort()
      done()
    },
  }),
  { signal: stop.signal },
)
await reading.catch((error: unknown) => {
  if ((error as Error).name !== 'AbortError') throw error
  console.log('INTERRUPTED')
})
console.log(lines > 0)
