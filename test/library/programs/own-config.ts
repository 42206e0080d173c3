import { readFile } from 'node:fs/promises'
import { catalogue, CatalogueError, csv, type TableSink } from '../../../src/index.ts'

for (const { where, columns } of JSON.parse(await readFile('jobs.json', 'utf8')) as Job[]) {
  const products = catalogue('v4/product').from('export.ndjson.gz').where(where)
  const run = products.tables({ products: csv('job.csv', { columns }) })
  console.log(await run.then((report) => report.tables[0]?.rows).catch((error: CatalogueError) => error.code))
}

interface Job {
  where: Record<string, string>
  columns: TableSink['columns']
}
