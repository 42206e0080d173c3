import { queryDuckDb } from '../../formats/query-duckdb.ts'

/** A Parquet file as DuckDB reads it: a line `name TYPE` for each column, an empty line, a line of JSON for each row. */
export async function describeParquet(path: string): Promise<string> {
  const from = `read_parquet('${path.replaceAll("'", "''")}')`
  const columns = await queryDuckDb(`DESCRIBE SELECT * FROM ${from}`)
  const rows = await queryDuckDb(`SELECT * FROM ${from}`)
  const lines = [
    ...columns.map(([name, type]) => `${String(name)} ${String(type)}`),
    '',
    ...rows.map((row) => JSON.stringify(row)),
  ]
  return `${lines.join('\n')}\n`
}
