import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { buildChild } from '../../built-child.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../../../src/errors.ts'
import type { Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { startPostgres, type PostgresServer } from '../../loads/databases/postgres-server.ts'
import type { ExpectedColumn, PlainCell } from '../outputs/expected-tables.ts'
import { columnsOf, locales, modeColumns, tableColumns, type TableName, type WarehouseMode } from './month-oracle.ts'
import { toPlain } from '../outputs/read-tables.ts'
import type { Manifest, PublishedState } from '../../../src/manifest/manifest.ts'

/** The arguments of one night's run. */
export interface MonthRun {
  readonly config: PipelineConfig
  readonly outDir: string
  readonly now: number
}

type Output = NonNullable<PipelineConfig['outputs']>[number]
export type Place = 'parquet' | 'duckdb' | 'postgres'
export const places: readonly Place[] = ['parquet', 'duckdb', 'postgres']

export const modes: readonly WarehouseMode[] = ['kept', 'marked', 'history']
export const tableNames = Object.keys(tableColumns) as TableName[]

/** One pipeline over a sandbox whose tables go into files and two databases, each in all modes. */
export class MonthWarehouse {
  readonly path: string
  readonly sandbox: Sandbox
  readonly postgres: PostgresServer

  readonly #daysBetweenFullReads: number

  private constructor(path: string, sandbox: Sandbox, postgres: PostgresServer, daysBetweenFullReads: number) {
    this.path = path
    this.sandbox = sandbox
    this.postgres = postgres
    this.#daysBetweenFullReads = daysBetweenFullReads
  }

  static async create(sandbox: Sandbox, daysBetweenFullReads: number): Promise<MonthWarehouse> {
    const path = await mkdtemp(join(tmpdir(), 'month-'))
    return new MonthWarehouse(path, sandbox, await startPostgres(), daysBetweenFullReads)
  }

  async remove(): Promise<void> {
    await this.postgres.stop()
    await rm(this.path, { recursive: true, force: true })
  }

  async run(config = this.config(), options: RunOptions = {}): Promise<Manifest & { readonly state: PublishedState }> {
    const { now } = this.sandbox
    const report = await runPipeline(config, { outDir: this.path, env: {}, workers: 0, now, ...options })
    if (report.state === undefined) throw new Error('expected a state in the report')
    return { ...report, state: report.state }
  }

  /** The error that a run ends with. */
  async fail(config?: PipelineConfig, options?: RunOptions): Promise<CatalogueError> {
    const thrown: unknown = await this.run(config, options).then(
      () => new Error('expected the run to fail'),
      (error: unknown) => error,
    )
    if (thrown instanceof CatalogueError) return thrown
    throw thrown
  }

  /** The same run in a process of its own. */
  async start(): Promise<ChildProcess> {
    const run: MonthRun = { config: this.config(), outDir: this.path, now: this.sandbox.now() }
    const path = await buildChild('month-child.ts')
    return spawn(process.execPath, [path, JSON.stringify(run)], { stdio: 'inherit' })
  }

  /**
   * Starts a run in a process of its own and kills it while it commits what comes second: the databases before that one
   * have the load, that one and those after it have not. Nothing but a trigger can stop a commit in its middle.
   */
  async killWhileCommitting(): Promise<void> {
    const query = (sql: string) => this.postgres.query(sql)
    const runs = `"${secondSchema}"._catalogue_etl_runs`
    await query(`CREATE FUNCTION sleep_long() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(600); RETURN NULL; END'`)
    await query(`CREATE CONSTRAINT TRIGGER sleeps AFTER INSERT ON ${runs} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION sleep_long()`)
    const child = await this.start()
    const ended = once(child, 'exit')
    let pid: string | null = null
    while (pid === null && child.exitCode === null) {
      const sleeping = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' AND wait_event = 'PgSleep'`
      pid = (await query(sleeping))[0]?.[0] ?? null
    }
    child.kill('SIGKILL')
    const [code, signal] = (await ended) as [number | null, string | null]
    if (signal !== 'SIGKILL') throw new Error(`expected a run that hangs, got one that ended with ${code}`)
    // The server would only notice once it has slept.
    await query(`SELECT pg_terminate_backend(${pid}, 10000)`)
    await query(`DROP TRIGGER sleeps ON ${runs}`)
  }

  config(outputs = this.outputs(), baseUrl = this.sandbox.baseUrl): PipelineConfig {
    const { keyId, keySecret } = this.sandbox
    return {
      name: 'warehouse',
      source: {
        endpoint: 'v4/products/stream',
        filter: { status: [status] },
        baseUrl,
        keyId,
        keySecret,
        requestsPerMinute: 10_000,
        retries: 1,
      },
      incremental: { cursor: 'meta.updatedAt', overlap: '1h', fullEvery: `${this.#daysBetweenFullReads}d` },
      locales,
      tables: {
        products: { columns: productPaths.split(' ') },
        product_photos: { each: 'photos[]', columns: ['id', 'locales', 'photoType', 'meta.updatedAt', 'name.nl'] },
        product_photo_organizations: { each: 'photos[].organizations[]', columns: ['id', 'name.nl', 'type'] },
      },
      outputs,
      manifest: { path: 'out/_manifest.json' },
    }
  }

  /** Files first; of the databases, one of PostgreSQL comes second. */
  outputs(): Output[] {
    const keeping = {
      kept: { mode: 'merge' },
      marked: { mode: 'merge', removed: 'mark' },
      history: { mode: 'history' },
    }
    return modes.flatMap((mode): Output[] => {
      const how = keeping[mode] as { mode: 'merge' | 'history'; removed?: 'mark' }
      return [
        { format: 'parquet', path: `out/${mode}/{table}.parquet`, ...how },
        { format: 'duckdb', path: `out/${mode}.duckdb`, schema: mode, ...how },
        { format: 'postgres', url: this.postgres.url.text, schema: mode, ...how },
      ]
    })
  }

  /** All outputs, and those of each database alone. */
  listShares(): Output[][] {
    const all = this.outputs()
    return [all, ...places.slice(1).map((place) => all.filter(({ format }) => format === place))]
  }

  /** By table, one line of JSON a row: those of files in their order, others sorted. */
  async read(place: Place, mode: WarehouseMode): Promise<Record<string, readonly string[]>> {
    const tables: Record<string, readonly string[]> = {}
    for (const name of tableNames) {
      const columns = [...columnsOf(name), ...modeColumns[mode]]
      const rows = await (place === 'postgres'
        ? this.#readPostgres(mode, name, columns)
        : this.#readDuckDb(place, mode, name, columns))
      tables[name] = toLines(rows, place)
    }
    return tables
  }

  /** SHA-256 by path of every file but those of databases, and the history, which failed runs add to. */
  async hashFiles(): Promise<Record<string, string>> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !/\.duckdb|_runs\.ndjson/.test(entry.name))
    const hashes = files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [
        relative(this.path, path),
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      ] as const
    })
    return Object.fromEntries(await Promise.all(hashes))
  }

  async #readPostgres(schema: string, table: string, columns: readonly ExpectedColumn[]): Promise<PlainCell[][]> {
    const cells = columns.map(({ name, type }) => {
      if (type.endsWith(' list')) return `to_json("${name}")::text`
      return type === 'timestamp' ? `(extract(epoch FROM "${name}") * 1000)::bigint::text` : `"${name}"::text`
    })
    const rows = await this.postgres.query(`SELECT ${cells.join(', ')} FROM "${schema}"."${table}"`)
    const isList = columns.map(({ type }) => type.endsWith(' list'))
    return rows.map((row) =>
      row.map((cell, at) => (isList[at] && cell !== null ? (JSON.parse(cell) as string[]) : cell)),
    )
  }

  async #readDuckDb(
    place: Place,
    mode: string,
    table: string,
    columns: readonly ExpectedColumn[],
  ): Promise<PlainCell[][]> {
    const path = place === 'parquet' ? ':memory:' : join(this.path, `${mode}.duckdb`)
    const from = place === 'parquet' ? `'${join(this.path, mode, table)}.parquet'` : `"${mode}"."${mode}"."${table}"`
    const instance = await DuckDBInstance.create(
      path,
      path === ':memory:' ? { threads: '1' } : { access_mode: 'READ_ONLY', threads: '1' },
    )
    const connection = await instance.connect()
    try {
      await connection.run("SET TimeZone = 'UTC'")
      const names = columns.map(({ name }) => `"${name}"`).join(', ')
      const rows = (await connection.runAndReadAll(`SELECT ${names} FROM ${from}`)).getRowsJson()
      return toPlain(rows, columns) as PlainCell[][]
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }
}

export function toLines(rows: readonly (readonly PlainCell[])[], place: Place): string[] {
  const lines = rows.map((row) => JSON.stringify(row))
  return place === 'parquet' ? lines : lines.toSorted()
}

/** As the contract calls the columns of `tableColumns`. */
const productPaths =
  'id status replacement name prescription officialDeletionAt ean conservationMin.celsius vat publicPrice packageContent notApplicableField deleted meta.createdAt meta.updatedAt'

/** The status of the products that the pipeline asks for. */
export const status = 'active'
const secondSchema: WarehouseMode = 'kept'
