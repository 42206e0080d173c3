import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { BuiltCli } from '../../../cli/built-cli.ts'
import { forcedWorkers } from '../../../forced-workers.ts'
import { RunFolder, toStream } from '../../run-folder.ts'

let folder: RunFolder
let messagesPath: string

beforeEach(async () => {
  folder = await RunFolder.create()
  messagesPath = join(folder.path, 'messages')
  await folder.write('input.ndjson', toStream(['A', 'B', 'C']))
})
afterEach(() => folder.remove())

/** As Dagster writes a variable. */
function encode(value: unknown): string {
  return deflateSync(JSON.stringify(value)).toString('base64')
}

interface Step {
  readonly context?: string
  readonly messages?: string
  readonly limit?: number
}

/** Runs a pipeline of two tables as the step of Dagster with these assets and checks. */
async function runStep(
  context: { readonly asset_keys: readonly string[] | null; readonly extras?: object },
  changes: Partial<Omit<PipelineConfig, 'source'>> = {},
  step: Step = {},
) {
  const warnings: string[] = []
  const env = {
    ...forcedWorkers,
    DAGSTER_PIPES_CONTEXT: step.context ?? encode({ data: { extras: {}, run_id: 'r', ...context } }),
    DAGSTER_PIPES_MESSAGES: step.messages ?? encode({ path: messagesPath }),
  }
  const tables: PipelineConfig['tables'] = {
    products: { columns: ['id'] },
    product_brands: { each: 'brands[]', columns: 'all' },
  }
  const options = { env, limit: step.limit, onWarning: (message: string) => warnings.push(message) }
  const error = await folder.fail({ tables, ...changes }, options)
  return { error, warnings }
}

interface Message {
  readonly method: string
  readonly params: {
    readonly asset_key?: string
    readonly metadata?: Readonly<Record<string, { readonly type: string; readonly raw_value: unknown }>>
    readonly data_version?: string
  }
}

async function readMessages(): Promise<Message[]> {
  const text = await readFile(messagesPath, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { __dagster_pipes_version: version, ...message } = JSON.parse(line) as Message & Record<string, unknown>
      expect(version).toBe('0.1')
      return message
    })
}

/** The materialization of each asset, with the plain values of its metadata. */
async function readMaterializations(): Promise<Record<string, Record<string, unknown>>> {
  const found = (await readMessages()).filter(({ method }) => method === 'report_asset_materialization')
  return Object.fromEntries(
    found.map(({ params: { asset_key = '', metadata = {} } }) => [
      asset_key,
      Object.fromEntries(Object.entries(metadata).map(([name, { raw_value }]) => [name, raw_value])),
    ]),
  )
}

const rule = { expect: [{ column: 'id', in: ['A', 'B'], severity: 'warn' as const }] }

test('a step of Dagster is told of each table as an asset, of checks that it asks for, and of the end', async () => {
  const checks = ['lake/products:completeness', 'lake/products:ledger', 'lake/products:products_id_in']
  const asset_keys = ['lake/products', 'product_brands']
  const { warnings } = await runStep({ asset_keys, extras: { checks, mine: 1 } }, rule)
  expect(warnings).toEqual([])
  const messages = await readMessages()
  expect(messages.map(({ method }) => method)).toEqual([
    'opened',
    'log',
    'report_asset_check',
    'report_asset_check',
    'report_asset_check',
    'report_asset_materialization',
    'report_asset_materialization',
    'log',
    'report_custom_message',
    'closed',
  ])
  const [opened, broken, ...others] = messages
  expect(opened?.params).toEqual({ extras: {} })
  expect(broken?.params).toMatchObject({
    level: 'WARNING',
    message: expect.stringContaining('products_id_in: expected '),
  })
  expect(others.slice(0, 3).map(({ params }) => params)).toMatchObject([
    { asset_key: 'lake/products', check_name: 'completeness', passed: true, severity: 'WARN' },
    { asset_key: 'lake/products', check_name: 'ledger', passed: true, severity: 'ERROR' },
    { asset_key: 'lake/products', check_name: 'products_id_in', passed: false, severity: 'WARN' },
  ])
  const { runId, manifest, files } = JSON.parse(await folder.readOut('_manifest.json')) as {
    readonly runId: string
    readonly manifest: string
    readonly files: readonly { readonly bytes: number; readonly path: string }[]
  }
  expect(await readMaterializations()).toMatchObject({
    'lake/products': {
      'dagster/row_count': 3,
      'dagster/column_schema': { columns: [{ name: 'id', type: 'text' }] },
      bytes: files[0]?.bytes,
      path: files[0]?.path,
      completeness: 'proven',
      ledger: { lines: 3, accepted: 3 },
      run: runId,
      manifest,
    },
    product_brands: { 'dagster/row_count': 0, path: files[1]?.path },
  })
  expect(others.at(-2)?.params).toMatchObject({ payload: { ok: true, rows: { products: 3, product_brands: 0 } } })
  expect(others.at(-1)?.params).toEqual({})
})

test('the only asset of a step has every table, and the rows of the root table if none has its name', async () => {
  await runStep({ asset_keys: ['catalogue'] })
  const { catalogue = {} } = await readMaterializations()
  expect(catalogue).toMatchObject({
    'dagster/row_count': 3,
    tables: { records: [{ table: 'products', rows: 3 }, { table: 'product_brands' }] },
    paths: [expect.stringMatching(/products\.csv$/), expect.stringMatching(/product_brands\.csv$/)],
  })
})

test('assets without a table, and checks that nothing has, are named in the log of Dagster', async () => {
  await runStep({ asset_keys: ['products', 'shelves'], extras: { checks: ['products:freshness'] } })
  const logged = (await readMessages()).filter(({ method }) => method === 'log').map(({ params }) => params)
  expect(logged).toMatchObject([
    {
      level: 'WARNING',
      message: expect.stringContaining('products:freshness: expected one of the checks completeness'),
    },
    { level: 'WARNING', message: expect.stringContaining('shelves: expected an asset with the name of a table') },
    { level: 'INFO', message: 'products: published 3 of 3 lines' },
  ])
  expect(Object.keys(await readMaterializations())).toEqual(['products'])
})

test('the data version of an asset is another one if its rows are, and only then', async () => {
  const versions: unknown[] = []
  for (const ids of [['A'], ['A'], ['B']]) {
    await folder.write('input.ndjson', toStream(ids))
    await runStep({ asset_keys: ['products', 'product_brands'] })
    const found = (await readMessages()).filter(({ method }) => method === 'report_asset_materialization')
    versions.push(found.slice(-2).map(({ params }) => params.data_version))
  }
  const [first, again, other] = versions as [string[], string[], string[]]
  expect(again).toEqual(first)
  expect(other[0]).not.toBe(first[0])
  expect(other[1]).toBe(first[1])
})

test('a refused run has its broken rule as a failed check, an exception, and no materialization', async () => {
  const expectations = [{ column: 'id', in: ['A'], severity: 'error' as const }]
  const context = { asset_keys: ['products'], extras: { checks: ['products_id_in'] } }
  const { error } = await runStep(context, { expect: expectations })
  expect(error?.code).toBe('RULE_BROKEN')
  const messages = await readMessages()
  expect(messages.map(({ method }) => method)).toEqual([
    'opened',
    'log',
    'report_asset_check',
    'report_custom_message',
    'closed',
  ])
  const [check, payload, closed] = messages.slice(2).map(({ params }) => params)
  expect(check).toMatchObject({ asset_key: 'products', passed: false, severity: 'ERROR' })
  expect(payload).toMatchObject({ payload: { ok: false, pipeline: 'products', code: 'RULE_BROKEN', exitCode: 3 } })
  expect(closed).toMatchObject({ exception: { name: 'RULE_BROKEN', stack: [], cause: null, context: null } })
})

test('a rule that a sample can not judge passes, as Dagster fails a step that lacks a declared check', async () => {
  const context = { asset_keys: ['products'], extras: { checks: ['products_rows', 'rejects_limit'] } }
  const rows = [{ table: 'products', rows: { from: 2 }, severity: 'error' as const }]
  await runStep(context, { expect: rows }, { limit: 1 })
  const checks = (await readMessages()).filter(({ method }) => method === 'report_asset_check')
  expect(checks.map(({ params }) => params)).toMatchObject([
    {
      check_name: 'products_rows',
      passed: true,
      metadata: { got: { raw_value: expect.stringMatching(/^not judged/) } },
    },
    { check_name: 'rejects_limit', passed: true, severity: 'ERROR' },
  ])
})

test('an op without assets gets the numbers of a run as its message, and no materialization', async () => {
  await runStep({ asset_keys: null })
  expect((await readMessages()).map(({ method }) => method)).toEqual([
    'opened',
    'log',
    'report_custom_message',
    'closed',
  ])
})

describe('a run is published, with one warning, if Dagster', () => {
  const path = encode({ path: '/nowhere/messages' })
  test.each([
    ['has removed the file of its context', { context: encode({ path: '/nowhere/context' }) }, 'ENOENT'],
    ['has removed the folder of its messages', { messages: path }, 'ENOENT'],
    [
      'gives no place for messages',
      { messages: '' },
      'DAGSTER_PIPES_MESSAGES: expected parameters of Dagster Pipes, got nothing',
    ],
    [
      'sends other text',
      { context: 'swordfish' },
      'DAGSTER_PIPES_CONTEXT: expected parameters of Dagster Pipes, got other text',
    ],
    [
      'uses a bucket, which needs its own client',
      { messages: encode({ bucket: 'b', token: 'swordfish' }) },
      'DAGSTER_PIPES_MESSAGES: expected a path or stdio, got bucket, token',
    ],
    [
      'sends a context of another shape',
      { context: encode({ data: { asset_keys: 'swordfish' } }) },
      'the context of Dagster: ',
    ],
  ] satisfies readonly (readonly [string, Step, string])[])('%s', async (_, step, reason) => {
    const { error, warnings } = await runStep({ asset_keys: ['products'] }, {}, step)
    expect(error).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining(reason)])
    expect(warnings[0]).toMatch(/^Dagster: nothing was sent: /)
    expect(warnings[0]).not.toContain('swordfish')
  })
})

test.each(['stdio', 'buffered_stdio'])('messages go to standard error if Dagster reads logs: %s', async (key) => {
  const config = {
    source: { files: 'input.ndjson', contract: 'v4/product' },
    tables: { products: { columns: ['id'] } },
  }
  await folder.write(
    'p.json',
    JSON.stringify({ name: 'products', ...config, outputs: [{ format: 'csv', path: 'out/p.csv' }] }),
  )
  const env = {
    DAGSTER_PIPES_CONTEXT: encode({ data: { asset_keys: ['products'] } }),
    DAGSTER_PIPES_MESSAGES: encode({ [key]: 'stderr' }),
  }
  const cli = await BuiltCli.build()
  const { code, stderr } = await cli.start(['run', 'p.json', '--log', 'none'], { cwd: folder.path, env }).end()
  const methods = stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Message).method)
  expect({ code, methods }).toEqual({
    code: 0,
    methods: ['opened', 'report_asset_materialization', 'log', 'report_custom_message', 'closed'],
  })
})
