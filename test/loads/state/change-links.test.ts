import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { backfillPlan } from '../../../src/engine/run/backfill.ts'
import { resetState } from '../../../src/engine/run/reset-state.ts'
import type { FileReport, Manifest } from '../../../src/manifest/manifest.ts'
import { checkConfig, planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { ScriptedService, type ScriptedRecord } from './scripted-service.ts'
import { StateFolder } from './state-folder.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>
type Row = Readonly<Record<string, unknown>>

const merge: Outputs[number] = { format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' }
const changes: Outputs[number] = { format: 'ndjson', path: 'out/changes/{table}.ndjson', mode: 'changes' }
const start = Date.UTC(2050, 0, 1)
const day = 86_400_000

let folder: StateFolder
let service: ScriptedService
let night: number

beforeEach(async () => {
  ;[folder, service] = await Promise.all([StateFolder.create(), ScriptedService.start()])
  night = 0
})
afterEach(() => Promise.all([folder.close(), service.close()]))

function config(more: Partial<Omit<PipelineConfig, 'source'>> = {}) {
  return {
    source: { ...service.source, filter: { status: ['active'] } },
    rejects: { limit: '100%' },
    incremental: { overlap: '0s', fullEvery: '90d' },
    tables: { products: { columns: ['id', 'status', 'name.nl', 'meta.updatedAt'] } },
    outputs: [merge, changes],
    manifest: { path: 'out/_manifest.json' },
    ...more,
  }
}

/** Runs a night over these records; gives its files of changes, and their rows. */
async function run(
  records: readonly ScriptedRecord[],
  more: Partial<Omit<PipelineConfig, 'source'>> = {},
  options: RunOptions = {},
): Promise<{ files: FileReport[]; last: FileReport | undefined; rows: Row[] }> {
  service.records = records
  service.now = start + night++ * day
  const now = service.now
  const report = await folder.run(config(more), { now: () => now, ...options })
  const files = report.files.filter(({ mode }) => mode === 'changes')
  const last = files.at(-1)
  return { files, last, rows: last === undefined ? [] : await readRows(last.path) }
}

async function readRows(path: string): Promise<Row[]> {
  const text = await readFile(path, 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

/** The file that a run added, which names the run before, and its rows. */
async function rowsAfter(last: FileReport | undefined, { files }: Pick<Manifest, 'files'>) {
  const added = files.findLast(({ mode }) => mode === 'changes')
  expect(added?.previousRun).toBe(last?.run)
  return { added, rows: (await readRows(added?.path ?? '')).map(shown) }
}

const product = (id: string, name: string, updatedAt: number | null = null): ScriptedRecord => {
  return { id, name, updatedAt: updatedAt ?? start / 1000 + night * 86_400 - 60 }
}
const shown = ({ id, _change, name_nl }: Row) => [id, _change, name_nl]

describe('files of changes', () => {
  test('the first one has every record as new, and a later one what is new, changed or removed, with its key and last status', async () => {
    const [a, b, c] = [product('A', 'one'), product('B', 'two'), product('C', 'three')]
    const first = await run([a, b, c])
    expect(first.rows.map(shown)).toEqual([
      ['A', 'new', 'one'],
      ['B', 'new', 'two'],
      ['C', 'new', 'three'],
    ])
    expect(first.last).toMatchObject({
      mode: 'changes',
      previousRun: null,
      run: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    const second = await run([
      a,
      { ...product('B', 'two'), status: 'inactive' },
      product('C', '3'),
      product('D', 'four'),
    ])
    expect(second.rows.map(shown)).toEqual([
      ['B', 'removed', null],
      ['C', 'changed', '3'],
      ['D', 'new', 'four'],
    ])
    expect(second.rows[0]).toEqual({
      id: 'B',
      status: 'active',
      name_nl: null,
      meta_updated_at: null,
      _change: 'removed',
      _changed_at: '2050-01-02T00:00:00Z',
      _run: second.last?.run,
      _previous_run: first.last?.run,
    })
    expect(second.files.map(({ path }) => path)).toEqual([first.last?.path, second.last?.path])
    expect(second.last?.path).toContain('changes/run_date=2050-01-02/products-')
  })

  test('a night that only touches records adds an empty file, in which a reader of touches has them', async () => {
    const touching = { ...changes, path: 'out/touched/{table}.ndjson', touched: true }
    const outputs = [merge, changes, touching]
    await run([product('A', 'one'), product('B', 'two', 1000)], { outputs })
    const { files } = await run([product('A', 'one'), product('B', 'two', 1000)], { outputs })
    const [plain, touched] = files.slice(-2)
    expect(plain).toMatchObject({ rows: 0, previousRun: files[0]?.run })
    expect(await readRows(plain?.path ?? '')).toEqual([])
    expect((await readRows(touched?.path ?? '')).map(shown)).toEqual([['A', 'touched', 'one']])
  })

  test('a night that finds nothing adds no file, and the next one names the run before it', async () => {
    const [a, b] = [product('A', 'one'), product('B', 'two')]
    const first = await run([a, b])
    const second = await run([a, b])
    expect(second.files).toEqual(first.files)
    const third = await run([a, product('B', 'three')])
    expect(third.last?.previousRun).toBe(first.last?.run)
  })

  test('the same source read again in another state gives a run of another name', async () => {
    const records = [[product('A', 'one')], [product('A', 'two')]]
    const runs: (string | undefined)[] = []
    for (let time = 0; time < 4; time++) {
      const { last } = await run(records[time % 2] ?? [], {}, { fullRefresh: true })
      runs.push(last?.run)
    }
    expect(new Set(runs).size).toBe(4)
  })

  test('after a reset the next file has every record, and says that none comes before it', async () => {
    const first = await run([product('A', 'one'), product('B', 'two')])
    await resetState(planPipeline(folder.config(config()), { outDir: folder.path, env: {} }), { env: {} })
    const { last, rows } = await run([product('B', 'two')])
    expect(rows.map(shown)).toEqual([['B', 'new', 'two']])
    expect(last?.previousRun).toBeNull()
    expect(last?.run).not.toBe(first.last?.run)
  })
})

describe('files of changes between two nights', () => {
  test('corrected rejects that are replayed add a file after that of their run, and the next night comes after it', async () => {
    await run([product('A', 'one'), product('B', 'two')])
    const broken: ScriptedRecord[] = [
      { ...product('B', 'put right'), broken: 'contract' },
      { ...product('C', 'three'), broken: 'contract' },
    ]
    const second = await run([product('A', 'four'), ...broken])
    expect(second.rows.map(shown)).toEqual([['A', 'changed', 'four']])
    const rejects = await readRows(join(folder.path, '_rejects.ndjson'))
    const fixed = join(folder.path, 'fixed.ndjson')
    const lines = rejects.map((reject) =>
      JSON.stringify({ ...reject, raw: String(reject['raw']).replace('"no price"', 'null') }),
    )
    await writeFile(fixed, `${lines.join('\n')}\n`)
    const now = service.now ?? 0
    const replayed = await rowsAfter(second.last, await folder.run(config(), { fixed, now: () => now }))
    expect(replayed.rows).toEqual([
      ['B', 'changed', 'put right'],
      ['C', 'new', 'three'],
    ])
    const third = await run([product('A', 'five'), product('B', 'put right', 1000), product('C', 'three', 1000)])
    expect(third.rows.map(shown)).toEqual([['A', 'changed', 'five']])
    expect(third.last?.previousRun).toBe(replayed.added?.run)
  })

  test('a backfill adds a file after that of the last night, and the next night comes after it', async () => {
    const a = product('A', 'one')
    const first = await run([a])
    service.records = [a, product('B', 'late', start / 1000 - 20 * 86_400)]
    const plan = planPipeline(folder.config(config()), { outDir: folder.path, env: {} })
    const now = service.now ?? 0
    const span = { from: '2049-12-01', until: '2049-12-31', window: '40d', windowMs: 40 * day }
    const reports = await backfillPlan(plan, { ...span, workers: 0, env: {}, now: () => now })
    const filled = await rowsAfter(first.last, { files: reports.at(-1)?.files ?? [] })
    expect(filled.rows).toEqual([['B', 'new', 'late']])
    const next = await run([product('A', 'two'), ...service.records.slice(1)])
    expect(next.rows.map(shown)).toEqual([['A', 'changed', 'two']])
    expect(next.last?.previousRun).toBe(filled.added?.run)
  })
})

describe('files of changes after an edit of the config', () => {
  test('an output that is new in a pipeline begins with every record, also one that is rejected at the time', async () => {
    await run([product('A', 'one'), product('B', 'two')], { outputs: [merge] })
    const broken: ScriptedRecord = { ...product('B', 'other'), broken: 'contract' }
    const { rows, last } = await run([product('A', 'one', 1000), broken])
    expect(last?.previousRun).toBeNull()
    expect(rows.map(shown)).toEqual([
      ['A', 'new', 'one'],
      ['B', 'new', 'two'],
    ])
    const next = await run([product('A', 'one', 1000), product('B', 'two, put right')])
    expect(next.rows.map(shown)).toEqual([['B', 'changed', 'two, put right']])
  })

  test('a new output has no rows of a rejected record whose row only another table has', async () => {
    const tables = {
      products: { columns: ['id', 'name.nl'] },
      photos: { each: 'photos[]', columns: [{ column: 'photo', from: 'id' }] },
    }
    const photosOnly = { ...merge, tables: ['photos'] }
    const a = { ...product('A', 'one', 1000), photos: [1] }
    const b = { ...product('B', 'two', 1000), photos: [2, 3] }
    await run([a, b], { tables, outputs: [photosOnly] })
    const broken: ScriptedRecord = { ...product('A', 'other'), photos: [4], broken: 'contract' }
    const { files } = await run([broken, b], { tables, outputs: [photosOnly, changes] }, { fullRefresh: true })
    const rows = await Promise.all(files.map(({ path }) => readRows(path)))
    expect(rows.flat().map(({ id, product_id: of, photo }) => [id ?? of, photo])).toEqual([
      ['B', undefined],
      ['B', 2],
      ['B', 3],
    ])
  })

  test('another column gives the rows of every record, as changed, and continues the chain', async () => {
    const records = [product('A', 'one'), product('B', 'two')]
    const first = await run(records)
    const tables = { products: { columns: ['id', 'status', 'name.nl', 'cnk'] } }
    const second = await run([...records, product('C', 'three')], { tables })
    expect(second.rows.map(shown)).toEqual([
      ['A', 'changed', 'one'],
      ['B', 'changed', 'two'],
      ['C', 'new', 'three'],
    ])
    expect(second.rows[0]).toHaveProperty('cnk')
    expect(second.last?.previousRun).toBe(first.last?.run)
    const third = await run([...records, product('C', 'four')], { tables })
    expect(third.rows.map(shown)).toEqual([['C', 'changed', 'four']])
  })

  test('without a merged output, a record that was rejected at the edit comes with the first full read without rejects', async () => {
    const outputs = [changes]
    await run([product('A', 'one'), product('B', 'two', 1000)], { outputs })
    const tables = { products: { columns: ['id', 'status', 'name.nl', 'cnk'] } }
    const broken: ScriptedRecord = { ...product('B', 'other'), broken: 'contract' }
    expect((await run([product('A', 'one'), broken], { outputs, tables })).rows.map(shown)).toEqual([
      ['A', 'changed', 'one'],
    ])
    const full = { fullRefresh: true }
    const right = [product('A', 'one', 1000), product('B', 'two', 1000)]
    expect((await run(right, { outputs, tables }, full)).rows.map(shown)).toEqual([
      ['A', 'changed', 'one'],
      ['B', 'changed', 'two'],
    ])
    expect((await run(right, { outputs, tables }, full)).rows).toHaveLength(2)
  })

  test('an edit that keeps the shape of rows gives no record again', async () => {
    const records = [product('A', 'one'), product('B', 'two')]
    const first = await run(records)
    const second = await run(records, {
      outputs: [merge, changes, { ...merge, format: 'csv', path: 'out/{table}.csv' }],
    })
    expect(second.rows).toEqual([])
    expect(second.last?.previousRun).toBe(first.last?.run)
  })

  test('an output that moves begins with every record, as its former files may go', async () => {
    const records = [product('A', 'one'), product('B', 'two')]
    await run(records)
    const { last, rows } = await run(records, { outputs: [merge, { ...changes, path: 'out/there/{table}.ndjson' }] })
    expect(last?.path).toContain('/there/')
    expect(rows.map(shown)).toEqual([
      ['A', 'new', 'one'],
      ['B', 'new', 'two'],
    ])
    expect(last?.previousRun).toBeNull()
  })

  test('files of changes at the path of another mode are refused, and the other way round', async () => {
    await run([product('A', 'one')])
    const error = await folder.fail(config({ outputs: [merge, { ...changes, mode: 'append' }] }))
    expect(error).toMatchObject({ code: 'TARGET_MISMATCH', message: expect.stringContaining('`mode: changes`') })
    const other = await folder.fail(config({ outputs: [{ ...merge, mode: 'changes' }] }))
    expect(other.code).toBe('TARGET_MISMATCH')
  })

  test('files of changes whose manifest is gone are refused', async () => {
    await run([product('A', 'one')])
    const error = await folder.fail(config({ manifest: { path: 'out/other/_manifest.json' } }))
    expect(error).toMatchObject({ code: 'STATE_INVALID', message: expect.stringMatching(/run_date=2050-01-01/) })
  })
})

describe('a config with mode: changes', () => {
  const photos = { photos: { each: 'photos[]', columns: ['id'] } }

  test.each<[string, Partial<PipelineConfig>, string]>([
    [
      'partitionBy',
      { outputs: [{ ...changes, partitionBy: ['status'] }] },
      'partitionBy: expected only with other modes, as a removed record has no values, got it with changes',
    ],
    [
      'no table of records',
      { tables: photos },
      'mode: changes needs a table without each in the same output, which lists removed records, got only "photos"',
    ],
    [
      'touched in another mode',
      { outputs: [{ ...merge, touched: true }] },
      'touched: expected only with mode: changes, got it with merge',
    ],
    [
      'touched in a workbook',
      { incremental: undefined, outputs: [{ format: 'xlsx', path: 'out/a.xlsx', touched: true }] } as never,
      'touched: expected only in other formats, as a workbook is one file that each run writes anew, got it with xlsx',
    ],
    [
      'a column of the same name',
      { tables: { products: { columns: ['id', { column: '_change', from: 'status' }] } } },
      'mode: changes adds a column "_change", which table "products" has already: give that another name with column:',
    ],
  ])('is refused with %s', async (_, more, message) => {
    const { problems } = checkConfig(folder.config({ ...config(), ...more }), {
      outDir: folder.path,
      env: {},
    })
    expect(problems.map((problem) => problem.message)).toEqual([message])
  })
})
