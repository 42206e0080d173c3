import { DuckDBInstance } from '@duckdb/node-api'

/** The rows of a query as JSON: text for what JSON has no exact form of. Times are shown in UTC. */
export async function queryDuckDb(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  try {
    const connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'")
    return (await connection.runAndReadAll(sql)).getRowsJson()
  } finally {
    instance.closeSync()
  }
}
