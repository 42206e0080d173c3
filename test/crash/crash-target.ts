import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { journalPathFor } from '../../src/storage/publication-journal.ts'
import { readDelta } from '../lake/readers/read-delta.ts'
import type { PostgresServer } from '../loads/databases/postgres-server.ts'
import type { Manifest, PublishedState } from '../../src/manifest/manifest.ts'

/** The target of the runs of one config: a folder of their own and, in a database, schemas of their own. */
export interface Place {
  readonly folder: string
  /** The beginning of the names of its schemas: letters, digits and `_`. */
  readonly prefix: string
}

/** Sorted rows as JSON, by what is published at once, then by table or file. What has no rows is left out. */
export type Published = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** The target that runs are killed over. */
export interface CrashTarget {
  readonly name: string
  /** The variables for the preloaded tracking of a run. */
  readonly env: Readonly<Record<string, string>>
  outputs(place: Place): NonNullable<PipelineConfig['outputs']>
  /** The rows that readers see; without files while these are being put in place, as the journal shows. */
  read(place: Place): Promise<Published>
  /** The folder whose files have names of their own in every run. Default: none. */
  readonly ownNames?: string
}

export const filesTarget: CrashTarget = {
  name: 'files',
  env: { CRASH_DUCKDB: '1' },
  outputs: () => [
    { format: 'parquet', path: 'out/merge/{table}.parquet', mode: 'merge', removed: 'mark' },
    { format: 'ndjson', path: 'out/history/{table}.ndjson', mode: 'history' },
    { format: 'ndjson', path: 'out/parts/{table}.ndjson', mode: 'merge', partitionBy: ['status'], rowsPerFile: 20 },
    { format: 'ndjson', path: 'out/changes/{table}.ndjson', mode: 'changes' },
  ],
  async read({ folder }) {
    const manifest = join(folder, '_manifest.json')
    if (existsSync(journalPathFor(manifest))) return {}
    if (!existsSync(manifest)) return { files: {} }
    const { files, state } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest & { state: PublishedState }
    const ofState = [
      ...(state.records === null ? [] : [state.records]),
      ...state.tables.flatMap((table) => table.files),
    ]
    const rows: Record<string, readonly string[]> = {}
    const toNumbered = numberRuns(files)
    for (const { path, sha256 } of [...files, ...ofState]) {
      const bytes = await readFile(path)
      const got = createHash('sha256').update(bytes).digest('hex')
      if (got !== sha256) throw new Error(`${path}: expected what the manifest says, got another version`)
      const lines = path.endsWith('.ndjson') ? bytes.toString().split('\n').slice(0, -1) : await readParquet(path)
      rows[toNumbered(relative(folder, path))] = lines.map(toNumbered).toSorted()
    }
    return { files: rows }
  },
}

/** Names the runs in files of changes by their numbers, as each folder has runs of its own. */
function numberRuns(files: Manifest['files']): (text: string) => string {
  const runs = [...new Set(files.flatMap(({ run }) => run ?? []))]
  return (text) =>
    runs.reduce((named, run, at) => named.replaceAll(run, `run ${at}`).replaceAll(run.slice(0, 8), `run ${at}`), text)
}

export const duckdbTarget: CrashTarget = {
  name: 'duckdb',
  env: { CRASH_DUCKDB: '1' },
  outputs: () => [
    { format: 'duckdb', path: 'out/current.duckdb', mode: 'merge', removed: 'mark' },
    { format: 'duckdb', path: 'out/history.duckdb', mode: 'history' },
    { format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' },
  ],
  async read(place) {
    const current = await readDuckdb(join(place.folder, 'current.duckdb'))
    const history = await readDuckdb(join(place.folder, 'history.duckdb'))
    return { ...(await filesTarget.read(place)), current, history }
  },
}

async function readDuckdb(path: string): Promise<Published[string]> {
  if (!existsSync(path)) return {}
  // A copy: opening it brings what a killed run left in the log into the file, which is for the next run to do.
  const copies = await mkdtemp(join(tmpdir(), 'crash-copy-'))
  try {
    for (const name of [path, `${path}.wal`].filter((each) => existsSync(each))) {
      await copyFile(name, join(copies, basename(name)))
    }
    return await withDuckdb(join(copies, basename(path)), async (query) => {
      const names = await query('SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal')
      const tables = await readTables(names, 'CAST(to_json(t) AS VARCHAR)', query)
      return tables['main'] ?? {}
    })
  } finally {
    await rm(copies, { recursive: true })
  }
}

/** Each table is published on its own. */
export const lakeTarget: CrashTarget = {
  name: 'lake',
  env: { CRASH_DUCKDB: '1' },
  ownNames: 'lake',
  outputs: () => [
    { format: 'delta', path: 'out/lake/current/{table}', mode: 'merge', removed: 'mark' },
    { format: 'delta', path: 'out/lake/history/{table}', mode: 'history' },
    { format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' },
  ],
  async read(place) {
    const published: Record<string, Published[string]> = { ...(await filesTarget.read(place)) }
    for (const kind of ['current', 'history']) {
      for (const table of await readdir(join(place.folder, 'lake', kind)).catch(() => [])) {
        if (table.startsWith('_')) continue
        const folder = join(place.folder, 'lake', kind, table)
        const { files } = await readDelta(folder).catch(() => ({ files: [] }))
        const rows: string[] = []
        for (const { path } of files) rows.push(...(await readParquet(path)))
        if (rows.length > 0) published[`${kind} ${table}`] = { [table]: rows.toSorted() }
      }
    }
    return published
  },
}

export function createPostgresTarget(server: PostgresServer): CrashTarget {
  return {
    name: 'postgres',
    env: { CRASH_PORT: new URL(server.url.text).port },
    outputs(place) {
      const [current, history] = listSchemas(place)
      const database = { format: 'postgres', url: server.url.text } as const
      return [
        { ...database, schema: current, mode: 'merge' },
        { ...database, schema: history, mode: 'history' },
      ]
    },
    async read(place) {
      // All in one transaction: the server may still be at what a killed run sent last.
      await server.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      try {
        const [current, history] = listSchemas(place)
        const names = await server.query(
          `SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('${current}', '${history}')`,
        )
        const published = await readTables(names, 'to_jsonb(t)::text', (sql) => server.query(sql))
        return { current: published[current] ?? {}, history: published[history] ?? {} }
      } finally {
        await server.query('COMMIT')
      }
    },
  }
}

function listSchemas({ prefix }: Place): readonly [string, string] {
  return [`${prefix}_current`, `${prefix}_history`]
}

type Query = (sql: string) => Promise<(string | null)[][]>

/** Keeps of the loads only how far the last one reaches: runs that are repeated load nothing, but are noted. */
async function readTables(names: (string | null)[][], asText: string, query: Query): Promise<Published> {
  const published: Record<string, Record<string, readonly string[]>> = {}
  for (const [schema, name] of names) {
    const table = `"${schema}"."${name}"`
    const isRuns = name === '_catalogue_etl_runs'
    const last = `(SELECT synced_until FROM ${table} ORDER BY run_number DESC LIMIT 1)`
    const rows = await query(`SELECT ${asText} FROM ${isRuns ? last : table} AS t`)
    if (rows.length > 0) (published[String(schema)] ??= {})[String(name)] = rows.map(([row]) => String(row)).toSorted()
  }
  return published
}

async function readParquet(path: string): Promise<string[]> {
  return withDuckdb(':memory:', async (query) => {
    const rows = await query(
      `SELECT CAST(to_json(t) AS VARCHAR) FROM read_parquet('${path}', hive_partitioning = false) t`,
    )
    return rows.map(([row]) => String(row))
  })
}

async function withDuckdb<Result>(path: string, act: (query: Query) => Promise<Result>): Promise<Result> {
  const instance = await DuckDBInstance.create(path, { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'")
    return await act(async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export async function createPlace(folder: string, prefix: string): Promise<Place> {
  await mkdir(join(folder, prefix), { recursive: true })
  return { folder: join(folder, prefix), prefix }
}
