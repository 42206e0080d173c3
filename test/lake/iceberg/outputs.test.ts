import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { readIceberg } from '../readers/read-iceberg.ts'

let folder: StateFolder
beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const outputs: NonNullable<PipelineConfig['outputs']> = [{ format: 'iceberg', path: 'out/lake/{table}' }]
const manifest = { path: 'out/_manifest.json' }

test('Iceberg tables may be the only outputs: the manifest has their versions, verify checks them, and profile reads them', async () => {
  const first = await folder.run({ outputs, manifest })
  expect(first.databases).toMatchObject([
    {
      target: join(folder.path, 'lake/{table}'),
      format: 'iceberg',
      mode: 'merge',
      tables: [
        { name: 'products', version: 1 },
        { name: 'photos', version: 1 },
      ],
    },
  ])
  folder.sandbox.advance()
  const second = await folder.run({ outputs, manifest })
  expect(second.state.kind).toBe('delta')
  for (const { name, version } of second.databases?.[0]?.tables ?? [])
    expect((await readIceberg(join(folder.path, 'lake', name))).version).toBe(version)
  const again = await folder.run({ outputs, manifest })
  expect(again.databases?.[0]?.tables.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0])
  const plan = planPipeline(folder.config({ outputs, manifest }), { outDir: folder.path, env: {} })
  expect(await verifyPipeline(plan, { env: {} })).toMatchObject({ ok: true })
  const { tables } = await profilePipeline(plan, { env: {} })
  const { files } = await readIceberg(join(folder.path, 'lake/products'))
  expect(tables[0]).toMatchObject({ name: 'products', rows: files.reduce((sum, { rows }) => sum + rows, 0) })
  await rm(files[0]?.path ?? '')
  expect((await verifyPipeline(plan, { env: {} })).differences).toMatchObject([
    { kind: 'changed', got: expect.stringContaining('a data file is gone') as string },
    { kind: 'missing' },
  ])
})
