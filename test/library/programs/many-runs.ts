import { catalogue, csv } from '../../../src/index.ts'

const write = (run: number) =>
  catalogue('v4/product')
    .from('export.ndjson.gz')
    .tables({ products: csv(`run-${run}.csv`, { columns: ['id'] }) })
const reports = await Promise.all([1, 2, 3, 4].map(write))
console.log(reports.map(({ ledger }) => ledger.accepted))
