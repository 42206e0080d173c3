import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { contracts, readRows, type TableRow } from '../../../../src/streams.ts'

/** The brands of a file, one by one. Ends with any error, and closes the file when the caller stops early. */
async function* readBrands(path: string): AsyncGenerator<TableRow> {
  const rows = readRows({ contract: contracts['v4/product'], table: 'product_brands', locales: ['nl'] })
  // An error of the pipeline also ends the iteration, so the callback has nothing left to do.
  pipeline(createReadStream(path), createGunzip(), rows, () => undefined)
  yield* rows.items()
}

const names = new Set<unknown>()
for await (const row of readBrands('export.ndjson.gz')) if (names.add(row['name_nl']).size === 5) break
console.log(names)
