import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { startS3 } from '../../storage/s3/start-s3.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const columns = (tables: Awaited<ReturnType<typeof profilePipeline>>['tables']) =>
  tables.map(({ name, rows, columns: all }) => [name, rows, all.map((column) => column.name)])

describe('profilePipeline of outputs that runs keep', () => {
  test('among outputs in several modes, profile reads all partitions of the one with the current records', async () => {
    const outputs: Outputs = [
      { format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' },
      { format: 'csv', path: 'out/new/{table}.csv', mode: 'append' },
      { format: 'parquet', path: 'out/parts/{table}.parquet', partitionBy: ['status'], tables: ['products'] },
    ]
    const config = folder.config({ outputs, manifest: { path: 'out/_manifest.json' } })
    await folder.run(config)
    folder.sandbox.advance()
    await folder.run(config)
    const plan = planPipeline(config, { outDir: folder.path })
    const { tables } = await profilePipeline(plan, { env: {} })
    const products = tables.find(({ name }) => name === 'products')
    const id = products?.columns.find(({ name }) => name === 'id')
    // A history and the appended files have products twice.
    expect(id?.distinct).toBe(products?.rows)
    expect(columns(tables)).toEqual([
      ['products', expect.any(Number), expect.arrayContaining(['id', 'meta_updated_at'])],
      ['photos', expect.any(Number), expect.arrayContaining(['product_id', 'position', 'id'])],
    ])
  })

  test('profile copies outputs from a bucket', async () => {
    const s3 = await startS3()
    try {
      const path = `s3://warehouse/profiled-${process.pid}/{table}`
      const outputs: Outputs = [
        { format: 'ndjson', path: `${path}.ndjson.gz`, tables: ['products'] },
        { format: 'parquet', path: `${path}.parquet`, tables: ['photos'] },
      ]
      const config = folder.config({ outputs })
      const { tables: counted } = await runPipeline(config, { env: s3.env, workers: 0, now: folder.sandbox.now })
      const { tables } = await profilePipeline(planPipeline(config, { env: s3.env }), { env: s3.env })
      expect(tables.map(({ name, rows }) => [name, rows])).toEqual(counted.map(({ name, rows }) => [name, rows]))
    } finally {
      await s3.close()
    }
  })
})
