import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Column } from '../../../../src/records/flatten/column.ts'
import { quoteName } from '../../../../src/loads/files/sql-text.ts'
import { ddlDialects, type DdlDialectName } from '../../../../src/describe/ddl/format-ddl.ts'
import { skipsMariadb, startMariadb } from '../../../loads/databases/mariadb-server.ts'
import { skipsPostgres, startPostgres } from '../../../loads/databases/postgres-server.ts'
import type { Warehouse } from './warehouse.ts'

const {
  CATALOGUE_WAREHOUSES_PYTHON: python = '',
  CATALOGUE_REQUIRE_WAREHOUSES,
  CATALOGUE_REQUIRE_SPARK,
  CATALOGUE_LAKE_JARS = '',
  PYSPARK_PYTHON: sparkPython = 'python3',
} = process.env

/** Without the Python of `CATALOGUE_WAREHOUSES_PYTHON` its engines are left out, but with CATALOGUE_REQUIRE_WAREHOUSES=1, as in CI. */
export const skipsPython = python === '' && CATALOGUE_REQUIRE_WAREHOUSES !== '1'

/** The warehouses whose statements run here, and those that are left out as the engine is missing. */
export const warehouses = [
  { name: 'duckdb', isSkipped: false },
  { name: 'postgres', isSkipped: skipsPostgres },
  { name: 'mariadb', isSkipped: skipsMariadb },
  { name: 'clickhouse', isSkipped: skipsPython },
  { name: 'snowflake', isSkipped: skipsPython },
  { name: 'spark', isSkipped: CATALOGUE_REQUIRE_SPARK !== '1' || !CATALOGUE_LAKE_JARS.includes('delta-spark') },
] as const satisfies readonly { readonly name: DdlDialectName; readonly isSkipped: boolean }[]

export type WarehouseName = (typeof warehouses)[number]['name']

const starts: Readonly<Record<WarehouseName, () => Promise<Warehouse>>> = {
  duckdb: startDuckdb,
  postgres: startPsql,
  mariadb: startMariadbClient,
  clickhouse: () => startPython('clickhouse'),
  snowflake: () => startPython('snowflake'),
  spark: () => startPython('spark'),
}

export const startWarehouse = (name: WarehouseName): Promise<Warehouse> => starts[name]()

async function startDuckdb(): Promise<Warehouse> {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const run = async (script: string): Promise<void> => void (await connection.run(script))
  return {
    run,
    async runAll(script) {
      let failure: string | null = null
      for (const statement of toStatements(script)) {
        await run(statement).catch((error: unknown) => (failure ??= String(error)))
      }
      return failure
    },
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][],
    quoteName,
    formatText: textOf({
      list: (name) => `CAST(to_json(${name}) AS VARCHAR)`,
      time: (name) => `CAST(epoch_ms(${name}) AS VARCHAR)`,
      other: (name) => `CAST(${name} AS VARCHAR)`,
    }),
    stop() {
      connection.closeSync()
      instance.closeSync()
      return Promise.resolve()
    },
  }
}

async function startPsql(): Promise<Warehouse> {
  const server = await startPostgres()
  const psql = (isStopping: boolean, script: string): Promise<string> =>
    runClient(
      join(server.binFolder, 'psql'),
      ['-q', '-v', `ON_ERROR_STOP=${isStopping ? 1 : 0}`, server.url.text],
      script,
    )
  return {
    run: (script) => psql(true, script).then(() => undefined),
    runAll: async (script) => /ERROR: {2}.*/.exec(await psql(false, script))?.[0] ?? null,
    query: (sql) => server.query(sql),
    quoteName,
    formatText: textOf({
      list: (name) => `to_json(${name})::text`,
      time: (name) => `round(extract(epoch from ${name}) * 1000)::bigint::text`,
      other: (name) => `${name}::text`,
    }),
    stop: () => server.stop(),
  }
}

async function startMariadbClient(): Promise<Warehouse> {
  const server = await startMariadb()
  // The first of its arguments has to be first.
  const client = [...server.clientArguments, '--local-infile=1']
  return {
    run: (script) => runClient('mariadb', client, script).then(() => undefined),
    runAll: async (script) => (await runClient('mariadb', [...client, '--force'], script)) || null,
    query: (sql) => server.query(sql),
    quoteName: (name) => `\`${name}\``,
    formatText: textOf({
      list: (name) => name,
      time: (name) => `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${name}) DIV 1000`,
      other: (name) => name,
    }),
    // Its database stays until the server ends.
    stop: () => Promise.resolve(),
  }
}

/** Resolves with what the client says of errors. */
function runClient(program: string, options: readonly string[], script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = execFile(program, options, (error, _, said) => {
      if (error === null) resolve(said)
      else reject(new Error(said, { cause: error }))
    })
    client.stdin?.end(script)
  })
}

const pythonTexts = {
  clickhouse: textOf({
    list: (name) => `toJSONString(${name})`,
    time: (name) => `toUnixTimestamp64Milli(${name})`,
    other: (name) => name,
  }),
  snowflake: textOf({
    list: (name) => `TO_JSON(${name})`,
    time: (name) => `DATE_PART(epoch_millisecond, ${name})`,
    other: (name) => `CAST(${name} AS VARCHAR)`,
  }),
  spark: textOf({
    list: (name) => `to_json(${name})`,
    time: (name) => `unix_millis(${name})`,
    other: (name) => `CAST(${name} AS STRING)`,
  }),
  // Nothing can be read.
  bigquery: (name: string) => name,
  redshift: (name: string) => name,
} as const

/** Statements for BigQuery and Redshift are only parsed. */
export async function startPython(name: keyof typeof pythonTexts): Promise<Warehouse> {
  const program = name === 'spark' ? sparkPython : python
  const server = spawn(program, [join(import.meta.dirname, 'serve-warehouse.py'), name], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  server.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-4000)))
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  async function ask(question: object): Promise<{ failure: string | null; rows: (string | null)[][] }> {
    server.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`${name}: expected an answer, got none: ${said}`)
    return JSON.parse(value) as { failure: string | null; rows: (string | null)[][] }
  }
  return {
    async run(script) {
      const { failure } = await ask({ run: toStatements(script) })
      if (failure !== null) throw new Error(failure)
    },
    runAll: async (script) => (await ask({ run: toStatements(script), keepsGoing: true })).failure,
    query: async (sql) => (await ask({ rows: sql })).rows,
    quoteName: (table) => ddlDialects[name].quoteName(table),
    formatText: pythonTexts[name],
    async stop() {
      server.stdin.end()
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

function textOf(formats: Readonly<Record<'list' | 'time' | 'other', (name: string) => string>>) {
  return (name: string, { type, list }: Column): string =>
    formats[list ? 'list' : type.kind === 'timestamp' ? 'time' : 'other'](name)
}

/** Statements without their comments. */
export function toStatements(script: string): string[] {
  const lines = script.split('\n').filter((line) => !line.startsWith('-- '))
  return lines
    .join('\n')
    .split(/;\n/)
    .filter((statement) => statement.trim() !== '')
}
