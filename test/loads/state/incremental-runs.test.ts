import { watch } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

describe('a pipeline with incremental', () => {
  test('a pipeline with incremental reads everything first, then what changed since its start and an hour before, and holds what the service has', async () => {
    const first = await folder.run()
    expect(first.state).toMatchObject({ kind: 'full', asked: null, changes: { changed: 0, removed: 0 } })
    expect(first.notes).toEqual(['everything was read, as no run before it published a state'])
    expect(folder.lastFilter()).toEqual({})
    for (let day = 1; day <= 2; day++) {
      const { startedAt } = await readState()
      folder.sandbox.advance()
      const { state, notes } = await folder.run()
      const since = Math.floor(Date.parse(startedAt) / 1000) - 3600
      expect(state).toMatchObject({ kind: 'delta', lastFullAt: first.state.startedAt })
      expect(folder.lastFilter()).toEqual({ updatedSince: since })
      expect(notes).toEqual([`what changed since ${state.asked?.since} was read`])
    }
    const kept = new Set([...folder.sandbox.productsOn()].map(({ id }) => id))
    const rows = await folder.rows()
    expect(rows.filter(({ id }) => kept.has(id))).toEqual(folder.expectedRows())
  })

  test('a pipeline with incremental takes its start from the clock of the service', async () => {
    folder.sandbox.advance(3)
    const { state, startedAt } = await folder.run()
    expect(Date.parse(state.startedAt) - Date.parse(startedAt)).toBeGreaterThan(2.9 * dayMs)
    expect(state.syncedUntil).toBe(state.startedAt)
  })

  test('a pipeline with incremental reports new, changed, touched only and unchanged as the change log has them', async () => {
    await folder.run()
    folder.sandbox.advance()
    const kinds = new Map(folder.sandbox.changes.map(({ id, kind, after }) => [id, after === null ? 'gone' : kind]))
    const count = (...wanted: string[]) => [...kinds.values()].filter((kind) => wanted.includes(kind)).length
    const { state } = await folder.run()
    const found = state.changes
    expect(found).toMatchObject({ new: count('new'), touched: count('touched'), unchanged: 0, removed: 0 })
    expect((found?.changed ?? 0) + (found?.new ?? 0) + (found?.touched ?? 0)).toBe(kinds.size - count('gone'))
    const again = await folder.run({ incremental: { overlap: '2d' } })
    expect(again.state).toMatchObject({ kind: 'delta', changes: { new: 0, changed: 0, touched: 0, removed: 0 } })
    expect(again.state.changes?.unchanged).toBe(kinds.size - count('gone'))
  })

  test('a pipeline with incremental asks for all statuses: a record that left the filter is gone, and counted as removed', async () => {
    const changes = {
      source: { filter: { status: ['active', 'inactive'] } },
      incremental: { fullEvery: '90d' },
    } satisfies Parameters<StateFolder['run']>[0]
    await folder.run(changes)
    const before = new Set((await folder.rows()).map(({ id }) => String(id)))
    folder.sandbox.advance(20)
    const { state } = await folder.run(changes)
    expect(JSON.stringify(folder.lastFilter())).not.toContain('status')
    const there = new Set<unknown>(folder.expectedRows().map(({ id }) => id))
    const asked = folder.expectedRows(['active', 'inactive'])
    expect((await folder.rows()).filter(({ id }) => there.has(id))).toEqual(asked)
    const left = folder.expectedRows().filter(({ id }) => before.has(id) && !asked.some((row) => row.id === id))
    expect(left.length).toBeGreaterThan(0)
    expect(state).toMatchObject({ kind: 'delta', changes: { removed: left.length } })
  })

  test('a pipeline with incremental removes and counts the records that a `where` excludes', async () => {
    const changes = { where: { status: ['active'] }, incremental: { fullEvery: '30d' } }
    await folder.run(changes)
    folder.sandbox.advance(4)
    await folder.run(changes)
    const there = new Set<unknown>(folder.expectedRows().map(({ id }) => id))
    const rows = (await folder.rows()).filter(({ id }) => there.has(id))
    expect(rows).toEqual(folder.expectedRows(['active']))
  })

  test('a pipeline with incremental reads everything when asked to, when due and when the config changed, and then finds removed records', async () => {
    await folder.run()
    const refreshed = await folder.run({}, { fullRefresh: true })
    expect(refreshed.notes).toEqual(['everything was read, as it was asked for'])
    expect(refreshed.state.changes).toMatchObject({ new: 0, changed: 0, touched: 0, removed: 0 })
    folder.sandbox.advance(8)
    const due = await folder.run()
    expect(due.notes?.[0]).toContain('the last one was at')
    expect(await folder.rows()).toEqual(folder.expectedRows())
    const columns = ['id', 'status', 'meta.updatedAt', 'replacement']
    const other = await folder.run({ tables: { products: { columns } } })
    expect(other.notes).toEqual(['everything was read, as the config is not that of the last run'])
    expect(other.state.changes?.unchanged).toBe(other.ledger.accepted)
    expect(Object.keys((await folder.rows())[0] ?? {})).toContain('replacement')
  })

  test('a pipeline with incremental reads everything from another service, which may lack most published records', async () => {
    const { state } = await folder.run()
    expect(state.service).toBe('127.0.0.1')
    const source = { baseUrl: folder.sandbox.baseUrl.replace('127.0.0.1', 'localhost') }
    const other = await folder.run({ source })
    expect(other.notes).toEqual(['everything was read, as the last run asked 127.0.0.1, and this one asks localhost'])
    expect((await folder.run({ source })).state.kind).toBe('delta')
  })

  test('a run with incremental asks for changes since the last published run if one failed in between', async () => {
    const { state } = await folder.run()
    folder.sandbox.advance()
    folder.sandbox.inject({ endpoint: 'v4/products/stream', fault: '500x3' })
    const before = await readFile(folder.manifestPath)
    const failure = await folder.fail({ source: { retries: 0 } })
    expect(failure.exitCode).toBe(4)
    expect(await readFile(folder.manifestPath)).toEqual(before)
    expect((await readState()).startedAt).toBe(state.startedAt)
  })

  test('a run with incremental that is stopped while it merges ends with that reason, and leaves nothing', async () => {
    await folder.run()
    folder.sandbox.advance()
    const before = await folder.files()
    const controller = new AbortController()
    const watcher = watch(folder.path, (_, name) => {
      if (name?.includes('.merge.') === true) controller.abort()
    })
    const failure = await folder.fail({}, { signal: controller.signal })
    watcher.close()
    expect([failure.code, failure.exitCode]).toEqual(['INTERRUPTED', 130])
    expect(await folder.files()).toEqual(before)
  })

  test('a pipeline with incremental takes no sample', async () => {
    const error = await folder.fail({}, { limit: 5 })
    expect(error.code).toBe('USAGE')
    expect(error.message).toContain('would count as removed')
  })

  test('a pipeline with incremental adds part files of every run in append, and lists those of earlier ones', async () => {
    const outputs = [{ format: 'ndjson' as const, path: 'out/{table}.ndjson', mode: 'append' as const }]
    const first = await folder.run({ outputs })
    folder.sandbox.advance()
    const second = await folder.run({ outputs })
    const none = await folder.run({ outputs })
    expect(second.files.slice(0, first.files.length)).toEqual(first.files)
    expect(second.files.length).toBeGreaterThan(first.files.length)
    expect(none.files).toEqual(second.files)
    const listed = second.files.map(({ path }) => path.slice(folder.path.length + 1))
    expect((await folder.files()).filter((file) => file.includes('run_date='))).toEqual(listed.toSorted())
  })

  test('a pipeline with incremental adds another part file if an earlier export comes again after a later one', async () => {
    const files = join(folder.path, 'export.ndjson')
    const changes = {
      source: { files, contract: 'v4/product' },
      incremental: undefined,
      tables: { products: { columns: ['id', 'cnk'] } },
      outputs: [{ format: 'ndjson' as const, path: 'out/{table}.ndjson', mode: 'append' as const }],
    }
    const [one, ...others] = [...folder.sandbox.productsOn()].slice(0, 5)
    const exports = [
      [one, ...others],
      [{ ...one, cnk: '1234567' }, ...others],
    ]
    const rows: number[][] = []
    for (const records of [exports[0], exports[1], exports[0]]) {
      await writeFile(files, (records ?? []).map((record) => `${JSON.stringify(record)}\n`).join(''))
      rows.push((await folder.run(changes)).files.map((file) => file.rows))
    }
    expect(rows).toEqual([[5], [5, 1], [5, 1, 1]])
  })

  test('a pipeline with incremental removes the files and folders of partitions that are empty now', async () => {
    const outputs = [{ format: 'ndjson' as const, path: 'out/{table}.ndjson', partitionBy: ['status'] }]
    await folder.run({ outputs })
    const before = await folder.files()
    expect(before.filter((file) => file.startsWith('status=')).length).toBeGreaterThan(1)
    const { state, files } = await folder.run({ outputs, where: { status: 'active' } })
    expect(state.obsoleteFiles.length).toBeGreaterThan(0)
    expect(files.map(({ path }) => path.slice(folder.path.length + 1))).toContain('status=active/products.ndjson')
    const after = await folder.files()
    expect(after.filter((file) => file.startsWith('status='))).toEqual(['status=active/products.ndjson'])
    expect(after.every((file) => !file.includes('.staging'))).toBe(true)
  })

  test('a pipeline with incremental removes the parts and state files of a killed run, and no file of another pipeline', async () => {
    const outputs = [{ format: 'ndjson' as const, path: 'out/{table}.ndjson', partitionBy: ['status'] }]
    await folder.run({ outputs })
    const before = await folder.files()
    const own = [
      'status=active/.products.ndjson.999999999-a.staging',
      '.photos-00001.ndjson.999999999-a.staging',
      '_state/.records.parquet.999999999-a.staging',
      '_state/merge/.products.parquet.999999999-a.staging',
      '._manifest.json.load-0.999999999-a.staging',
    ]
    const other = '.brands.ndjson.999999999-a.backup'
    for (const name of [...own, other]) await writeFile(join(folder.path, name), 'x')
    await mkdir(join(folder.path, '._manifest.json.merge.999999999-a.staging/x'), { recursive: true })
    await folder.run({ outputs })
    expect(await folder.files()).toEqual([...before, other].toSorted())
  })

  test('a pipeline with incremental loses records to an edit of its conditions with a warning, but never all', async () => {
    await folder.run({ maxRemoved: 3 })
    const before = await folder.files()
    const error = await folder.fail({ maxRemoved: 3, where: { status: 'active', vat: { from: 1e9 } } })
    expect([error.code, error.exitCode]).toEqual(['REMOVED_TOO_MANY', 3])
    expect(await folder.files()).toEqual([...before, '_report.failed.html'].toSorted())
    const warnings: string[] = []
    const onWarning = (message: string) => warnings.push(message)
    const { state, editLosses } = await folder.run({ maxRemoved: 3, where: { status: 'active' } }, { onWarning })
    const { removed = 0 } = state.changes ?? {}
    expect(editLosses).toEqual([{ of: 'records', removed, before: 60, changed: ['where'] }])
    expect(warnings).toEqual([
      expect.stringMatching(/^\d+ of 60 published records are removed: .* but `where` of the config/),
    ])
    expect(await folder.rows()).toEqual(folder.expectedRows(['active']))
  })

  test('a pipeline with incremental fails when a delta removes more than maxRemoved allows, and passes when it is raised once', async () => {
    const changes = { source: { filter: { status: ['active'] } }, incremental: { fullEvery: '90d' } }
    await folder.run(changes)
    folder.sandbox.advance(20)
    const before = [await folder.rows(), await readState()]
    const error = await folder.fail({ ...changes, maxRemoved: 0 })
    expect([error.code, error.exitCode]).toEqual(['REMOVED_TOO_MANY', 3])
    expect([await folder.rows(), await readState()]).toEqual(before)
    const { state } = await folder.run({ ...changes, maxRemoved: '100%' })
    expect(state.kind).toBe('delta')
    expect(state.changes?.removed).toBeGreaterThan(0)
  })

  test('a pipeline with incremental keeps the file of what a list misses in a delta, in which most of the list brings nothing', async () => {
    const ids = [...folder.sandbox.productsOn()].map(({ id }) => String(id))
    const file = join(folder.path, 'ids.txt')
    await writeFile(file, [...ids, 'NOTTHERE'].join('\n'))
    const sourceIds = { file, field: 'id' }
    const first = await folder.run({ sourceIds })
    expect(first.missingIds).toMatchObject({ rows: 1, notFound: 1 })
    const before = await readFile(join(folder.path, '_missing.csv'), 'utf8')
    expect(before).toBe(`line,written,asked,reason\n${ids.length + 1},NOTTHERE,NOTTHERE,not found\n`)
    folder.sandbox.advance()
    const second = await folder.run({ sourceIds })
    expect([second.state.kind, second.missingIds]).toEqual(['delta', first.missingIds])
    expect(await readFile(join(folder.path, '_missing.csv'), 'utf8')).toBe(before)
  })

  test('a pipeline with incremental keeps the rows of a record whose line is broken now, in a full run', async () => {
    const source = { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' }
    const changes = {
      source,
      rejects: { limit: 5 },
      outputs: [{ format: 'ndjson' as const, path: 'out/{table}.ndjson', mode: 'merge' as const }],
    }
    await writeFile(source.files, linesWith('active'))
    await folder.run(changes)
    await writeFile(source.files, linesWith({ broken: true }))
    const { state, ledger } = await folder.run(changes)
    expect(ledger.rejected).toBe(1)
    expect(state.changes).toEqual({ new: 0, changed: 0, touched: 0, unchanged: 2, removed: 0 })
    expect((await folder.rows()).map(({ id }) => id)).toEqual(['A', 'B', 'C'])
  })

  test('a pipeline with incremental over files reads all of them every time, and is synced until no known time', async () => {
    await writeFile(join(folder.path, 'input.ndjson'), '{"id": "A"}\n{"id": "B"}\n')
    const source = { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' }
    await folder.run({ source })
    await writeFile(join(folder.path, 'input.ndjson'), '{"id": "A"}\n{"id": "C"}\n')
    const { state, removedRecords } = await folder.run({ source })
    expect(state).toMatchObject({ kind: 'full', syncedUntil: null, changes: { new: 1, unchanged: 1, removed: 1 } })
    expect(removedRecords).toEqual([{ id: 'B', status: null, replacement: null }])
  })
})

describe('a state that is not as it was published', () => {
  test.each([
    ['no JSON', async () => writeFile(folder.manifestPath, '{"pipeline": "prod'), /expected JSON/],
    [
      'the manifest of another pipeline',
      async () => change({ pipeline: 'brands' }),
      /"products", got that of "brands"/,
    ],
    ['a file that is no manifest', async () => writeFile(folder.manifestPath, '[1]'), /expected the manifest of a run/],
    [
      'a state file that is gone',
      async () => rm(join(folder.path, '_state/records.parquet')),
      /records\.parquet" with \d+ bytes, .* got no file/,
    ],
    [
      'a state file that is another',
      async () => writeFile(join(folder.path, '_state/records.parquet'), 'PAR1'),
      /got 4 bytes/,
    ],
    [
      'a state file of which one byte is another',
      async () => {
        const path = join(folder.path, '_state/records.parquet')
        const bytes = await readFile(path)
        bytes[40] = (bytes[40] ?? 0) ^ 1
        await writeFile(path, bytes)
      },
      /records\.parquet" with sha256 \w+, .* got sha256 \w+: it was changed since/,
    ],
  ])('a damaged state ends the run with STATE_INVALID: %s', async (_, damage, message) => {
    await folder.run()
    await damage()
    const error = await folder.fail()
    expect(error.code).toBe('STATE_INVALID')
    expect(error.message).toMatch(message)
  })

  test('a byte order mark in front of the manifest of a state makes no difference', async () => {
    await folder.run()
    await writeFile(folder.manifestPath, `\uFEFF${await readFile(folder.manifestPath, 'utf8')}`)
    expect((await folder.run()).state.kind).toBe('delta')
  })

  test('a column of another type in a state is refused, with the way out', async () => {
    await folder.run()
    const columns = ['id', 'status', { column: 'meta_updated_at', from: 'meta.updatedAt', as: 'date' }]
    const error = await folder.fail({ tables: { products: { columns } } })
    expect(error.code).toBe('STATE_INVALID')
    expect(error.message).toContain('"meta_updated_at" of table "products" to stay timestamp')
  })

  test('a date of another time zone in a state is refused, with the way out', async () => {
    const columns = ['id', { column: 'day', from: 'meta.updatedAt', as: 'date' }]
    await folder.run({ tables: { products: { columns } } })
    const error = await folder.fail({ tables: { products: { columns } }, timezone: 'Europe/Brussels' })
    expect(error.code).toBe('STATE_INVALID')
    expect(error.message).toContain('"day" of table "products" to stay the day in UTC')
  })

  test('a date of the same time zone by another name in a state is no other column', async () => {
    const columns = ['id', { column: 'day', from: 'meta.updatedAt', as: 'date' }]
    await folder.run({ tables: { products: { columns } } })
    const { state } = await folder.run({ tables: { products: { columns } }, timezone: 'etc/utc' })
    expect(state.tables[0]?.columns).toContainEqual(expect.objectContaining({ name: 'day', timezone: 'etc/utc' }))
  })

  test('a money column of another unit in a state is refused, with the way out', async () => {
    await folder.run(inUnit('units'))
    const error = await folder.fail(inUnit('cents'))
    expect(error.code).toBe('STATE_INVALID')
    expect(error.message).toContain('"price" of table "products" to stay money, delivered in units, not divided')
  })

  test('the next run reads everything if the last sync is in the future by the clock of the service', async () => {
    await folder.run()
    const later = '2099-01-01T00:00:00.000Z'
    await change({ state: { ...(await readState()), syncedUntil: later, lastFullAt: later } })
    const troubles: string[] = []
    const { state } = await folder.run({}, { onWarning: (message) => troubles.push(message) })
    expect(state).toMatchObject({ kind: 'delta', syncedUntil: null })
    expect(troubles.join()).toMatch(
      /clock is at .*, before 2098-12-31T23:00:00\.000Z, .*: the next run reads everything/,
    )
    const next = await folder.run()
    expect(next.state).toMatchObject({
      kind: 'full',
      syncedUntil: next.state.startedAt,
      lastFullAt: next.state.startedAt,
    })
  })

  test('a path in a manifest that is none of ours is never removed', async () => {
    await folder.run()
    const victim = join(folder.path, '..', `victim-${process.pid}.txt`)
    await writeFile(victim, 'x')
    const { state } = JSON.parse(await readFile(folder.manifestPath, 'utf8')) as { state: object }
    await change({ state: { ...state, obsoleteFiles: [victim] } })
    await folder.run()
    expect(await readFile(victim, 'utf8')).toBe('x')
    await rm(victim)
  })
})

const dayMs = 86_400_000

async function readState(): Promise<{ startedAt: string }> {
  const { state } = JSON.parse(await readFile(folder.manifestPath, 'utf8')) as { state: { startedAt: string } }
  return state
}

async function change(members: object): Promise<void> {
  const manifest = JSON.parse(await readFile(folder.manifestPath, 'utf8')) as object
  await writeFile(folder.manifestPath, JSON.stringify({ ...manifest, ...members }))
}

/** Three products, the one in the middle with this status. */
function linesWith(status: unknown): string {
  const products = ['A', 'B', 'C'].map((id) => ({ id, status: id === 'B' ? status : 'active' }))
  return products.map((product) => `${JSON.stringify(product)}\n`).join('')
}

function inUnit(unit: 'cents' | 'units') {
  const price = { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit }
  return { tables: { products: { columns: ['id', price] } } }
}
