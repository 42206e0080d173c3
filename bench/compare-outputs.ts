import { DuckDBInstance } from '@duckdb/node-api'
import { toSnakeCase } from '../src/plan/records/plan-columns.ts'
import { toLiteral, toName } from './sides/sql-text.ts'

/*
 * Checks that two wrote the same rows, in whatever order, as DuckDB reads them back. Each function says what agrees and
 * throws where something does not.
 */

/** Compares names, types and values of two Parquet files. */
export async function compareParquet(ours: string, theirs: string): Promise<string> {
  return withDuckDb((query) => compareRelations(query, toLiteral(ours), toLiteral(theirs)))
}

/** Compares names and values of two CSV files, read with the types that the columns of `select` have. */
export async function compareCsv(ours: string, theirs: string, select: string): Promise<string> {
  return withDuckDb(async (query) => {
    const types = new Map(await describe(query, `(${select})`))
    return compareRelations(query, await typedCsv(query, ours, types), await typedCsv(query, theirs, types))
  })
}

/** Compares the rows of the root table, and of each child table of it with the elements of the nested list. */
export async function compareNested(pipelineDir: string, nested: string): Promise<string> {
  return withDuckDb(async (query) => {
    const columns = await describe(query, toLiteral(nested))
    const lists = columns.filter(([, type]) => type.startsWith('STRUCT(') && type.endsWith('[]')).map(([name]) => name)
    const sums = ['count(*)', ...lists.map((name) => `coalesce(sum(len(${toName(name)})), 0)`)]
    const expected = await queryRow(query, `SELECT ${sums.join(', ')} FROM ${toLiteral(nested)}`)
    const tables = ['products', ...lists.map((name) => `product_${toSnakeCase(name)}`)]
    const counts = tables.map((table) => `(SELECT count(*) FROM ${toLiteral(`${pipelineDir}/${table}.parquet`)})`)
    const got = await queryRow(query, `SELECT ${counts.join(', ')}`)
    checkEqual('rows of tables', tables, expected, got)
    return `${Number(got[0])} records and the rows of ${lists.length} child tables agree`
  })
}

type Query = (sql: string) => Promise<unknown[][]>
type ColumnTypes = readonly (readonly [name: string, type: string])[]

async function withDuckDb(compare: (query: Query) => Promise<string>): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:')
  try {
    const connection = await instance.connect()
    return await compare(async (sql) => (await connection.runAndReadAll(sql)).getRowsJson())
  } finally {
    instance.closeSync()
  }
}

/** A relation is what can follow FROM; it has an `id`, which ties the values of a row together. */
async function compareRelations(query: Query, ours: string, theirs: string): Promise<string> {
  const columns = await describe(query, theirs)
  const shapes = [await describe(query, ours), columns].map((types) => JSON.stringify(types))
  if (shapes[0] !== shapes[1]) throw new Error(`columns: expected those of the other, ${shapes[1]}, got ${shapes[0]}`)
  const names = columns.map(([name]) => name)
  const checksums = names.map((name) => `sum(hash(id, ${toName(name)}))`)
  const fingerprint = (relation: string) => queryRow(query, `SELECT count(*), ${checksums.join(', ')} FROM ${relation}`)
  const [expected, got] = [await fingerprint(theirs), await fingerprint(ours)]
  checkEqual('values of columns', ['the number of rows', ...names], expected, got)
  return `${Number(got[0])} rows and ${names.length} columns agree`
}

/** Nothing at all is null and `""` is empty text. */
async function typedCsv(query: Query, path: string, types: ReadonlyMap<string, string>): Promise<string> {
  const dialect = `header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false`
  const file = `read_csv(${toLiteral(path)}, ${dialect}, all_varchar = true)`
  const columns = (await describe(query, file)).map(
    ([name]) => `CAST(${toName(name)} AS ${types.get(name) ?? 'VARCHAR'}) AS ${toName(name)}`,
  )
  return `(SELECT ${columns.join(', ')} FROM ${file})`
}

async function describe(query: Query, relation: string): Promise<ColumnTypes> {
  const rows = await query(`DESCRIBE SELECT * FROM ${relation}`)
  return rows.map(([name, type]) => [String(name), String(type)])
}

async function queryRow(query: Query, sql: string): Promise<unknown[]> {
  const [row = []] = await query(sql)
  return row
}

function checkEqual(what: string, names: readonly string[], expected: readonly unknown[], got: readonly unknown[]) {
  const different = names.flatMap((name, at) =>
    expected[at] === got[at] ? [] : [`${name} (expected ${String(expected[at])}, got ${String(got[at])})`],
  )
  if (different.length > 0)
    throw new Error(`${what}: expected those of the other, got others in ${different.join(', ')}`)
}
