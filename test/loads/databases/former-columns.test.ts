import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseLoad, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, loadRows } from './load-rows.ts'
import { startDatabase, testedFormats } from './targets.ts'

const day = 86_400_000
const start = anyLoad.startedAt.getTime()
const records: readonly ModelRecord[] = ['A', 'B', 'C'].map((id) => {
  return { id, name: `name of ${id}`, photos: [`${id}1.jpg`, `${id}2.jpg`], updatedAt: start - day }
})
const loadOf = (night: number, kind: DatabaseLoad['kind']): DatabaseLoad => ({
  ...anyLoad,
  kind,
  runId: `night-${night}`,
  startedAt: new Date(start + night * day),
  since: kind === 'full' ? null : new Date(start + (night - 1) * day),
  syncedUntil: new Date(start + night * day),
  configHash: night === 0 ? 'wide' : 'narrow',
})

/** The tables without the columns `name` and `url`. */
const narrowTables = modelTables.map((table) => {
  return { ...table, columns: table.columns.filter(({ name }) => name !== 'name' && name !== 'url') }
})
const toNarrowRows = (all: readonly ModelRecord[]): Row[][] => {
  const [products = [], photos = [], known = []] = toRows(all)
  return [products.map(([id, , ...others]) => [id, ...others] as Row), photos.map((row) => row.slice(0, 2)), known]
}

describe.each(testedFormats)('%s', (format) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeAll(async () => (database = await startDatabase(format)))
  afterAll(() => database.stop())

  test('a history keeps the values of columns that the config lost, in the versions that hold now as well', async () => {
    const target = database.createTarget()
    const plan: DatabaseOutputPlan = {
      target,
      pipeline: 'products',
      mode: 'history',
      removed: 'drop',
      tables: modelTables,
    }
    const select = async (columns: string, table: string) => {
      const rows = await database.query(target, `SELECT ${columns} FROM "${target.schema}"."${table}" ORDER BY 1, 2, 3`)
      return rows.map((row) => row.map(String).join(' '))
    }
    await loadRows(plan, loadOf(0, 'full'), toRows(records))
    // Columns that others have added are neither written nor emptied.
    const added = `ALTER TABLE "${target.schema}".products ADD COLUMN`
    await database.query(target, `${added} note text DEFAULT 'none'`)
    if (format !== 'duckdb') await database.query(target, `${added} code text GENERATED ALWAYS AS (upper(id)) STORED`)
    await database.query(target, `UPDATE "${target.schema}".products SET note = 'kept' WHERE id = 'A'`)

    const narrow = { ...plan, tables: narrowTables }
    await loadRows(narrow, loadOf(1, 'full'), toNarrowRows(records))
    expect(await select("id, name, note, CASE WHEN is_current THEN 'true' ELSE 'false' END", 'products')).toEqual([
      'A name of A kept true',
      'B name of B none true',
      'C name of C none true',
    ])
    expect(
      await select("product_id, position, url, CASE WHEN is_current THEN 'true' ELSE 'false' END", 'product_photos'),
    ).toEqual(['A', 'B', 'C'].flatMap((id) => [`${id} 1 ${id}1.jpg true`, `${id} 2 ${id}2.jpg true`]))

    const [, touched, changed] = records as [ModelRecord, ModelRecord, ModelRecord]
    const next = [
      { ...touched, updatedAt: start + day },
      { ...changed, name: 'another', updatedAt: start + day },
    ]
    await loadRows(narrow, loadOf(2, 'delta'), toNarrowRows(next))
    expect(await select("id, CASE WHEN valid_to IS NULL THEN 'true' ELSE 'false' END, name, note", 'products')).toEqual(
      ['A true name of A kept', 'B true name of B none', 'C false name of C none', 'C true null none'],
    )
    expect(
      await select("product_id, position, CASE WHEN is_current THEN 'true' ELSE 'false' END, url", 'product_photos'),
    ).toEqual([
      'A 1 true A1.jpg',
      'A 2 true A2.jpg',
      'B 1 true B1.jpg',
      'B 2 true B2.jpg',
      'C 1 false C1.jpg',
      'C 1 true null',
      'C 2 false C2.jpg',
      'C 2 true null',
    ])
  })
})
