import { DuckDBInstance } from '@duckdb/node-api'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { readChanges, type ReadChangesOptions, type RecordChange, type RunReport } from '../../../src/index.ts'
import { cases } from '../../depth.ts'
import { ScriptedService, type ScriptedRecord } from '../../loads/state/scripted-service.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'

const outputs: NonNullable<PipelineConfig['outputs']> = [
  { format: 'ndjson', path: 'out/{table}.ndjson' },
  { format: 'parquet', path: 'out/changes/{table}.parquet', mode: 'changes', touched: true },
]
const changesOnly: NonNullable<PipelineConfig['outputs']> = [
  { format: 'parquet', path: 'out/changes/{table}.parquet', mode: 'changes' },
]
const shown = ({ change, id, before, after }: RecordChange) => [change, id, before?.['name_nl'], after?.['name_nl']]
type ColumnConfig = Exclude<
  NonNullable<NonNullable<PipelineConfig['tables']>[string]>['columns'],
  string | undefined
>[number]

const start = Date.UTC(2050, 0, 1)

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

describe('changes of scripted nights', () => {
  let service: ScriptedService
  let night: number

  beforeEach(async () => {
    service = await ScriptedService.start()
    night = 0
  })
  afterEach(() => service.close())

  const config = (more: Partial<Omit<PipelineConfig, 'source'>> = {}) => {
    const source = { ...service.source, filter: { status: ['active'] } }
    const tables = { products: { columns: ['id', 'name.nl'] } }
    return folder.config({ source, tables, outputs: changesOnly, incremental: { fullEvery: '90d' }, ...more })
  }
  const product = (id: string, name: string): ScriptedRecord => {
    return { id, name, updatedAt: start / 1000 + night * 86_400 - 60 }
  }

  async function run(...records: ScriptedRecord[]): Promise<void> {
    await runWith({}, ...records)
  }
  async function runWith(more: Parameters<typeof config>[0], ...records: ScriptedRecord[]) {
    service.records = records
    const now = (service.now = start + night++ * 86_400_000)
    return folder.run(config(more), { now: () => now })
  }

  const read = (options: ReadChangesOptions = {}) =>
    readAll(readChanges(config(), { outDir: folder.path, env: {}, ...options }))

  test('each change has its row and the one before, of the last run that changed the record; a new one has none', async () => {
    await run(product('A', 'one'), product('B', 'two'))
    await run(product('A', 'three'))
    await run({ ...product('B', 'two'), status: 'inactive' }, product('A', 'four'))
    await run(product('B', 'five'))
    const found = await read()
    expect(found.map(shown)).toEqual([
      ['new', 'A', undefined, 'one'],
      ['new', 'B', undefined, 'two'],
      ['changed', 'A', 'one', 'three'],
      ['changed', 'A', 'three', 'four'],
      ['removed', 'B', 'two', undefined],
      ['new', 'B', undefined, 'five'],
    ])
    expect(found[4]).toEqual({
      change: 'removed',
      changedAt: '2050-01-03T00:00:00Z',
      id: 'B',
      before: { id: 'B', name_nl: 'two' },
      after: null,
      tables: {},
      run: expect.any(String),
      previousRun: found[2]?.run,
      token: found[4]?.run,
    })
    expect(found[0]?.previousRun).toBeNull()
  })

  test('rows of a table whose record is not among the changes keep no others back', async () => {
    const photos = { each: 'photos[]', columns: [{ column: 'photo', from: 'id' }] }
    const more = { tables: { products: { columns: ['id', 'name.nl'] }, photos } }
    // In UTF-16 the last two are the other way round.
    const ids = ['A', 'B', 'b', 'é', '\uFFFD', '\u{1F600}']
    const { files } = await runWith(more, ...ids.map((id, at) => ({ ...product(id, 'one'), photos: [at, at + 10] })))
    await rewrite(files.find(({ table }) => table === 'products')?.path ?? '', "id IN ('B', 'é', '\u{1F600}')")
    const found = await readAll(readChanges(config(more), { outDir: folder.path, env: {}, tables: ['photos'] }))
    expect(found.map(({ id, tables }) => [id, tables['photos']?.map(({ photo }) => photo)])).toEqual([
      ['B', [1, 11]],
      ['é', [3, 13]],
      ['\u{1F600}', [5, 15]],
    ])
  })

  test('rows of records with whole numbers as ids come in the order of the numbers', async () => {
    const source = { files: join(folder.path, 'in.ndjson'), contract: 'v4/news-item' as const }
    const items = [9, 10, 11, 100, 9_007_199_254_740_991].map((id) => JSON.stringify(item(id)))
    await writeFile(source.files, `${items.join('\n')}\n`)
    const ofNews = {
      news: { columns: ['id'] },
      content: { each: 'content[]', columns: [{ column: 'text', from: 'text.nl' }] },
    }
    const numbered = folder.config({ source, tables: ofNews, outputs: changesOnly, incremental: undefined })
    await folder.run(numbered)
    const options = { outDir: folder.path, env: {}, tables: ['content'] }
    const found = await readAll(readChanges(numbered, options))
    expect(found.map(({ id, tables }) => [id, tables['content']?.map(({ text }) => text)])).toEqual([
      ['9', []],
      ...['10', '11', '100', '9007199254740991'].map((id) => [id, [id, 'more']]),
    ])
    expect(await readAll(readChanges(numbered, { ...options, after: found[1]?.token }))).toEqual(found.slice(2))
  })

  test('a record of which only rows of another table changed comes with all of these rows, its own as it was', async () => {
    const photos = { each: 'photos[]', columns: [{ column: 'photo', from: 'id' }] }
    const more = { tables: { products: { columns: ['id', 'name.nl'] }, photos } }
    const b = product('B', 'same')
    await runWith(more, { ...product('A', 'one'), photos: [1, 2] }, b)
    await runWith(more, { ...product('A', 'one'), photos: [1, 3, 2] }, b)
    await runWith(more, product('A', 'one'), b)
    const found = await readAll(readChanges(config(more), { outDir: folder.path, env: {}, tables: ['photos'] }))
    const row = { id: 'A', name_nl: 'one' }
    expect(
      found
        .slice(2)
        .map(({ change, before, after, tables }) => [
          change,
          before,
          after,
          tables['photos']?.map(({ photo }) => photo),
        ]),
    ).toEqual([
      ['changed', row, row, [1, 3, 2]],
      ['changed', row, row, []],
    ])
  })

  test('the token of any change continues behind it, also after the run that it is in', async () => {
    await run(product('A', 'one'), product('B', 'two'), product('C', 'three'))
    await run(product('A', 'four'), product('C', 'five'))
    const all = await read()
    expect(all).toHaveLength(5)
    for (const [at, { token }] of all.entries()) expect(await read({ after: token })).toEqual(all.slice(at + 1))
    await run(product('B', 'six'))
    expect((await read({ after: all.at(-1)?.token })).map(shown)).toEqual([['changed', 'B', 'two', 'six']])
  })

  test('files of a run that was read to its end may go, others are missed', async () => {
    await run(product('A', 'one'), product('B', 'two'))
    await run(product('A', 'three'))
    const all = await read()
    const first = (await folder.files()).find((name) => name.includes('run_date=2050-01-01'))
    await rename(join(folder.path, first ?? ''), join(folder.path, 'away'))
    const [change] = await read({ after: all[1]?.token })
    expect(change && shown(change)).toEqual(['changed', 'A', undefined, 'three'])
    const gone = expect.objectContaining({
      code: 'SOURCE_CHANGED',
      message: expect.stringContaining('run_date=2050-01-01'),
    })
    await expect(read()).rejects.toEqual(gone)
    await expect(read({ after: all[0]?.token })).rejects.toEqual(gone)
  })

  test('the row before a change is none of an older run than the one whose file is gone', async () => {
    await run(product('A', 'one'), product('B', 'one'))
    await run(product('A', 'two'))
    const all = await read()
    await run(product('A', 'three'), product('B', 'three'))
    await run(product('A', 'four'), product('B', 'four'))
    const second = (await folder.files()).find((name) => name.includes('run_date=2050-01-02'))
    await rm(join(folder.path, second ?? ''))
    expect((await read({ after: all.at(-1)?.token })).map(shown)).toEqual([
      ['changed', 'A', undefined, 'three'],
      ['changed', 'B', undefined, 'three'],
      ['changed', 'A', 'three', 'four'],
      ['changed', 'B', 'three', 'four'],
    ])
  })

  test('a cell of the row before is null if its column had another type or none, and back again', async () => {
    const text = tablesOf('id', { column: 'x', from: 'name.nl' }, { column: 'y', from: 'status' })
    const time = tablesOf('code', { column: 'x', from: 'meta.updatedAt' }, { column: 'y', from: 'status' })
    const list = tablesOf('id', { column: 'x', from: 'photos[].id' }, { column: 'z', from: 'status' })
    for (const [at, tables] of [text, time, list, list, text].entries())
      await runWith({ tables }, product('A', `${at}`))
    const found = await readAll(readChanges(config({ tables: text }), { outDir: folder.path, env: {} }))
    const active = 'active'
    expect(found.map(({ id, before, after }) => [id, before, after])).toEqual([
      ['A', null, { id: 'A', x: '0', y: active }],
      ['A', { code: 'A', x: null, y: active }, { code: 'A', x: '2050-01-01T23:59:00Z', y: active }],
      ['A', { id: 'A', x: null, z: null }, { id: 'A', x: null, z: active }],
      ['A', { id: 'A', x: null, z: active }, { id: 'A', x: null, z: active }],
      ['A', { id: 'A', x: null, y: null }, { id: 'A', x: '4', y: active }],
    ])
  })

  test('whole numbers keep every digit, and a float beyond them stays a number', async () => {
    const whole = { column: 'whole', from: 'name.nl', as: 'integer' as const }
    const columns: ColumnConfig[] = ['id', whole, { column: 'part', from: 'id', as: 'float' }]
    const more = { tables: { products: { columns } } }
    const [large, small] = ['9007199254740992', '9'] as const
    await runWith(more, product(large, '9007199254740993'), product(small, '-9223372036854775808'))
    await runWith(more, product(large, '9007199254740995'))
    const found = await readAll(readChanges(config(more), { outDir: folder.path, env: {} }))
    expect(found.map(({ before, after }) => [before, after])).toEqual([
      [null, { id: small, whole: -9_223_372_036_854_775_808n, part: 9 }],
      [null, { id: large, whole: 9_007_199_254_740_993n, part: 2 ** 53 }],
      [
        { id: large, whole: 9_007_199_254_740_993n, part: 2 ** 53 },
        { id: large, whole: 9_007_199_254_740_995n, part: 2 ** 53 },
      ],
    ])
  })

  test('a run that the manifest lost is missed', async () => {
    for (const name of ['one', 'two', 'three']) await run(product('A', name))
    const [, second] = await read()
    const path = join(folder.path, 'changes/_manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as RunReport
    const files = manifest.files.filter((file) => file.run !== second?.run)
    await writeFile(path, JSON.stringify({ ...manifest, files }))
    await expect(read()).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringContaining(`expected the changes of run ${second?.run} before those of`),
    })
  })

  test('a token of another chain, or no token at all, is refused', async () => {
    await run(product('A', 'one'))
    await expect(read({ after: '0123456789abcdef' })).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringMatching(/expected the changes of run 0123456789abcdef, after which to continue, got none/),
    })
    await expect(read({ after: 'A' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  test('a path that the last run did not write to is refused, with those that it wrote to', async () => {
    await run(product('A', 'one'))
    const elsewhere = [{ ...changesOnly[0], path: 'out/other/{table}.parquet' }] as NonNullable<
      PipelineConfig['outputs']
    >
    const moved = { ...config(), outputs: elsewhere, manifest: { path: 'out/changes/_manifest.json' } }
    await expect(readAll(readChanges(moved, { outDir: folder.path, env: {} }))).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      message: expect.stringMatching(
        /lists no changes of .*other\/products.parquet, but those of .*changes\/products.parquet$/,
      ),
    })
  })

  test('a config without Parquet files of changes, and a table that has none, are refused', async () => {
    await run(product('A', 'one'))
    await expect(read({ tables: ['photos'] })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('one of products, got "photos"'),
    })
    const without = { ...config(), outputs: [{ format: 'parquet' as const }] }
    await expect(readAll(readChanges(without, { env: {} }))).rejects.toMatchObject({ code: 'USAGE' })
  })

  test('a loop that is left early leaves no file or folder behind', async () => {
    await run(product('A', 'one'), product('B', 'two'))
    const before = await listTempFolders()
    for await (const { id } of readChanges(config(), { outDir: folder.path, env: {} })) {
      expect(id).toBe('A')
      expect(await listTempFolders()).toHaveLength(before.length + 1)
      break
    }
    expect(await listTempFolders()).toEqual(before)
  })

  test('an aborted signal ends with INTERRUPTED', async () => {
    await run(product('A', 'one'))
    await expect(read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

test('changes of many nights, read with stops at any of them, are what the merged output holds', async () => {
  const config = folder.config({ outputs })
  const products = new Map<string, unknown>()
  const photos = new Map<string, readonly unknown[]>()
  let after: string | undefined
  for (let night = 0; night < cases(12, 3); night++) {
    await folder.run({ outputs })
    for (let stops = 0, isOpen = true; isOpen; stops++) {
      isOpen = false
      const options = { outDir: folder.path, env: {}, after, tables: ['photos'] }
      for await (const change of readChanges(config, options)) {
        expect(change.before).toEqual(change.change === 'new' ? null : products.get(change.id))
        if (change.after === null) products.delete(change.id)
        else products.set(change.id, change.after)
        photos.set(change.id, change.tables['photos'] ?? [])
        after = change.token
        isOpen = true
        // Leaves in the middle of a run, twice.
        if (stops < 2 && photos.size % 7 === 3) break
      }
    }
    const byId = [...products].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(byId.map(([, row]) => row)).toEqual(await folder.rows())
    const ofPhotos = [...photos].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(ofPhotos.flatMap(([, rows]) => rows)).toEqual(await folder.rows('photos.ndjson'))
    folder.sandbox.advance()
  }
  await rm(join(folder.path, '_manifest.json'))
  await expect(readAll(readChanges(config, { outDir: folder.path, env: {} }))).rejects.toMatchObject({
    code: 'SOURCE_NOT_FOUND',
  })
})

/** Leaves only some rows of a file, as the manifest then lists it. */
async function rewrite(path: string, condition: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(
    `COPY (FROM read_parquet('${path}', hive_partitioning = false) WHERE ${condition}) TO '${path}.new' (FORMAT parquet)`,
  )
  connection.closeSync()
  instance.closeSync()
  await rename(`${path}.new`, path)
  const manifestPath = join(folder.path, 'changes/_manifest.json')
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as RunReport
  const { size: bytes } = await stat(path)
  const files = manifest.files.map((file) => (file.path === path ? { ...file, bytes } : file))
  await writeFile(manifestPath, JSON.stringify({ ...manifest, files }))
}

const item = (id: number) => ({
  id,
  content: id === 9 ? [] : [{ text: { nl: `${id}` } }, { text: { nl: 'more' } }],
})
const tablesOf = (id: string, ...columns: ColumnConfig[]) => ({
  products: { columns: [{ column: id, from: 'id' }, ...columns] },
})

async function listTempFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('catalogue-etl-changes-')).toSorted()
}

async function readAll(changes: AsyncIterable<RecordChange>): Promise<RecordChange[]> {
  const all: RecordChange[] = []
  for await (const change of changes) all.push(change)
  return all
}
