import { describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { checkText, checkValue, like } from './check-text.ts'

const stream = (rest: string, filter = ''): string =>
  `name: x\nsource:\n  endpoint: v4/products/stream\n${filter === '' ? '' : `  filter: ${filter}\n`}${rest}`
const tables = 'tables: { p: { columns: [id, status] }, c: { each: "photos[]", columns: [photoType] } }\n'

function csvOf(mode: 'merge' | 'history') {
  return [{ format: 'csv' as const, mode }]
}

function planOf(config: Omit<Partial<PipelineConfig>, 'source'> & { readonly source?: object }) {
  const { plan, problems } = checkValue({ name: 'x', source: { endpoint: 'v4/products/stream' }, ...config })
  expect(problems).toEqual([])
  if (plan === null) throw new Error('expected a plan')
  return plan
}

describe('a config with state', () => {
  test.each([
    ['with incremental alone', stream('incremental: {}')],
    ['with all of incremental', stream('incremental: { cursor: meta.updatedAt, overlap: 90m, fullEvery: 30d }')],
    ['with media', 'name: x\nsource: { endpoint: v4/media/stream }\nincremental: {}'],
    ['with the v3 export', 'name: x\nsource: { endpoint: v3/products/export }\nincremental: {}'],
    ['with a status at the top', stream('incremental: {}', '{ status: [active] }')],
    ['with a status in a list of conditions', stream('incremental: {}', '{ and: [{ status: active }, { brand: 1 }] }')],
    [
      'with modes',
      stream('outputs: [{ format: csv, mode: history }, { format: parquet, mode: merge, removed: mark }]'),
    ],
    ['with partitions', stream(`${tables}outputs: [{ format: csv, partitionBy: [status], rowsPerFile: 5 }]`)],
    [
      'with sizes',
      stream('outputs: [{ format: parquet, bytesPerFile: 256MB }, { format: csv, bytesPerFile: 1.5 GiB }]'),
    ],
    ['with a limit', stream('incremental: {}\nmaxRemoved: 2.5%')],
    ['with a limit where only whole files are compared', stream('maxRemoved: 12')],
    [
      'with two modes in one DuckDB file',
      stream(
        'outputs: [{ format: duckdb, path: w.duckdb }, { format: duckdb, path: w.duckdb, schema: h, mode: history }]',
      ),
    ],
    ['with databases', stream('outputs: [{ format: duckdb, path: w.duckdb }, { format: postgres, url: "${URL}" }]')],
  ])('%s', (_, text) => {
    expect(checkText(text)).toEqual([])
  })

  test('an incremental config merges, keeps the last of repeated lines, and allows 5 % of removals', () => {
    const {
      outputs: { files, stateful },
      records: { duplicates },
    } = planOf({ incremental: {} })
    expect(new Set(files.map(({ mode }) => mode))).toEqual(new Set(['merge']))
    expect(duplicates).toBe('last')
    expect(stateful).toMatchObject({
      cursor: 'meta.updatedAt',
      maxRemoved: { kind: 'share', percent: 5 },
      incremental: { overlapMs: 3_600_000, fullEveryMs: 604_800_000, filter: {}, where: [] },
    })
  })

  test('a config without state has no stateful plan and an unchanged hash', () => {
    const plan = planOf({ locales: ['nl'] })
    expect(plan.outputs.stateful).toBe(null)
    expect(plan.records.duplicates).toBe('keep')
    expect(new Set(plan.outputs.files.map(({ mode }) => mode))).toEqual(new Set(['snapshot']))
  })

  test('a delta asks for all statuses and keeps the rest of the filter', () => {
    const filter = { status: ['active'], and: [{ brand: 7 }, { status: ['active', 'replaced'] }] }
    const {
      source,
      outputs: { stateful },
    } = planOf({ incremental: {}, source: { endpoint: 'v4/products/stream', filter } })
    expect(JSON.stringify(source)).toContain('replaced')
    expect(stateful?.incremental?.filter).toEqual({ and: [{ brand: 7 }] })
    expect(stateful?.incremental?.where.map((condition) => condition.test)).toEqual([
      { kind: 'in', values: ['active'] },
      { kind: 'in', values: ['active', 'replaced'] },
    ])
  })

  test('the id column of a record may have any name', () => {
    const {
      outputs: { stateful },
    } = planOf({
      incremental: {},
      tables: {
        products: { columns: [{ column: 'key', from: 'id' }, 'status'] },
        photo_organizations: { each: 'photos[].organizations[]', columns: ['id'] },
      },
    })
    expect(stateful?.tables.map(({ idColumn, positionColumns }) => [idColumn, positionColumns])).toEqual([
      ['key', []],
      ['product_id', ['photo_position', 'position']],
    ])
    expect(stateful?.recordTable.columns.map(({ name }) => name)).toEqual([
      'id',
      'content_hash',
      'updated_at',
      'status',
      'replacement',
    ])
  })

  test('only tables that have the column are partitioned', () => {
    const {
      outputs: { files },
    } = planOf({
      tables: { p: { columns: ['id', 'status'] }, c: { each: 'photos[]', columns: ['photoType'] } },
      outputs: [{ format: 'csv', partitionBy: ['status'], bytesPerFile: '10kB' }],
    })
    expect(files.map(({ partitionBy, bytesPerFile }) => [partitionBy, bytesPerFile])).toEqual([
      [['status'], 10_000],
      [[], 10_000],
    ])
  })

  test('the config hash depends on the mode, not on the overlap', () => {
    const hashes = [
      planOf({ outputs: csvOf('merge') }),
      planOf({ outputs: csvOf('history') }),
      planOf({ outputs: csvOf('merge'), incremental: {} }),
      planOf({ outputs: csvOf('merge'), incremental: { overlap: '2h' }, maxRemoved: 5 }),
    ].map(({ outputs: { configHash } }) => configHash)
    expect(hashes[1]).not.toBe(hashes[0])
    expect(hashes[3]).toBe(hashes[2])
  })

  test('the plan never shows the credentials of a database', () => {
    const url = 'postgres://loader:very-secret@db.example.com:5432/warehouse?sslmode=require'
    const plan = planOf({ outputs: [{ format: 'postgres', url, schema: 'catalogue' }] })
    expect(JSON.stringify(plan)).not.toContain('very-secret')
    expect(JSON.stringify(plan)).toContain('postgres://db.example.com:5432/warehouse')
    const [database] = plan.outputs.stateful?.databases ?? []
    expect(database?.format === 'postgres' && database.url?.text).toBe(url)
    const { problems } = checkValue({
      name: 'x',
      source: { endpoint: 'v4/products/stream' },
      outputs: [{ format: 'postgres', url: 'mysql://loader:very-secret@db.example.com/warehouse' }],
    })
    expect(JSON.stringify(problems)).toContain('got one that begins with mysql:')
    expect(JSON.stringify(problems)).not.toContain('very-secret')
  })
})

describe('a config that cannot have state', () => {
  test.each([
    [
      'name: x\nsource: { endpoint: v4/updates/query }\nincremental: {}',
      '3:1 incremental: expected an endpoint that can be asked for changes, one of v4/products/stream, v4/media/stream, v3/products/export, got v4/updates/query',
    ],
    [stream('incremental: { cursor: meta.updatedat }'), /4:24 cursor: .*updatedat.*; did you mean "updatedAt"\?/],
    [
      stream('incremental: { cursor: status }'),
      '4:24 cursor: expected the path of one timestamp, got "status", a text field',
    ],
    [stream('incremental: { overlapp: 1h }'), /unknown key "overlapp", .*; did you mean "overlap"\?/],
    [stream('incremental: { overlap: soon }'), /expected a duration up to 3660d, .*, got text "soon"/],
    [
      stream('incremental: {}', '{ updatedSince: 2026-01-01 }'),
      '4:13 updatedSince: expected it not to be set beside incremental, which sets it',
    ],
    [
      stream('incremental: {}', '{ or: [{ status: active }, { brand: 1 }] }'),
      /^4:20 status: expected it at the top of the filter with incremental/,
    ],
    [
      stream('incremental: {}\noutputs: [{ format: csv, mode: snapshot }]'),
      /^5:32 mode: expected merge, append, changes or history with incremental/,
    ],
    [
      stream('outputs: [{ format: csv, mode: history, removed: drop }]'),
      '4:50 removed: expected only with mode: merge, got it with history',
    ],
    [
      stream('outputs: [{ format: csv, mode: histroy }]'),
      /expected one of snapshot, append, changes, merge, history, got text "histroy"; did you mean "history"\?/,
    ],
    [stream('incremental: {}\nduplicates: keep'), /^5:13 duplicates: expected last or reject, .*, got keep$/],
    [stream('incremental: {}\ncompleteness: report'), /^5:15 completeness: expected require, .*, got report$/],
    [
      stream('incremental: {}\ntables: { p: { columns: [status] } }'),
      /^5:11 table "p": expected a column from id, .*, got none$/,
    ],
    [
      stream('outputs: [{ format: csv, partitionBy: [stauts] }]'),
      /partitionBy: unknown column "stauts", .*; did you mean "status"\?$/,
    ],
    [
      stream('outputs: [{ format: csv, partitionBy: [meta_updated_at] }]'),
      /partitionBy: expected a column of text, integer, boolean or date, got "meta_updated_at", of type timestamp$/,
    ],
    [stream('outputs: [{ format: csv, partitionBy: [status, status] }]'), /expected "status" once, got it twice$/],
    [stream('outputs: [{ format: csv, rowsPerFile: 0 }]'), /expected at least 1, got number 0/],
    [stream('outputs: [{ format: csv, bytesPerFile: large }]'), /expected a size of at least 1 byte, .*"large"/],
    [
      stream(
        'tables: { p: { columns: [id, { column: valid_from, from: status }] } }\noutputs: [{ format: csv, mode: history }]',
      ),
      /^5:32 mode: history adds a column "valid_from", which table "p" has already/,
    ],
    [
      stream(
        'tables: { p: { columns: [id, { column: _change_type, from: status }] } }\noutputs: [{ format: delta, changeFeed: true }]',
      ),
      /^5:\d+ changeFeed: a change feed has a column "_change_type", which table "p" has already/,
    ],
    [stream('outputs: [{ format: iceberg, changeFeed: true }]'), /unknown key "changeFeed"/],
    [stream('outputs: [{ format: postgres }]'), /missing key "url"/],
    [
      stream('outputs: [{ format: postgres, url: nowhere }]'),
      /url: expected an address such as .*, got text that is none: in a password, .* are written %2F/,
    ],
    [
      stream('outputs: [{ format: postgres, url: "postgres://loader:12/very-secret@db.example.com/warehouse" }]'),
      /got \/ @ or : where the database is named: in a password, .* are written %2F/,
    ],
    [
      stream('outputs: [{ format: duckdb, path: "{table}.duckdb" }]'),
      /unknown placeholder \{table\}, expected \{pipeline\}/,
    ],
    [
      stream('outputs: [{ format: duckdb, path: a }, { format: duckdb, path: ./a, schema: MAIN }]'),
      /schema: expected another one than that of an output above, which is in the same database, got "MAIN"/,
    ],
    [stream('outputs: [{ format: duckdb, path: a.out }, { format: csv, path: a.out }]'), /would both be "a.out"/],
    [stream('outputs: [{ format: duckdb, schema: "a b" }]'), /expected letters, digits and _/],
    [stream('outputs: [{ format: delta, path: lake/products }]'), /path: expected \{table\} in it, .*"lake\/products"/],
    [
      stream('outputs: [{ format: delta, path: "a/{table}" }, { format: delta, path: "./a/{table}", mode: history }]'),
      /the delta output of table "products" and the delta output of table "products" would both be/,
    ],
    [stream('outputs: [{ format: delta, mode: merge, partitionBy: [status] }]'), /unknown key "partitionBy"/],
  ])('%s', (text, message) => {
    expect(checkText(text)).toEqual([like(message)])
  })

  test('incremental over files gives a note, not a problem', () => {
    const { problems, notes } = checkValue({
      name: 'x',
      source: { files: 'a', contract: 'v4/product' },
      incremental: {},
    })
    expect(problems).toEqual([])
    expect(notes.map(({ message }) => message)).toEqual([
      'incremental: files are read whole: a run over files brings everything there is',
    ])
  })
})
