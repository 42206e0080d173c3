import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import type { RunOptions } from '../../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../../src/plan/plan-pipeline.ts'
import { startSandbox } from '../../../../src/sandbox/start-sandbox.ts'
import { commitShards } from '../../../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../../../src/shards/plan/plan-shards.ts'
import { runInShards } from '../../../../src/shards/run-in-shards.ts'
import { runShard } from '../../../../src/shards/run/run-shard.ts'
import { lockPathFor, takeFileLock } from '../../../../src/storage/lock/file-lock.ts'
import { BuiltCli } from '../../../cli/built-cli.ts'
import { isDeep } from '../../../depth.ts'
import { RunFolder, toStream } from '../../run-folder.ts'
import { Collector } from '../collector.ts'
import { listFaults, type SentDataset, type SentEvent } from './event-faults.ts'

/**
 * A Python with openlineage-python, cattrs and opentelemetry-proto; without it what needs them is left out, but with
 * CATALOGUE_REQUIRE_LINEAGE=1, as in CI.
 */
const { CATALOGUE_LINEAGE_PYTHON: python = '', CATALOGUE_REQUIRE_LINEAGE } = process.env
const skips = python === '' && CATALOGUE_REQUIRE_LINEAGE !== '1'

let collector: Collector
let folder: RunFolder
/** The events of all tests, for the client. */
const all: object[] = []

beforeAll(async () => {
  collector = await Collector.start()
})
afterAll(() => collector.close())
beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B']))
})
afterEach(async () => {
  keepEvents()
  await folder.remove()
})

function namesOf(datasets: readonly SentDataset[] = []): string[] {
  return datasets.map(({ namespace, name }) => `${namespace} ${name}`)
}

function toConfig(): PipelineConfig {
  return {
    name: 'products',
    source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
    tables: { products: { columns: ['id', 'status'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
  }
}

function keepEvents(): void {
  all.push(...collector.documents)
  collector.received.length = 0
}

type Changes = Parameters<RunFolder['run']>[0]

/** Runs the small pipeline, and gives its events as the collector has them, all of them valid. */
async function run(changes: Changes = {}, options: RunOptions = {}) {
  const error = await folder.fail(changes, { ...options, env: { OPENLINEAGE_URL: collector.url } })
  return { code: error?.code, ...takeEvents() }
}

function takeEvents() {
  const events = collector.documents as unknown as readonly SentEvent[]
  for (const event of collector.documents) expect(listFaults(event)).toEqual([])
  expect(new Set(events.map((event) => event.run.runId)).size).toBe(1)
  const [start, end = start] = [events[0], events.at(-1)]
  const input = end?.inputs[0]
  const output = end?.outputs[0]
  const assertions = input?.inputFacets?.dataQualityAssertions.assertions ?? []
  return {
    types: events.map((event): string => event.eventType),
    start,
    end,
    input,
    output,
    columns: output?.facets.schema?.fields.map(({ name, type }) => `${name} ${type}`),
    message: end?.run.facets.errorMessage?.message,
    failed: assertions.filter(({ success }) => !success).map(({ name, severity }) => `${name}: ${severity}`),
    assertions,
  }
}

const completed = ['START', 'COMPLETE']
const failed = ['START', 'FAIL']

test('a published run reports what it read, proved and wrote', async () => {
  const expected = [{ column: 'id', unique: true, severity: 'error' }] as const
  const { types, end, start, input, output, columns, assertions, failed: broken } = await run({ expect: [...expected] })
  expect(types).toEqual(completed)
  expect(broken).toEqual([])
  expect(assertions.map(({ name, expected: wanted, actual }) => [name, wanted, actual])).toEqual([
    ['completeness', 'proven', 'proven'],
    ['ledger', '2 lines', '2: 2 accepted, 0 rejected, 0 filtered, 0 duplicate, 0 blank'],
    ['rejects.limit', 'at most 1%', '0 of 2 lines'],
    ['products.id.unique', 'each value once', 'each once'],
  ])
  expect(end?.job).toMatchObject({ namespace: 'default', name: 'products' })
  expect(input).toMatchObject({ namespace: 'file', name: join(folder.path, 'input.ndjson') })
  expect(input?.inputFacets?.inputStatistics).toMatchObject({ rowCount: 2, fileCount: 1 })
  expect(output).toMatchObject({ namespace: 'file', name: join(folder.out, 'products.csv') })
  expect(output?.outputFacets?.outputStatistics).toMatchObject({ rowCount: 2, fileCount: 1, size: 28 })
  expect(columns).toEqual(['id text', 'status text'])
  const name = join(folder.path, 'input.ndjson')
  const origin = {
    namespace: 'file',
    name,
    field: 'status',
    transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }],
  }
  expect(output?.facets.columnLineage?.fields['status']).toEqual({ inputFields: [origin] })
  expect(namesOf(start?.inputs)).toEqual(namesOf(end?.inputs))
  expect(namesOf(start?.outputs)).toEqual(namesOf(end?.outputs))
})

test('a published run with rejects reports how many, within the limit', async () => {
  await folder.write('input.ndjson', `${toStream(['A', 'B'])}garbage\n`)
  const { types, assertions } = await run({ rejects: { limit: 1 }, completeness: 'report' })
  expect(types).toEqual(completed)
  expect(assertions).toContainEqual(
    expect.objectContaining({ name: 'rejects.limit', success: true, expected: 'at most 1', actual: '1 of 3 lines' }),
  )
})

test('a run with too many rejects fails with what it judged', async () => {
  await folder.write('input.ndjson', `${toStream(['A', 'B'])}garbage\n`)
  const { types, message, failed: broken, output } = await run({ completeness: 'report' })
  expect(types).toEqual(failed)
  expect(message).toMatch(/^TOO_MANY_REJECTS: products: /)
  expect(broken).toContain('rejects.limit: error')
  expect(output).not.toHaveProperty('outputFacets')
})

test('an incomplete run fails, or is published where the config says so', async () => {
  await folder.write('input.ndjson', toStream(['A', 'B'], 3))
  const refused = await run()
  expect(refused).toMatchObject({ types: failed, failed: ['completeness: error'] })
  expect(refused.message).toMatch(/^SOURCE_INCOMPLETE: /)
  keepEvents()
  expect(await run({ completeness: 'report' })).toMatchObject({ types: completed, failed: ['completeness: warn'] })
})

test('a broken rule of severity error refuses the run, one of severity warn is only reported', async () => {
  const rule = { column: 'id', in: ['A'] }
  const refused = await run({ expect: [{ ...rule, severity: 'error' }] })
  expect(refused).toMatchObject({ code: 'RULE_BROKEN', types: failed, failed: ['products.id.in: error'] })
  keepEvents()
  expect(await run({ expect: [rule] })).toMatchObject({ types: completed, failed: ['products.id.in: warn'] })
})

test('a run whose source or output fails reports the error, and no facts of what it did not finish', async () => {
  const unread = await run({ source: { files: join(folder.path, 'none.ndjson') } })
  expect(unread).toMatchObject({ types: failed, assertions: [] })
  expect(unread.message).toMatch(/^SOURCE_NOT_FOUND: /)
  keepEvents()
  await mkdir(join(folder.out, 'products.csv'), { recursive: true })
  const unwritten = await run()
  expect(unwritten.types).toEqual(failed)
  expect(unwritten.message).toMatch(/^OUTPUT_/)
})

test('an interrupted run is aborted', async () => {
  const { types, message } = await run({}, { signal: AbortSignal.abort() })
  expect(types).toEqual(['START', 'ABORT'])
  expect(message).toMatch(/^INTERRUPTED: /)
})

test('a run that finds another one fails, and keeps the datasets that it names', async () => {
  await mkdir(folder.out, { recursive: true })
  const lock = await takeFileLock(lockPathFor(join(folder.out, '_manifest.json')), { subject: 'x', run: 'other' })
  const { types, message, end } = await run()
  await lock.release()
  expect(types).toEqual(failed)
  expect(message).toMatch(/^LOCKED: /)
  expect(end?.outputs).toHaveLength(1)
})

test('a config of another contract keeps the name of the output, with other columns', async () => {
  await run()
  keepEvents()
  await folder.write('brands.ndjson', '{"id":1,"name":{"nl":"A"}}\n')
  const source = { files: join(folder.path, 'brands.ndjson'), contract: 'v4/brand' as const }
  const { types, output, columns } = await run({ source, tables: { products: { columns: ['id', 'name'] } } })
  expect(types).toEqual(completed)
  expect(output?.name).toBe(join(folder.out, 'products.csv'))
  expect(columns).toEqual(['id integer', 'name_nl text', 'name_fr text', 'name_en text'])
  expect(output?.facets.columnLineage?.fields['name_nl']?.inputFields[0]).toMatchObject({
    field: 'name',
    transformations: [{ type: 'DIRECT', subtype: 'TRANSFORMATION' }],
  })
})

describe('a run of shards', () => {
  test('is one run, reported once by the process that runs them all', async () => {
    const plan = planPipeline(toConfig(), { outDir: folder.out })
    const to = join(folder.path, 'plan')
    await planShards(plan, { to, bytes: 60 })
    await runInShards(plan, { plan: to, env: { OPENLINEAGE_URL: collector.url }, workers: 0 })
    const { types, output } = takeEvents()
    expect(types).toEqual(completed)
    expect(output?.name).toBe(join(folder.out, 'products.csv'))
    expect(output?.outputFacets?.outputStatistics).toMatchObject({ rowCount: 2, fileCount: 2 })
  })

  test('is reported by its commit if shards run elsewhere', async () => {
    const to = join(folder.path, 'plan')
    const { shards } = await planShards(planPipeline(toConfig(), { outDir: folder.out }), { to, bytes: 60 })
    const env = { OPENLINEAGE_URL: collector.url }
    for (const { number } of shards) await runShard(to, number, { env, workers: 0 })
    expect(collector.received).toHaveLength(0)
    await commitShards(to, { env })
    expect(takeEvents().types).toEqual(completed)
  })
})

test('an empty answer of the service is complete, and the endpoint is named by its address', async () => {
  const sandbox = await startSandbox({ products: 0, rateLimit: false })
  try {
    const { baseUrl, keyId, keySecret } = sandbox
    const source = { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret, files: undefined, contract: undefined }
    const { types, failed: broken, input } = await run({ source })
    expect(types).toEqual(completed)
    expect(broken).toEqual([])
    expect(input).toMatchObject({ namespace: baseUrl, name: 'v4/products/stream' })
    expect(JSON.stringify(collector.documents)).not.toContain(keySecret)
  } finally {
    await sandbox.close()
  }
})

describe.skipIf(!isDeep)('in processes and over nights', () => {
  test('a night without changes completes with the rows that stay', async () => {
    const outputs = [{ format: 'parquet', path: 'out/{table}.parquet', mode: 'merge' }] as const
    await run({ outputs: [...outputs] })
    keepEvents()
    const { types, output } = await run({ outputs: [...outputs] })
    expect(types).toEqual(completed)
    expect(output?.outputFacets?.outputStatistics).toMatchObject({ rowCount: 2 })
  })

  test.each([
    { signal: 'SIGTERM', types: ['START', 'ABORT'], ended: { code: 130 } },
    { signal: 'SIGKILL', types: ['START'], ended: { signal: 'SIGKILL' } },
  ] as const)('a run that gets $signal leaves the events $types', async ({ signal, types, ended }) => {
    const cli = await BuiltCli.build()
    const config = await folder.write(
      'p.json',
      JSON.stringify({
        name: 'products',
        source: { files: '-', contract: 'v4/product' },
        tables: { products: { columns: ['id', 'status'] } },
        outputs: [{ format: 'csv', path: join(folder.out, '{table}.csv') }],
      }),
    )
    const child = cli.start(['run', config], { env: { OPENLINEAGE_URL: collector.url } })
    child.write(toStream(['A'], 2))
    await collector.hasReceived(1)
    child.kill(signal)
    expect(await child.ended).toMatchObject(ended)
    expect(takeEvents().types).toEqual(types)
  })
})

test.skipIf(skips)(
  'the Python client of OpenLineage reads every event of these outcomes as it was written',
  async () => {
    const child = promisify(execFile)(python, [join(import.meta.dirname, 'read-events.py')], { maxBuffer: 2 ** 26 })
    child.child.stdin?.end(all.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const { stdout } = await child
    const read = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { differs: string[] })
    expect(read).toHaveLength(all.length)
    expect(read.filter(({ differs }) => differs.length > 0)).toEqual([])
  },
)
