import { definePipeline, runPipeline } from '../../../../src/index.ts'

const configs = [1, 2, 3, 4].map((run) =>
  definePipeline({
    name: `run-${run}`,
    source: { files: ['export.ndjson.gz'], contract: 'v4/product' },
    tables: { products: { columns: ['id'] } },
    outputs: [{ format: 'csv', path: `run-${run}.csv` }],
    manifest: { path: `run-${run}.csv.run.json` },
    rejects: { path: `run-${run}.csv.rejects.ndjson` },
    profile: false,
    report: false,
    runs: false,
  }),
)
const reports = await Promise.all(configs.map((config) => runPipeline(config)))
console.log(reports.map(({ ledger }) => ledger.accepted))
