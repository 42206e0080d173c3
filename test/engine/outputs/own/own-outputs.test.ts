import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { catalogue } from '../../../../src/catalogue/catalogue.ts'
import type { PipelineConfig } from '../../../../src/config/schemas/pipeline-schema.ts'
import { checkConfig, planPipeline } from '../../../../src/plan/plan-pipeline.ts'
import type { OpenOwnOutput, OwnOutput, OwnTable } from '../../../../src/records/own-output.ts'
import type { TableRow } from '../../../../src/records/tables/row-of.ts'
import { generateLines } from '../../../../src/sandbox/data/generate-lines.ts'
import { checkSharding } from '../../../../src/shards/plan/check-sharding.ts'
import { runInMemory } from '../../../cli/memory-terminal.ts'
import { queryDuckDb } from '../../../pipelines/read-outputs.ts'
import { RunFolder, toStream } from '../../run-folder.ts'

let folder: RunFolder
let calls: string[]
let written: Map<string, TableRow[]>

beforeEach(async () => {
  folder = await RunFolder.create()
  calls = []
  written = new Map()
})
afterEach(() => folder.remove())

/** Notes every call; `changes` take the place of some. */
function noting(changes: Partial<OwnOutput> = {}): (table: OwnTable) => OwnOutput {
  return ({ name }) => {
    calls.push(`open ${name}`)
    const rows: TableRow[] = []
    written.set(name, rows)
    const note =
      <Args extends unknown[]>(what: keyof OwnOutput, own: (...args: Args) => unknown = () => undefined) =>
      (...args: Args) => {
        calls.push(`${what} ${name}`)
        return own(...args)
      }
    return {
      write: note('write', changes.write ?? ((batch) => void rows.push(...batch))),
      commit: note('commit', changes.commit),
      abort: note('abort', changes.abort),
    }
  }
}

const photos = {
  products: { columns: ['id', 'status'] },
  product_photos: { each: 'photos[]', columns: ['id', 'photoType'] },
}

function withOwn(open: OpenOwnOutput, more: Partial<PipelineConfig> = {}) {
  const csv = { format: 'csv', path: 'out/{table}.csv' } as const
  return { outputs: [csv, { format: 'own', name: 'mine', open }], ...more } satisfies Partial<PipelineConfig>
}

function toText(value: TableRow[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function failing(): never {
  throw new Error('gone')
}

function hashOf(name: string, open: OpenOwnOutput): string {
  return planPipeline(folder.toPipeline({ outputs: [{ format: 'own', name, open }] })).outputs.configHash
}

/** A pipeline of two tables. */
function ofTwo(changes: Partial<OwnOutput>) {
  const tables = { products: { columns: ['id'] }, copies: { columns: ['id'] } }
  return withOwn(noting(changes), { tables })
}

describe('an output of the config', () => {
  test.each([0, 3])('gets the rows that the CSV files have, in their order, with %i threads', async (workers) => {
    await folder.write(
      'input.ndjson',
      Buffer.concat([...generateLines({ contract: 'v4/product', records: 400, seed: 5 })]),
    )
    const report = await folder.run(withOwn(noting(), { tables: photos }), { workers })
    for (const [name, columns] of [
      ['products', ['id', 'status']],
      ['product_photos', ['id', 'photo_type']],
    ] as const) {
      const file = join(folder.out, `${name}.csv`)
      const expected = await queryDuckDb(
        `SELECT ${columns.join()} FROM read_csv('${file}', header = true, all_varchar = true, nullstr = '')`,
      )
      expect(expected.length).toBeGreaterThan(100)
      expect(written.get(name)?.map((row) => columns.map((column) => toText(row[column])))).toEqual(expected)
      expect(report.ownOutputs).toContainEqual({ output: 'mine', table: name, rows: expected.length })
    }
    expect(calls.slice(-2)).toEqual(['commit products', 'commit product_photos'])
    expect(calls.filter((call) => call.startsWith('abort'))).toEqual([])
  })

  test('gets the rows of a table that is computed over all records, too', async () => {
    const lines = [...generateLines({ contract: 'v4/product', records: 200, seed: 6 })]
    await folder.write('input.ndjson', Buffer.concat(lines))
    const tables: PipelineConfig['tables'] = { products: { columns: ['id'] }, codes: { builtin: 'codes' } }
    await folder.run(withOwn(noting(), { tables }))
    const file = join(folder.out, 'codes.csv')
    const [[expected]] = (await queryDuckDb(`SELECT count(*) FROM read_csv('${file}', header = true)`)) as [[unknown]]
    expect(Number(expected)).toBeGreaterThan(100)
    expect(written.get('codes')).toHaveLength(Number(expected))
    expect(written.get('products')).toHaveLength(200)
  })

  test('knows its table, and the run that it commits', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B']))
    const told: unknown[] = []
    const open = (table: OwnTable): OwnOutput => {
      const { signal, ...rest } = table
      told.push({ ...rest, isAborted: signal.aborted })
      return { ...noting()(table), commit: (run) => void told.push(run) }
    }
    const { runId } = await folder.run(withOwn(open, { tables: { products: { columns: ['id', 'publicPrice'] } } }))
    const columns = [
      { name: 'id', type: 'text' },
      { name: 'public_price', type: 'integer' },
    ]
    expect(told).toEqual([
      { pipeline: 'products', name: 'products', columns, tables: ['products'], isAborted: false },
      { runId, rows: 2 },
    ])
  })

  test('is named by the report and the page of the run, and by plan', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    await folder.write(
      'mine.ts',
      'export const open = () => ({ write: () => undefined, commit: () => undefined, abort: () => undefined })\n',
    )
    const config = await folder.write(
      'products.yaml',
      `name: products
source: { files: ${JSON.stringify(join(folder.path, 'input.ndjson'))}, contract: v4/product }
tables: { products: { columns: [id] } }
outputs: [{ format: own, name: mine, open: { use: './mine.ts#open' } }]
`,
    )
    const { stdout } = await runInMemory(['plan', config])
    expect(stdout).toMatch(/^hands rows to mine, \.\/mine\.ts#open$/m)
    const run = await runInMemory(['run', config, '--out', folder.out])
    expect(run).toMatchObject({ exitCode: 0 })
    expect(run.stdout + run.stderr).toMatch(/outputs +mine \(1 row\)/)
    expect(await readFile(join(folder.out, 'products/_report.html'), 'utf8')).toContain('Output of the config')
  })

  test('is a sink of `tables`', async () => {
    const path = await folder.write('input.ndjson', toStream(['A', 'B']))
    const sink = { format: 'own', name: 'mine', open: noting() } as const
    const manifest = { path: join(folder.out, 'run.json') }
    await catalogue('v4/product')
      .from(path)
      .tables({ products: { ...sink, columns: ['id'] } }, { manifest })
    expect(written.get('products')).toEqual([{ id: 'A' }, { id: 'B' }])
  })

  test('is written one batch after the other, each awaited', async () => {
    await folder.write(
      'input.ndjson',
      Buffer.concat([...generateLines({ contract: 'v4/product', records: 2000, seed: 5 })]),
    )
    let writing = 0
    let most = 0
    const write = async () => {
      most = Math.max(most, ++writing)
      await new Promise((resolve) => setTimeout(resolve, 2))
      writing--
    }
    await folder.run(ofTwo({ write }))
    expect(most).toBe(1)
    expect(calls.filter((call) => call === 'write products').length).toBeGreaterThan(1)
  })

  test('is opened again if the run reads anew for repeated ids, after it was aborted', async () => {
    await folder.write('input.ndjson', toStream(['A', 'B', 'A']))
    await folder.run(withOwn(noting(), { duplicates: 'last' }))
    expect(written.get('products')?.map(({ id }) => id)).toEqual(['B', 'A'])
    expect(calls).toEqual(['open products', 'abort products', 'open products', 'write products', 'commit products'])
  })
})

describe('nothing is committed from a run that fails', () => {
  test('of too many rejects: every table is aborted, once', async () => {
    await folder.write('input.ndjson', `${toStream(['A'])}{"id": []}\n`)
    const error = await folder.fail({ ...ofTwo({}), completeness: 'report', rejects: { limit: 0 } })
    expect(error?.code).toBe('TOO_MANY_REJECTS')
    expect(calls.filter((call) => !call.startsWith('write'))).toEqual([
      'open products',
      'open copies',
      'abort products',
      'abort copies',
    ])
  })

  test('as a write fails', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const error = await folder.fail(ofTwo({ write: async () => Promise.reject(new Error('disk full')) }))
    expect(error).toMatchObject({
      code: 'OUTPUT_FAILED',
      message: 'output "mine", table "products": expected write to end well, got an error: disk full',
      outputs: 'Nothing was saved; the earlier outputs are as they were.',
    })
    expect(calls).toEqual(['open products', 'open copies', 'write products', 'abort products', 'abort copies'])
    expect(await folder.listOut()).not.toContain('products.csv')
  })

  test('as the run is interrupted while it writes', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const stop = new AbortController()
    const open: OpenOwnOutput = (table) => ({
      ...noting()(table),
      write: () =>
        new Promise((_, reject) => {
          table.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
          stop.abort()
        }),
    })
    const error = await folder.fail(withOwn(open), { signal: stop.signal })
    expect(error?.code).toBe('INTERRUPTED')
    expect(calls).toEqual(['open products', 'abort products'])
  })

  test('as it is interrupted while a write never ends, after five seconds', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const stop = new AbortController()
    const write = () => {
      stop.abort()
      return new Promise(() => undefined)
    }
    const begun = performance.now()
    const error = await folder.fail(withOwn(noting({ write })), { signal: stop.signal })
    expect(error?.code).toBe('INTERRUPTED')
    expect(performance.now() - begun).toBeGreaterThan(4000)
    expect(calls).toEqual(['open products', 'write products', 'abort products'])
  })

  test.each([
    [null, 'got null'],
    [undefined, 'got undefined'],
    [{ write: () => 1 }, 'got one without commit, abort'],
  ])('as open gives %j', async (opened, got) => {
    await folder.write('input.ndjson', toStream(['A']))
    const open = (table: OwnTable) => (table.name === 'copies' ? (opened as never) : noting()(table))
    const error = await folder.fail({ ...ofTwo({}), ...withOwn(open), tables: ofTwo({}).tables })
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: `output "mine", table "copies": expected { write, commit, abort } of open, ${got}`,
    })
    expect(calls).toEqual(['open products', 'abort products'])
  })

  test('but what is committed before another commit fails, and the error says so', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    let commits = 0
    const commit = () => {
      if (++commits === 2) throw new Error('no connection')
    }
    const error = await folder.fail(ofTwo({ commit }))
    expect(error).toMatchObject({
      code: 'OUTPUT_FAILED',
      outputs:
        'The files are as they were. The commit of this run had ended well by then for output "mine", table "products". The next run brings all together.',
    })
    expect(calls.slice(-3)).toEqual(['commit products', 'commit copies', 'abort copies'])
    expect(await folder.listOut()).not.toContain('products.csv')
  })

  test('and a commit that fails as the run is interrupted says what is committed, too', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const stop = new AbortController()
    const commit = () => {
      if (stop.signal.aborted) throw new Error('stopped')
      stop.abort()
    }
    const error = await folder.fail(ofTwo({ commit }), { signal: stop.signal })
    expect(error).toMatchObject({
      code: 'OUTPUT_FAILED',
      outputs: expect.stringContaining('had ended well by then for output "mine", table "products".'),
    })
  })

  test('and an abort that fails is a warning, beside the error of the run', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    const warnings: string[] = []
    const error = await folder.fail(withOwn(noting({ write: failing, abort: failing })), {
      onWarning: (text) => warnings.push(text),
    })
    expect(error?.message).toContain('expected write to end well, got an error: gone')
    expect(warnings).toContain(
      'something of this run may be left in it: output "mine", table "products": expected abort to end well, got an error: gone',
    )
  })
})

test('the name and the tables of an output are part of the config hash, its function is not', () => {
  expect(hashOf('mine', noting())).toBe(hashOf('mine', noting()))
  expect(hashOf('mine', noting())).not.toBe(hashOf('other', noting()))
})

test.each<[string, Partial<PipelineConfig>, RegExp]>([
  [
    'state',
    {
      outputs: [
        { format: 'parquet', mode: 'merge' },
        { format: 'own', name: 'mine', open: noting() },
      ],
    },
    /^outputs\.1\.format expected outputs that hold what one run read/,
  ],
  [
    'no file',
    { outputs: [{ format: 'own', name: 'mine', open: { use: './mine.ts#open' } }] },
    /^outputs\.0\.open use: expected in the file of a config.*function itself/,
  ],
  [
    'one name twice',
    {
      outputs: [
        { format: 'own', name: 'mine', open: noting() },
        { format: 'own', name: 'mine', open: noting() },
      ],
    },
    /^outputs\.1\.name name: expected another one/,
  ],
  ['no function', { outputs: [{ format: 'own', name: 'mine', open: 1 as never }] }, /^outputs\.0\.open .*a function/],
  [
    'an unknown table',
    { outputs: [{ format: 'own', name: 'mine', open: noting(), tables: ['product'] }] },
    /^outputs\.0\.tables\.0 unknown table "product"/,
  ],
])('an output beside or with %s is a problem at its place', (_, config, expected) => {
  const { problems } = checkConfig(folder.toPipeline(config))
  expect(problems.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([expect.stringMatching(expected)])
})

test('a sample is refused before anything is opened', async () => {
  await folder.write('input.ndjson', toStream(['A', 'B']))
  const error = await folder.fail(withOwn(noting()), { limit: 1 })
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('a limit (1)') })
  expect(calls).toEqual([])
})

test('a plan of shards refuses it before anything is read', () => {
  const plan = planPipeline(folder.toPipeline(withOwn(noting())))
  expect(checkSharding(plan).map(({ message }) => message)).toEqual([
    expect.stringContaining('got an output of your own'),
  ])
})
