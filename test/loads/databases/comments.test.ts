import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOutputPlan, DatabaseTarget } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput } from '../../../src/loads/databases/open-database.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { startDatabase, testedFormats } from './targets.ts'

const records: readonly ModelRecord[] = [{ id: 'A', name: 'a', photos: ['x'], updatedAt: 0 }]
const meanings: NonNullable<DatabaseOutputPlan['meanings']> = [
  { description: "One row a product; it's a list", columns: { id: 'Unique "id"', name: 'Name', _removed_at: 'Gone' } },
  { description: 'One row a photo', columns: { url: 'Address' } },
]

function planOf(target: DatabaseTarget, tables: readonly KeyedTable[] = modelTables): DatabaseOutputPlan {
  return { target, pipeline: 'products', mode: 'merge', removed: 'mark', tables, meanings }
}

describe.each(testedFormats)('%s', (format) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeAll(async () => (database = await startDatabase(format)))
  afterAll(() => database.stop())

  /** `table comment` and `table.column comment`, sorted. */
  async function readComments(target: DatabaseTarget): Promise<string[]> {
    const rows = await database.query(
      target,
      format === 'mariadb'
        ? `SELECT concat(table_name, ' ', table_comment) FROM information_schema.tables
           WHERE table_comment <> '' AND table_schema = '${target.schema}' UNION ALL
           SELECT concat(table_name, '.', column_name, ' ', column_comment) FROM information_schema.columns
           WHERE column_comment <> '' AND table_schema = '${target.schema}'`
        : format === 'postgres'
          ? `SELECT c.relname || coalesce('.' || a.attname, '') || ' ' || d.description FROM pg_description d
           JOIN pg_class c ON d.classoid = 'pg_class'::regclass AND c.oid = d.objoid
           LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0
           WHERE c.relnamespace = '"${target.schema}"'::regnamespace`
          : `SELECT table_name || ' ' || comment FROM duckdb_tables() WHERE comment IS NOT NULL UNION ALL
           SELECT table_name || '.' || column_name || ' ' || comment FROM duckdb_columns() WHERE comment IS NOT NULL`,
    )
    return rows.map(([row]) => String(row)).toSorted()
  }

  const all = [
    'product_photos One row a photo',
    'product_photos.url Address',
    "products One row a product; it's a list",
    'products._removed_at Gone',
    'products.id Unique "id"',
    'products.name Name',
  ]

  test('a load describes the tables and columns that it creates in comments', async () => {
    const target = database.createTarget()
    await loadRows(planOf(target), anyLoad, toRows(records))
    expect(await readComments(target)).toEqual(all)
  })

  test.skipIf(format === 'mariadb')('a load that is not committed leaves no comment', async () => {
    const target = database.createTarget()
    const output = await openDatabaseOutput(planOf(target), anyLoad)
    await giveRows(output, planOf(target), anyLoad, toRows(records))
    await output.discard()
    expect(await readComments(target)).toEqual([])
  })

  test('a load keeps existing comments, and gives an added column its own', async () => {
    const target = database.createTarget()
    const [products, photos] = modelTables as [KeyedTable, KeyedTable]
    const nameless = { ...products, columns: products.columns.filter(({ name }) => name !== 'name') }
    const [rows = [], ...others] = toRows(records)
    const withoutName = rows.map(([id, , ...rest]) => [id, ...rest] as Row)
    await loadRows(planOf(target, [nameless, photos]), anyLoad, [withoutName, ...others])
    expect(await readComments(target)).toEqual(all.filter((comment) => comment !== 'products.name Name'))
    const table = `"${target.schema}".products`
    const changes =
      format === 'mariadb'
        ? `ALTER TABLE ${table} COMMENT 'ours', MODIFY id varchar(512) NOT NULL`
        : `COMMENT ON TABLE ${table} IS 'ours'; COMMENT ON COLUMN ${table}.id IS NULL`
    for (const change of changes.split('; ')) await database.query(target, change)
    const next = { ...anyLoad, runId: 'run-2', configHash: 'config-2', startedAt: new Date('2026-03-02T00:00:00Z') }
    await loadRows(planOf(target), next, toRows(records))
    expect(await readComments(target)).toEqual([
      ...all.slice(0, 2),
      'products ours',
      'products._removed_at Gone',
      'products.name Name',
    ])
  })
})
