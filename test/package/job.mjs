import { createReadStream, createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runPipeline } from 'catalogue-etl'
import { contracts, readRows, toCsv } from 'catalogue-etl/streams'

/* What a stranger does with the package, installed or bundled in any way: the files that it leaves are compared. */

/** Publishes a run and the rows of a stream to a folder, with the code of a run that fails for a missing file. */
export async function work(input, folder) {
  const source = { contract: 'v4/product' }
  const outputs = ['csv', 'parquet', 'ndjson'].map((format) => ({
    format,
    path: join(folder, `{table}.${format}`),
  }))
  await runPipeline({ name: 'products', source: { ...source, files: [input] }, outputs }, { workers: 2 })
  await pipeline(
    createReadStream(input),
    readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id', 'cnk', 'publicPrice'] }),
    toCsv(),
    createWriteStream(join(folder, 'rows.csv')),
  )
  const missing = { name: 'missing', source: { ...source, files: [join(folder, 'missing.ndjson')] } }
  await runPipeline(missing, { outDir: folder }).catch((error) => writeFileSync(join(folder, 'failed.txt'), error.code))
}
