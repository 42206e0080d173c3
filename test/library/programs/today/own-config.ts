import { readFile } from 'node:fs/promises'
import { checkPipeline, type PipelineConfig, runPipeline } from '../../../../src/index.ts'

for (const { where, columns } of JSON.parse(await readFile('jobs.json', 'utf8')) as Job[]) {
  const config: PipelineConfig = {
    name: 'job',
    source: { files: ['export.ndjson.gz'], contract: 'v4/product' },
    where,
    tables: { products: { columns } },
    outputs: [{ format: 'csv', path: 'job.csv' }],
    manifest: { path: 'job.csv.run.json' },
    rejects: { path: 'job.csv.rejects.ndjson' },
    profile: false,
    report: false,
    runs: false,
  }
  const { problems } = checkPipeline(config)
  if (problems.length > 0) {
    console.log('CONFIG_INVALID')
    continue
  }
  const { tables } = await runPipeline(config)
  console.log(tables[0]?.rows)
}

interface Job {
  where: Record<string, string>
  columns: NonNullable<PipelineConfig['tables']>[string]['columns']
}
