import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { StandardResult, StandardSchema } from '../../../src/contracts/standard-schema.ts'
import { checkConfig, planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { checkSharding } from '../../../src/shards/plan/check-sharding.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { queryDuckDb } from '../../pipelines/read-outputs.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

type Check = NonNullable<PipelineConfig['check']>

function withCheck(schema: Check['schema'], version = '1') {
  return { check: { schema, version }, rejects: { limit: '100%' } } satisfies Partial<PipelineConfig>
}

/** A schema of no library. */
function toSchema(validate: (record: { readonly id: string }) => StandardResult | Promise<StandardResult>) {
  const standard = {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => validate(value as { id: string }),
  } as const
  return { '~standard': standard } satisfies StandardSchema
}

function refusing(id: string, reason = 'not for sale') {
  return toSchema((record) => (record.id === id ? { issues: [{ message: reason, path: ['id'] }] } : { value: record }))
}

async function readRejects(): Promise<{ id: string; issues: { code: string; path: string; message: string }[] }[]> {
  const lines = (await folder.readOut('_rejects.ndjson')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Awaited<ReturnType<typeof readRejects>>[number])
}

describe('records that a schema of the config refuses are rejected', () => {
  test('by zod, those that DuckDB finds in the raw lines, each with its reason', async () => {
    const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 300, seed: 12 })])
    const raw = await folder.write('input.ndjson', lines)
    const { ledger } = await folder.run(withCheck(z.object({ publicPrice: z.number().min(1000) })))
    const source = `read_json('${raw}', format = 'newline_delimited', records = true, maximum_object_size = 100000000, sample_size = -1)`
    const expected = await queryDuckDb(
      `SELECT result.id FROM ${source} WHERE coalesce(CAST(result.publicPrice AS BIGINT), 0) < 1000 ORDER BY 1`,
    )
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(290)
    expect(ledger).toMatchObject({ accepted: 300 - expected.length, rejected: expected.length })
    const rejects = await readRejects()
    expect(new Set(rejects.map(({ id }) => id))).toEqual(new Set(expected.map(([id]) => String(id))))
    for (const { issues } of rejects) {
      expect(issues).toEqual([{ code: 'failed_check', path: 'publicPrice', message: expect.stringMatching(/\w/) }])
    }
  })

  test('by any schema, after `where`, and the output of the schema changes nothing', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B', 'C']))
    const seen: string[] = []
    const schema = toSchema((record) => {
      seen.push(record.id)
      return record.id === 'B' ? { issues: [] } : { value: { id: 'other' } }
    })
    const { ledger } = await folder.run({ ...withCheck(schema), where: { id: ['A', 'B'] } })
    expect(ledger).toMatchObject({ lines: 3, accepted: 1, filtered: 1, rejected: 1 })
    expect(seen).toEqual(['A', 'B'])
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,active\n')
    expect((await readRejects())[0]?.issues).toEqual([
      { code: 'failed_check', path: '', message: 'The check gave no reason' },
    ])
  })

  test('so that too many of them publish nothing, and a merge keeps the rows that a record has', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const merged: Partial<PipelineConfig> = {
      outputs: [{ format: 'parquet', mode: 'merge', path: 'out/{table}.parquet' }],
    }
    await folder.run({ ...merged, ...withCheck(refusing('none')) })
    const error = await folder.fail({ ...merged, ...withCheck(refusing('B'), '2'), rejects: { limit: 0 } })
    expect(error?.code).toBe('TOO_MANY_REJECTS')
    await folder.run({ ...merged, ...withCheck(refusing('B'), '2') })
    expect(await queryDuckDb(`SELECT id FROM '${join(folder.out, 'products.parquet')}' ORDER BY 1`)).toEqual([
      ['A'],
      ['B'],
    ])
  })
})

test.each([
  ['throws', () => JSON.parse('{') as StandardResult, /line 2, record "B", check: expected a value, got an error: /],
  ['is async', async () => Promise.reject(new Error('late')), /got a promise: the schema must not be async$/],
  [
    'gives no verdict',
    () => true as never,
    /check: expected a value or issues, as Standard Schema has them, got neither$/,
  ],
  ['changes the record', (record: { id: string }) => ({ value: (record.id = 'x') }), /got an error: Cannot assign/],
])('a schema that %s ends the run at its line, and nothing is published', async (_, fail, message) => {
  await folder.write('input.ndjson', toStream(['A', 'B']))
  const error = await folder.fail(
    withCheck(toSchema((record) => (record.id === 'B' ? fail(record) : { value: record }))),
  )
  expect(error?.code).toBe('CONFIG_INVALID')
  expect(error?.message).toMatch(message)
  expect(await folder.listOut()).not.toContain('products.csv')
})

const hashOf = (...check: Parameters<typeof withCheck>) =>
  planPipeline(folder.toPipeline(withCheck(...check))).outputs.configHash

test('the version of a schema is part of the config hash, the schema is not', () => {
  expect(hashOf(refusing('B'))).toBe(hashOf(z.object({ id: z.string() })))
  expect(hashOf(refusing('B'), '2')).not.toBe(hashOf(refusing('B')))
})

test('a plan of shards refuses a check before anything is read', () => {
  const plan = planPipeline(folder.toPipeline(withCheck(refusing('B'))))
  expect(checkSharding(plan).map(({ message }) => message)).toEqual([expect.stringContaining('got check')])
})

test.each([
  [{ schema: () => true, version: '1' }, /^check\.schema .*expected .*Standard Schema/],
  [{ schema: {}, version: '1' }, /^check\.schema/],
  [{ schema: refusing('B') }, /^check\.version missing key "version"/],
  [
    { schema: { use: './steps.ts#mine' }, version: '1' },
    /^check\.schema use: expected in the file of a config.* give the schema itself/,
  ],
])('a check that is none is a problem at its place', (check, expected) => {
  const { problems } = checkConfig({ ...folder.toPipeline(), check })
  expect(problems.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([expect.stringMatching(expected)])
})

async function write(use: string): Promise<string> {
  await folder.write('input.ndjson', toStream(['A', 'B']))
  await folder.write(
    'steps.ts',
    `const validate = (record: { id: string }) =>
record.id === 'B' ? { issues: [{ message: 'not for sale', path: ['id'] }] } : { value: record }
export const sellable = { '~standard': { version: 1, vendor: 'test', validate } }
export const own = () => 1
`,
  )
  return folder.write(
    'products.yaml',
    `name: products
source: { files: ${JSON.stringify(join(folder.path, 'input.ndjson'))}, contract: v4/product }
check: { schema: { use: ${JSON.stringify(use)} }, version: '1' }
tables: { products: { columns: [id] } }
outputs: [{ format: csv, path: 'out/{table}.csv' }]
rejects: { limit: 1 }
`,
  )
}

describe('a YAML config names a schema of a module', () => {
  test('its refusals are rejects, trace names them, and plan says what checks and that the run is slower', async () => {
    const config = await write('./steps.ts#sellable')
    expect(await runInMemory(['run', config, '--out', folder.out])).toMatchObject({ exitCode: 0 })
    expect(await folder.readOut('products.csv')).toBe('id\nA\n')
    const traced = await runInMemory(['trace', config, 'B', '--out', folder.out])
    expect(traced.stdout + traced.stderr).toContain('not for sale')
    const { stdout } = await runInMemory(['plan', config])
    expect(stdout).toMatch(/^check \.\/steps\.ts#sellable, version 1$/m)
    expect(stdout).toMatch(/slow +the run takes several times as long: the fast path does not know code of the config/)
  })

  test('check names the line of a function in the place of a schema', async () => {
    const { exitCode, stdout, stderr } = await runInMemory(['check', await write('./steps.ts#own')])
    expect(exitCode).toBe(2)
    expect(stdout + stderr).toMatch(
      /3:\d+.*expected the schema "own" of ".\/steps.ts", which exports sellable, got a function without "~standard"/s,
    )
  })
})
