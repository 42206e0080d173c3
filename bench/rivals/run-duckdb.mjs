/* The rival as a process of its own: runs one SQL statement on two threads. Plain JavaScript, so that it starts at once. */
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run(process.argv[2])
