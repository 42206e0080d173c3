import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import type { PublishedManifest } from '../../../src/manifest/manifest.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { query, readDelta } from '../readers/read-delta.ts'

let folder: StateFolder
beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

const outputs: NonNullable<PipelineConfig['outputs']> = [{ format: 'delta', path: 'out/lake/{table}' }]
const manifest = { path: 'out/_manifest.json' }

test('Delta tables may be the only outputs, and the manifest has their versions', async () => {
  const first = await folder.run({ outputs, manifest })
  expect(first.files).toEqual([])
  expect(first.databases).toMatchObject([
    {
      target: join(folder.path, 'lake/{table}'),
      format: 'delta',
      mode: 'merge',
      tables: [
        { name: 'products', version: 0 },
        { name: 'photos', version: 0 },
      ],
    },
  ])
  folder.sandbox.advance()
  const second = await folder.run({ outputs, manifest })
  expect(second.state.kind).toBe('delta')
  const published = JSON.parse(await readFile(join(folder.path, '_manifest.json'), 'utf8')) as PublishedManifest
  expect(published.databases).toEqual(second.databases)
  expect(published.databases?.[0]?.tables.map(({ version }) => version)).toContain(1)
  for (const { name, version } of published.databases?.[0]?.tables ?? [])
    expect((await readDelta(join(folder.path, 'lake', name))).version).toBe(version)
})

test('a night in which nothing changed commits no table, and says so in the state of the lake alone', async () => {
  await folder.run({ outputs, manifest })
  const { databases = [] } = await folder.run({ outputs, manifest })
  expect(databases[0]?.tables).toEqual([
    { name: 'products', rowsWritten: 0, version: 0 },
    { name: 'photos', rowsWritten: 0, version: 0 },
  ])
  const { version, commits } = await readDelta(join(folder.path, 'lake/_catalogue_etl/products'))
  expect(version).toBe(1)
  expect(commits[1]?.some((action) => action.add)).toBe(false)
})

test('a load that meets an id twice begins again, with one commit and no other file', async () => {
  const files = join(folder.path, 'input.ndjson')
  const source = { files, contract: 'v4/product' as const }
  const statuses = ['inactive', 'active', 'active']
  await writeFile(files, statuses.map((status, at) => `{"id":"${'ABA'[at]}","status":"${status}"}\n`).join(''))
  const { incremental: _, ...config } = folder.config({ manifest, source })
  const merged = [{ format: 'delta' as const, path: 'out/lake/{table}', mode: 'merge' as const }]
  const { ledger, stages } = await runPipeline({ ...config, outputs: merged }, { outDir: folder.path, env: {} })
  expect(ledger).toMatchObject({ accepted: 2, duplicate: 1, repeatedIds: 1 })
  expect(stages.map(({ name }) => name)).toEqual(['prepare', 'read and encode', 'find duplicates', 'finish outputs'])
  const products = join(folder.path, 'lake/products')
  const { version, files: listed } = await readDelta(products)
  expect(version).toBe(0)
  expect((await readdir(products)).toSorted()).toEqual(
    ['_delta_log', ...listed.map(({ path }) => basename(path))].toSorted(),
  )
  expect(await query(`SELECT id, status FROM '${listed[0]?.path}' ORDER BY id`)).toEqual([
    ['A', 'active'],
    ['B', 'active'],
  ])
})

test('a run whose manifest was not published is repeated, and the lake finds no changes', async () => {
  await folder.run({ outputs, manifest })
  const before = await readFile(join(folder.path, '_manifest.json'))
  folder.sandbox.advance()
  await folder.run({ outputs, manifest })
  const tables = await readDelta(join(folder.path, 'lake/products'))
  await writeFile(join(folder.path, '_manifest.json'), before)
  const { databases = [] } = await folder.run({ outputs, manifest })
  expect(databases[0]?.changes).toMatchObject({ new: 0, changed: 0, removed: 0 })
  expect(await readDelta(join(folder.path, 'lake/products'))).toEqual(tables)
})

test('the report tells if another engine has changed the number of rows, and verify before the run', async () => {
  await folder.run({ outputs, manifest })
  const plan = planPipeline(folder.config({ outputs, manifest }), { outDir: folder.path, env: {} })
  expect(await verifyPipeline(plan, { env: {} })).toMatchObject({
    ok: true,
    databases: [
      { target: join(folder.path, 'lake/{table}'), tables: [{ name: 'products', rows: 60 }, { name: 'photos' }] },
    ],
  })
  await removeRows('products')
  const verified = await verifyPipeline(plan, { env: {} })
  expect(verified.differences).toMatchObject([
    {
      kind: 'changed',
      expected: 'version 0, as the last load left it',
      got: 'version 1, with other rows, which the next run brings back',
    },
  ])
  const warnings: string[] = []
  const { databases = [] } = await folder.run({ outputs, manifest }, { onWarning: (message) => warnings.push(message) })
  expect(databases[0]?.differences).toEqual([{ table: 'products', expected: 60, got: 0 }])
  expect(warnings).toContainEqual(
    `products of ${join(folder.path, 'lake/{table}')} had 0 rows, the last load left 60: its rows are as the loads left them again, and rows of others with other ids stay`,
  )
  expect((await verifyPipeline(plan, { env: {} })).ok).toBe(true)
  const { files } = await readDelta(join(folder.path, 'lake/products'))
  await rm(files[0]?.path ?? '')
  expect((await verifyPipeline(plan, { env: {} })).differences).toMatchObject([
    { kind: 'changed', got: expect.stringContaining('a data file is gone') as string },
    { kind: 'missing' },
  ])
})

test('profile reads Delta tables if nothing else is published', async () => {
  await folder.run({ outputs, manifest })
  const plan = planPipeline(folder.config({ outputs, manifest }), { outDir: folder.path, env: {} })
  const { tables } = await profilePipeline(plan, { env: {} })
  expect(tables.map(({ name, rows }) => [name, rows])).toMatchObject([
    ['products', 60],
    ['photos', expect.any(Number)],
  ])
})

test('snapshots of files need no id to be tracked by the service, and write a table only if it changed', async () => {
  const source = { files: join(folder.path, 'export.ndjson'), contract: 'v4/product' } as const
  const lines = await exportLines()
  await writeFile(source.files, lines.join('\n'))
  const config = { source, incremental: undefined, outputs, manifest, tables: undefined }
  const { databases = [] } = await folder.run(config)
  expect(databases[0]).toMatchObject({ mode: 'snapshot' })
  const again = await folder.run(config)
  expect(again.databases?.[0]?.tables.every(({ rowsWritten }) => rowsWritten === 0)).toBe(true)
  await writeFile(source.files, lines.slice(1).join('\n'))
  const third = await folder.run(config)
  expect(third.databases?.[0]?.changes.removed).toBe(1)
  const { files } = await readDelta(join(folder.path, 'lake/products'))
  expect(await query(`SELECT count(*)::INTEGER FROM read_parquet('${files[0]?.path}')`)).toEqual([[lines.length - 1]])
})

test('trace explains lines that a lake holds; ddl says that tables of lakes need no statements, and diff compares them', async () => {
  const files = join(folder.path, 'export.ndjson')
  const lines = await exportLines()
  await writeFile(files, lines.join('\n'))
  const source = { files, contract: 'v4/product' } as const
  const config = folder.config({ source, incremental: undefined, outputs, manifest, tables: undefined })
  const file = join(folder.path, 'lake.json')
  await writeFile(
    file,
    JSON.stringify({ ...config, outputs: [{ format: 'delta', path: `${folder.path}/lake/{table}` }] }),
  )
  const run = (...args: string[]) => runInMemory([...args, '--out', folder.path], { env: {} })
  expect((await run('run', file)).exitCode).toBe(0)
  const { id } = JSON.parse(lines[0] ?? '') as { id: string }
  const traced = await run('trace', file, id)
  expect([traced.exitCode, traced.stdout]).toEqual([0, expect.stringContaining('export.ndjson')])
  const ddl = await run('describe', file, '--as', 'ddl', '--dialect', 'spark')
  expect([ddl.exitCode, ddl.stderr]).toEqual([2, expect.stringContaining('`--views` prints views')])
  const published = join(folder.path, '_manifest.json')
  const diff = await runInMemory(['diff', published, published], { env: {} })
  expect([diff.exitCode, diff.stdout]).toEqual([0, expect.stringContaining('no difference')])
})

async function exportLines(): Promise<string[]> {
  await folder.run({
    outputs: [{ format: 'ndjson', path: 'out/raw/{table}.ndjson' }],
    tables: { products: { columns: ['id', { column: 'raw', from: '$', as: 'json' }] } },
  })
  return (await folder.rows('raw/products.ndjson')).map(({ raw }) => JSON.stringify(raw))
}

async function removeRows(table: string): Promise<void> {
  const at = join(folder.path, 'lake', table)
  const { files, version } = await readDelta(at)
  const actions = files.map(({ path }) => ({
    remove: { path: path.slice(at.length + 1), deletionTimestamp: 0, dataChange: true },
  }))
  await writeFile(
    join(at, '_delta_log', `${String(version + 1).padStart(20, '0')}.json`),
    actions.map((action) => JSON.stringify(action)).join('\n'),
  )
}
