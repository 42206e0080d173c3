import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import type { Cell, Column } from '../../src/records/flatten/column.ts'
import { cases } from '../depth.ts'
import { anyLoad, loadRows } from '../loads/databases/load-rows.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from '../loads/databases/postgres-server.ts'

interface Kind {
  readonly column: Column
  readonly cells: fc.Arbitrary<Exclude<Cell, null>>
  /** Reads a column back as text, and that text as a cell. */
  readonly read: (name: string) => string
  readonly parse: (text: string) => unknown
}

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '').toWellFormed())
const kind = (
  type: Column['type'],
  cells: Kind['cells'],
  parse: Kind['parse'],
  read = (name: string) => `${name}::text`,
): Kind => ({
  column: { name: type.kind, type, list: false },
  cells,
  read,
  parse,
})
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const kinds: readonly Kind[] = [
  kind({ kind: 'text' }, text, (read) => read),
  kind({ kind: 'json' }, fc.json(), (read) => read),
  kind({ kind: 'integer' }, int64, BigInt),
  kind({ kind: 'float' }, fc.double(), Number),
  kind({ kind: 'boolean' }, fc.boolean(), (read) => read === 'true'),
  kind(
    { kind: 'timestamp' },
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    Number,
    (name) => `(extract(epoch from ${name}) * 1000)::bigint::text`,
  ),
  kind(
    { kind: 'date' },
    fc.integer({ min: -719_162, max: 2_932_896 }),
    Number,
    (name) => `(${name} - date '1970-01-01')::text`,
  ),
  kind(
    { kind: 'decimal', precision: 38, scale: 4 },
    fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    (read) => BigInt(read.replace('.', '')),
  ),
]
const listOf = ({ column, cells }: Kind): Kind => ({
  column: { ...column, name: `${column.name}_list`, list: true },
  cells: fc.array(fc.option(cells as fc.Arbitrary<string>), { maxLength: 4 }),
  read: (name) => (column.type.kind === 'integer' ? `to_json(${name}::text[])::text` : `to_json(${name})::text`),
  parse: (read) =>
    (JSON.parse(read) as (string | null)[]).map((each) =>
      column.type.kind === 'integer' && each !== null ? BigInt(each) : each,
    ),
})
const all = [
  ...kinds,
  ...kinds.filter(({ column }) => ['text', 'integer', 'boolean'].includes(column.type.kind)).map(listOf),
]

describe.skipIf(skipsPostgres)('COPY text in PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => (server = await startPostgres()))
  afterAll(() => server.stop())

  test('PostgreSQL loads every cell of every type from COPY text unchanged', async () => {
    const columns: Column[] = [{ name: 'id', type: { kind: 'text' }, list: false }, ...all.map(({ column }) => column)]
    const tables: KeyedTable[] = [{ name: 'cells', columns, idColumn: 'id', positionColumns: [] }]
    const rows = fc.array(fc.tuple(...all.map(({ cells }) => fc.option(cells))), { minLength: 100, maxLength: 200 })
    let number = 0
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const schema = `run_${++number}`
        const target = { format: 'postgres', url: server.url, schema } as const
        const given = cells.map((row, at) => [String(at), ...row])
        await loadRows({ target, pipeline: 'cells', mode: 'merge', removed: 'drop', tables }, anyLoad, [
          given,
          given.map(([id]) => [id as string, 'hash', null, null, null]),
        ])
        const reads = all.map(({ column, read }) => read(`"${column.name}"`))
        const found = await server.query(`SELECT ${reads.join(', ')} FROM ${schema}.cells ORDER BY id::integer`)
        const parsed = found.map((row) => row.map((cell, at) => (cell === null ? null : all[at]?.parse(cell))))
        expect(parsed).toEqual(cells)
      }),
      { numRuns: cases(3, 1) },
    )
  })
})
