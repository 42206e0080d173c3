import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { checkConfig } from '../../../../src/plan/plan-pipeline.ts'
import { RunFolder, toStream } from '../../run-folder.ts'
import { Collector } from '../collector.ts'

let collector: Collector
let folder: RunFolder

beforeEach(async () => {
  collector = await Collector.start()
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B']))
})
afterEach(async () => {
  await collector.close()
  await folder.remove()
})

const runId = '0193a0d2-0c2b-7d3a-9f5e-2f5f3c1e7a10'

test('events go to the endpoint of the environment, with its key, its namespace and the parent run', async () => {
  const env = {
    OPENLINEAGE_URL: `${collector.url}/base/`,
    OPENLINEAGE_ENDPOINT: '/own/lineage',
    OPENLINEAGE_API_KEY: 'key-of-the-collector',
    OPENLINEAGE_NAMESPACE: 'nightly',
    OPENLINEAGE_PARENT_ID: `airflow/dag.task/${runId}`,
  }
  await folder.run({}, { env })
  const [start, end] = collector.received
  expect(start).toMatchObject({
    method: 'POST',
    path: '/base/own/lineage',
    headers: { authorization: 'Bearer key-of-the-collector', 'content-type': 'application/json' },
    document: {
      job: { namespace: 'nightly', name: 'products' },
      run: { facets: { parent: { run: { runId }, job: { namespace: 'airflow', name: 'dag.task' } } } },
    },
  })
  expect(end?.document).toMatchObject({ eventType: 'COMPLETE', run: { facets: { parent: { run: { runId } } } } })
  expect(JSON.stringify(collector.documents)).not.toContain('key-of-the-collector')
})

test('an address with a password is asked with it, and a parent that can not be read is a warning', async () => {
  const warnings: string[] = []
  const url = collector.url.replace('://', '://ana:geheim%20@')
  const env = { OPENLINEAGE_URL: url, OPENLINEAGE_PARENT_ID: 'x' }
  await folder.run({}, { env, onWarning: (text) => void warnings.push(text) })
  expect(collector.received).toHaveLength(2)
  const [{ path, headers } = { path: '', headers: {} }] = collector.received
  expect(path).toBe('/api/v1/lineage')
  expect(headers.authorization).toBe(`Basic ${Buffer.from('ana:geheim ').toString('base64')}`)
  expect(warnings).toEqual([
    expect.stringMatching(/^OpenLineage: not everything was sent: .*OPENLINEAGE_PARENT_ID: expected namespace/),
  ])
})

test('the collector of the config is asked rather than that of the environment, and none if lineage is disabled', async () => {
  const env = { OPENLINEAGE_URL: 'http://127.0.0.1:1' }
  const lineage = { url: collector.url, namespace: 'shop' }
  await folder.run({ lineage }, { env: { ...env, OPENLINEAGE_NAMESPACE: 'other' } })
  expect(collector.documents).toMatchObject([{ job: { namespace: 'shop' } }, { job: { namespace: 'shop' } }])
  await folder.run({ lineage }, { env: { ...env, OPENLINEAGE_DISABLED: 'True' } })
  expect(collector.received).toHaveLength(2)
})

test('a file gets a line for each event of each run', async () => {
  const file = 'out/lineage/{pipeline}.ndjson'
  await folder.run({ lineage: { file } })
  await folder.run({ lineage: { file } })
  const text = await readFile(join(folder.out, 'lineage/products.ndjson'), 'utf8')
  const types = text
    .split('\n')
    .map((line) => (line === '' ? '' : (JSON.parse(line) as { eventType: string }).eventType))
  expect(types).toEqual(['START', 'COMPLETE', 'START', 'COMPLETE', ''])
})

test('a file below one that is no folder is a warning that names it, and the run is published', async () => {
  const warnings: string[] = []
  const lineage = { file: join(folder.path, 'input.ndjson/events.ndjson') }
  await folder.run({ lineage }, { onWarning: (text) => void warnings.push(text) })
  const reason = `${join(folder.path, 'input.ndjson')} is no folder`
  expect(warnings).toEqual([`OpenLineage: nothing was sent: ${reason}`])
})

test.skipIf(process.platform !== 'linux')('a folder that can not be made ends in a warning at once', async () => {
  const warnings: string[] = []
  const lineage = { file: '/proc/nope/deep/events.ndjson' }
  await folder.run({ lineage }, { onWarning: (text) => void warnings.push(text) })
  expect(warnings).toEqual([expect.stringMatching(/^OpenLineage: nothing was sent: ENOENT: .*'\/proc\/nope'/)])
})

test.each([
  { lineage: {}, message: 'either url or file' },
  { lineage: { url: 'http://a', file: 'b' }, message: 'either url or file' },
  {
    lineage: { url: 'marquez:5000' },
    message: 'expected an address such as http://marquez.example.com:5000, got "marquez:5000"',
  },
  {
    lineage: { url: 'http://ana:geheim@a' },
    message: 'got one with a user or a password: set OPENLINEAGE_API_KEY instead',
  },
  { lineage: { url: 'http://a?token=geheim' }, message: 'without ? and #, got one with them, which are not shown' },
  {
    lineage: { file: 's3://bucket/events.ndjson' },
    message: 'expected a file on this machine, as events are added to it',
  },
  {
    lineage: { file: 'out/products.csv' },
    message: 'the file of lineage and the csv output of table "products" would both be',
  },
  { lineage: { file: '{date}.ndjson' }, message: 'unknown placeholder {date}' },
  {
    lineage: { url: '${LINEAGE_URL}' },
    needsService: true,
    message: 'environment variable LINEAGE_URL: expected a value',
  },
])('a config with lineage $lineage is refused: $message', ({ lineage, message, needsService = false }) => {
  const { problems } = check(lineage, needsService)
  expect(problems.map((problem) => problem.message).join('\n')).toContain(message)
  expect(JSON.stringify(problems)).not.toContain('geheim')
})

test('the variable of a collector need not be set to check a config', () => {
  expect(check({ url: '${LINEAGE_URL}' }, false).problems).toEqual([])
})

test('lineage does not change the identity of a config, so that a state is continued', async () => {
  const { configHash } = await folder.run()
  const other = await folder.run({ lineage: { file: join(folder.path, 'events.ndjson') } })
  expect(other.configHash).toBe(configHash)
})

function check(lineage: object, needsService: boolean) {
  const config = {
    name: 'products',
    source: { files: 'in.ndjson', contract: 'v4/product' },
    tables: { products: { columns: ['id'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    lineage,
  } as PipelineConfig
  return checkConfig(config, { env: {}, needsService })
}
