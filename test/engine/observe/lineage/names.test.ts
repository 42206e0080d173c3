import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { nameInputs } from '../../../../src/engine/observe/lineage/name-datasets.ts'
import { listOutputs } from '../../../../src/engine/observe/lineage/output-datasets.ts'
import { findParentRun } from '../../../../src/engine/observe/lineage/parent-run.ts'
import { redact, toStartEvent } from '../../../../src/engine/observe/lineage/run-event.ts'
import { planPipeline } from '../../../../src/plan/plan-pipeline.ts'
import { listFaults } from './event-faults.ts'

const files = { files: 'in.ndjson', contract: 'v4/product' } as const

function planOf(config: Partial<PipelineConfig>) {
  const tables = { products: { columns: ['id'] } }
  return planPipeline({ name: 'shop', source: files, tables, ...config }, { env: {} })
}

test.each([
  { files: 'data/a.ndjson', names: [`file ${resolve('data/a.ndjson')}`] },
  { files: ['data/*.ndjson.gz', 'data/{a,b}.ndjson'], names: [`file ${resolve('data')}`] },
  { files: '*.ndjson', names: [`file ${resolve('.')}`] },
  { files: 's3://bucket/2026/products.ndjson', names: ['s3://bucket 2026/products.ndjson'] },
  { files: 's3://bucket/2026/**/*.ndjson', names: ['s3://bucket 2026'] },
  { files: ['-', 'a.ndjson'], names: ['inmemory:// stdin', `file ${resolve('a.ndjson')}`] },
])('an input of $files is named $names', ({ files: entries, names }) => {
  const { source } = planOf({ source: { ...files, files: entries } })
  expect(nameInputs(source).map(({ namespace, name }) => `${namespace} ${name}`)).toEqual(names)
})

test('an endpoint is named by the address of its service, with the path below it', () => {
  const { source } = planOf({
    source: {
      endpoint: 'v4/products/stream',
      baseUrl: 'https://api.example.com:8443/catalogue/',
      keyId: 'a',
      keySecret: 'secret-of-the-key',
    },
  })
  expect(nameInputs(source)).toEqual([
    { namespace: 'https://api.example.com:8443', name: 'catalogue/v4/products/stream' },
  ])
})

test.each([
  { output: { format: 'csv', path: 's3://shop/{table}.csv' }, name: 's3://shop products.csv' },
  {
    output: { format: 'duckdb', path: 'w/x.duckdb', schema: 'c' },
    name: `duckdb://${resolve('w/x.duckdb')} c.products`,
  },
  {
    output: { format: 'postgres', url: 'postgres://ana:geheim@db.example.com/shop', schema: 'c' },
    name: 'postgres://db.example.com:5432 shop.c.products',
  },
  {
    output: { format: 'postgres', url: 'postgres://ana:geheim@one:6432,two/shop?sslmode=require', schema: 'c' },
    name: 'postgres://one:6432 shop.c.products',
  },
  {
    output: { format: 'mariadb', url: 'mariadb://ana:geheim@db.example.com/shop' },
    name: 'mysql://db.example.com:3306 shop.products',
  },
  { output: { format: 'delta', path: 's3://lake/shop/{table}' }, name: 's3://lake shop/products' },
  {
    output: {
      format: 'iceberg',
      catalog: { url: 'https://catalog.example.com/api', token: 'geheim' },
      namespace: 'shop.raw',
    },
    name: 'https://catalog.example.com/api shop.raw.products',
  },
])('an output in $output.format is named $name, and its event is valid and has no password', ({ output, name }) => {
  const plan = planOf({ outputs: [output] as PipelineConfig['outputs'] })
  expect(listOutputs(plan).map((each) => `${each.namespace} ${each.name}`)).toEqual([name])
  const identity = { plan, runId: '5f2c1f0e-8a36-4f4e-9d5e-2f5f3c1e7a10', namespace: 'default', parent: null }
  const event = JSON.parse(JSON.stringify(toStartEvent(identity, new Date()))) as Record<string, unknown>
  expect(listFaults(event)).toEqual([])
  expect(JSON.stringify(event)).not.toMatch(/geheim|ana/)
})

test('the message of an error keeps its addresses, without passwords and signatures', () => {
  const message =
    'https://bucket.example.com/a.ndjson?X-Amz-Signature=abc: no answer; postgres://ana:geheim@db/x; secret=abc'
  expect(redact(message)).toBe('https://bucket.example.com/a.ndjson?*** no answer; postgres://***@db/x; secret=***')
})

describe('the parent of a run', () => {
  const runId = '0193a0d2-0c2b-7d3a-9f5e-2f5f3c1e7a10'
  const root = { run: { runId: '0193a0d2-0c2b-7d3a-9f5e-2f5f3c1e7a11' }, job: { namespace: 'n', name: 'dag' } }
  const parent = { run: { runId }, job: { namespace: 'airflow/prod', name: 'dag.task' } }

  test('is that of OPENLINEAGE_PARENT_ID, which is its own root unless another is named', () => {
    const id = `airflow/prod/dag.task/${runId}`
    expect(findParentRun({ OPENLINEAGE_PARENT_ID: id })).toEqual({ ...parent, root: parent })
    const rootId = `n/dag/${root.run.runId}`
    const both = findParentRun({ OPENLINEAGE_PARENT_ID: id, OPENLINEAGE_ROOT_PARENT_ID: rootId })
    expect(both).toEqual({ ...parent, root })
    expect(findParentRun({})).toBeNull()
  })

  test('is that of OPENLINEAGE_CONTEXT before any other', () => {
    const context = JSON.stringify({ parent: { ...parent, root } })
    expect(findParentRun({ OPENLINEAGE_CONTEXT: context, OPENLINEAGE_PARENT_ID: 'x' })).toEqual({ ...parent, root })
    const alone = JSON.stringify({ parent })
    expect(findParentRun({ OPENLINEAGE_CONTEXT: alone })).toEqual({ ...parent, root: parent })
  })

  test.each([
    { OPENLINEAGE_PARENT_ID: 'a/b' },
    { OPENLINEAGE_PARENT_ID: 'a/b/not-a-uuid' },
    { OPENLINEAGE_PARENT_ID: `a/b/${runId}`, OPENLINEAGE_ROOT_PARENT_ID: 'x' },
    { OPENLINEAGE_CONTEXT: '{' },
    { OPENLINEAGE_CONTEXT: '{"parent":{}}' },
  ])('that can not be read is named: %j', (env) => {
    expect(() => findParentRun(env)).toThrow(/^environment variable OPENLINEAGE_\w+: expected .*, got something else$/)
  })
})
