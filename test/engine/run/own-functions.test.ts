import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkConfig, planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { checkSharding } from '../../../src/shards/plan/check-sharding.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { queryDuckDb } from '../../pipelines/read-outputs.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

type Column = Exclude<
  Exclude<NonNullable<PipelineConfig['tables']>[string]['columns'], 'all' | undefined>[number],
  string
>

function withColumn(column: Partial<Column>): Pick<PipelineConfig, 'tables'> {
  return { tables: { products: { columns: ['id', { column: 'own', type: 'text', version: '1', ...column }] } } }
}

async function write(use: string): Promise<string> {
  await folder.write('input.ndjson', toStream(['A']))
  await folder.write(
    'steps.ts',
    'export const own = ({ id }: { id: string }): string => `${id}!`\nexport const no = 1\n',
  )
  return folder.write(
    'products.yaml',
    `name: products
source: { files: ${JSON.stringify(join(folder.path, 'input.ndjson'))}, contract: v4/product }
tables:
  products:
    columns:
      - id
      - { column: own, compute: { use: ${JSON.stringify(use)} }, type: text, version: '1' }
outputs: [{ format: csv, path: 'out/{table}.csv' }]
`,
  )
}

function hashOf(column: Partial<Column>): string {
  return planPipeline(folder.toPipeline(withColumn(column))).outputs.configHash
}

describe('a function of the config makes a column', () => {
  test('columns of records and of elements are what DuckDB computes from the raw lines', async () => {
    const raw = await folder.write(
      'input.ndjson',
      Buffer.concat([...generateLines({ contract: 'v4/product', records: 300, seed: 11 })]),
    )
    await folder.run({
      tables: {
        products: {
          columns: [
            'id',
            {
              column: 'doubled',
              compute: ({ publicPrice }: { publicPrice?: number | null }) =>
                publicPrice === null || publicPrice === undefined ? null : publicPrice * 2,
              type: 'integer',
              version: '1',
            },
          ],
        },
        product_photos: {
          each: 'photos[]',
          columns: [
            {
              column: 'alt',
              compute: (product: { id: string }, photo: { photoType?: string | null }) =>
                `${product.id}/${photo.photoType ?? '-'}`,
              type: 'text',
              version: '1',
            },
          ],
        },
      },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    })
    const lines = `read_json('${raw}', format = 'newline_delimited', records = true, maximum_object_size = 100000000, sample_size = -1)`
    const csv = (name: string) => `read_csv('${join(folder.out, name)}', header = true, all_varchar = true)`
    const own = await queryDuckDb(`SELECT id, doubled FROM ${csv('products.csv')} ORDER BY 1`)
    const expected = await queryDuckDb(
      `SELECT result.id, CAST(CAST(result.publicPrice AS BIGINT) * 2 AS VARCHAR) FROM ${lines} ORDER BY 1`,
    )
    expect(own.length).toBe(300)
    expect(own).toEqual(expected)
    const photos = await queryDuckDb(`SELECT alt FROM ${csv('product_photos.csv')} ORDER BY 1`)
    const expectedPhotos = await queryDuckDb(
      `SELECT id || '/' || coalesce(photo.photoType, '-') FROM (SELECT result.id AS id, unnest(result.photos) AS photo FROM ${lines}) ORDER BY 1`,
    )
    expect(photos.length).toBeGreaterThan(100)
    expect(photos).toEqual(expectedPhotos)
  })

  test('a long input has the same bytes with threads as without', async () => {
    const long = 'x'.repeat(1024 * 1024)
    const lines = Array.from({ length: 10 }, (_, at) =>
      JSON.stringify({ id: String(at), status: 'active', extra: long }),
    )
    await folder.write('input.ndjson', lines.map((line) => `${line}\n`).join(''))
    const config = { ...withColumn({ compute: ({ id }) => `no. ${id}` }), completeness: 'report' } as const
    const results = []
    for (const workers of [0, 4]) {
      await folder.run(config, { workers })
      results.push(await folder.readOut('products.csv'))
    }
    expect(results[0]).toBe(results[1])
    expect(results[0]).toContain('9,no. 9')
  })

  test('a merge with another version of the function has the new values of unchanged records', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const outputs: PipelineConfig['outputs'] = [{ format: 'parquet', mode: 'merge', path: 'out/{table}.parquet' }]
    const read = () => queryDuckDb(`SELECT id, own FROM '${join(folder.out, 'products.parquet')}' ORDER BY 1`)
    await folder.run({ ...withColumn({ compute: () => 'old' }), outputs })
    await folder.run({ ...withColumn({ compute: () => 'old' }), outputs })
    expect(await read()).toEqual([
      ['A', 'old'],
      ['B', 'old'],
    ])
    await folder.run({ ...withColumn({ compute: () => 'new', version: '2' }), outputs })
    expect(await read()).toEqual([
      ['A', 'new'],
      ['B', 'new'],
    ])
  })

  test('the declared version and type are part of the config hash, the code is not', () => {
    const first = hashOf({ compute: () => 1 })
    expect(hashOf({ compute: () => 2 })).toBe(first)
    expect(hashOf({ compute: () => 1, version: '2' })).not.toBe(first)
    expect(hashOf({ compute: () => 1, type: 'integer' })).not.toBe(first)
  })
})

describe('what a function gives or throws decides on the record, or ends the run', () => {
  test.each([
    ['integer', 1.5],
    ['integer', {}],
    ['decimal(4,2)', '123.45'],
    ['float', Number.NaN],
    ['timestamp', new Date(Number.NaN)],
    ['json', { inner: () => 1 }],
    ['text', Symbol('s')],
  ])('a value that does not fit %s rejects the record', async (type, value) => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const compute = ({ id }: { id: string }) => (id === 'B' ? value : null)
    await folder.run({ ...withColumn({ compute, type }), rejects: { limit: 1 } })
    expect(await folder.readOut('products.csv')).toBe('id,own\nA,\n')
    const [reject] = (await folder.readOut('_rejects.ndjson')).trim().split('\n')
    expect(reject).toContain('"line":2')
    expect(reject).toMatch(/not_convertible.*becomes .* without loss \(column \\"own\\"\)/)
  })

  test.each([
    ['throws', () => JSON.parse('{'), /line 2, record "B", column "own": expected a value, got an error: /],
    ['is async', async () => Promise.reject(new Error('late')), /got a promise: the function must not be async$/],
    ['changes its record', (record: { status: string }) => (record.status = 'x'), /got an error: Cannot assign/],
  ])('a function that %s ends the run at its line, and nothing is published', async (_, fail, message) => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const error = await folder.fail(withColumn({ compute: (record) => (record.id === 'B' ? fail(record) : 'fine') }))
    expect(error?.code).toBe('CONFIG_INVALID')
    expect(error?.message).toMatch(message)
    expect(await folder.listOut()).not.toContain('products.csv')
  })

  test('a plan of shards refuses a function before anything is read', () => {
    const plan = planPipeline(folder.toPipeline(withColumn({ compute: () => 1 })))
    expect(checkSharding(plan).map(({ message }) => message)).toEqual([expect.stringContaining('got compute')])
  })

  test('every wrong key beside compute is a problem of its own', () => {
    const columns = [
      { compute: () => 1, as: 'text', locale: 'nl' },
      { column: 'x', from: 'id', compute: () => 1 },
    ]
    const { problems } = checkConfig(folder.toPipeline({ tables: { products: { columns } } }))
    expect(problems.map(({ path, message }) => `${path.slice(3).join('.')} ${message}`)).toEqual([
      '0.as as: expected no such key beside compute: write type',
      '0.locale locale: expected no such key beside compute: the function makes the value',
      '0.column missing key "column", expected a name beside compute, got nothing',
      '0.type missing key "type", expected a column type such as decimal(12,2) beside compute, got nothing',
      '0.version missing key "version", expected a text such as "1" beside compute, got nothing',
      expect.stringMatching(/^1 .*exactly one of from, count, has and compute/),
    ])
  })
})

describe('a YAML config names a function of a module', () => {
  test('run has its column, and plan says that the run is slower, and why', async () => {
    const config = await write('./steps.ts#own')
    const run = await runInMemory(['run', config, '--out', folder.out])
    expect(run.stderr).not.toContain('problem')
    expect(run.exitCode).toBe(0)
    expect(await folder.readOut('products.csv')).toBe('id,own\nA,A!\n')
    const { stdout } = await runInMemory(['plan', config])
    expect(stdout).toMatch(/slow +the run takes several times as long .*code of the config/)
  })

  test('a changed module is another config, even with the same version', async () => {
    const config = await write('./steps.ts#own')
    const hash = async () => {
      await runInMemory(['run', config, '--out', folder.out])
      return (JSON.parse(await readFile(join(folder.out, '_manifest.json'), 'utf8')) as { configHash: string })
        .configHash
    }
    const first = await hash()
    expect(await hash()).toBe(first)
    await folder.write('steps.ts', 'export const own = () => 2\n')
    expect(await hash()).not.toBe(first)
  })

  test.each([
    ['./none.ts#own', /7:\d+.*expected a module ".\/none.ts" beside the config, got nothing there/s],
    ['./steps.ts#oen', /7:\d+.*expected the function "oen" of ".\/steps.ts", which exports own, got nothing/s],
    ['./steps.ts#no', /7:\d+.*expected the function "no" .*got a number/s],
    ['./steps.ts', /7:\d+.*expected a file and the name of its export, such as/s],
  ])('check names the line of %s', async (use, expected) => {
    const { exitCode, stdout, stderr } = await runInMemory(['check', await write(use)])
    expect(exitCode).toBe(2)
    expect(stdout + stderr).toMatch(expected)
  })
})
