import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from '../databases/postgres-server.ts'
import { ScriptedService, type ScriptedRecord } from './scripted-service.ts'
import { StateFolder } from './state-folder.ts'

/** A row of the table `products`: id, status, name, and the cursor in seconds. */
export type WarehouseRow = readonly [id: string, status: string, name: string | null, updatedAt: number | null]

/** Merged files, a DuckDB file and, if a server is installed, a PostgreSQL schema, all of one pipeline over a scripted service. */
export class ScriptedWarehouse {
  readonly folder: StateFolder
  readonly service: ScriptedService
  readonly #postgres: PostgresServer | null
  #schema = 0

  private constructor(folder: StateFolder, service: ScriptedService, postgres: PostgresServer | null) {
    this.folder = folder
    this.service = service
    this.#postgres = postgres
  }

  static async create(): Promise<ScriptedWarehouse> {
    const postgres = skipsPostgres ? null : await startPostgres()
    return new ScriptedWarehouse(await StateFolder.create(), await ScriptedService.start(), postgres)
  }

  async close(): Promise<void> {
    await this.service.close()
    await this.folder.close()
    await this.#postgres?.stop()
  }

  /** Outputs that nothing has been published to. */
  begin(): void {
    this.#schema++
  }

  run(changes: Partial<Omit<PipelineConfig, 'source'>> = {}, options: RunOptions = {}) {
    return this.folder.run(
      {
        source: { ...this.service.source, filter: { status: ['active'] } },
        rejects: { limit: '100%' },
        incremental: { overlap: '0s', fullEvery: '90d' },
        tables: { products: { columns: ['id', 'status', 'name.nl', 'meta.updatedAt'] } },
        outputs: this.outputs(),
        manifest: { path: `out/${this.#schema}/_manifest.json` },
        ...changes,
      },
      options,
    )
  }

  /** By place, in the order of ids. */
  async rows(): Promise<Record<string, WarehouseRow[]>> {
    return { files: await this.#readFiles(), ...(await this.databaseRows()) }
  }

  async databaseRows(): Promise<Record<string, WarehouseRow[]>> {
    const sql = `SELECT id, status, name_nl, extract(epoch FROM meta_updated_at)::bigint FROM "s${this.#schema}".products ORDER BY id COLLATE "C"`
    const postgres = this.#postgres && (await this.#postgres.query(sql))
    return { duckdb: (await this.#queryDuckdb()).map(toRow), ...(postgres && { postgres: postgres.map(toRow) }) }
  }

  get manifestPath(): string {
    return join(this.folder.path, `${this.#schema}/_manifest.json`)
  }

  /** Runs a statement in every database; `runs` in it is the table of loads. */
  async change(statement: string): Promise<void> {
    const sql = statement.replace('runs', `"s${this.#schema}"._catalogue_etl_runs`)
    await this.#postgres?.query(sql)
    await this.#inDuckdb((connection) => connection.run(sql))
  }

  async #readFiles(): Promise<WarehouseRow[]> {
    const rows = await this.folder.rows(`${this.#schema}/products.ndjson`)
    return rows.map(({ id, status, name_nl, meta_updated_at }): WarehouseRow => [
      id as string,
      status as string,
      name_nl as string | null,
      meta_updated_at === null ? null : Date.parse(meta_updated_at as string) / 1000,
    ])
  }

  /** Files first. */
  outputs(): NonNullable<PipelineConfig['outputs']> {
    const schema = `s${this.#schema}`
    return [
      { format: 'ndjson', path: `out/${this.#schema}/{table}.ndjson`, mode: 'merge' },
      { format: 'duckdb', path: `out/${this.#schema}/products.duckdb`, schema, mode: 'merge' },
      ...(this.#postgres === null
        ? []
        : [{ format: 'postgres' as const, url: this.#postgres.url.text, schema, mode: 'merge' as const }]),
    ]
  }

  #queryDuckdb(): Promise<(string | null)[][]> {
    const sql = `SELECT id, status, name_nl, epoch_ms(meta_updated_at) // 1000 FROM s${this.#schema}.products ORDER BY id`
    return this.#inDuckdb(
      async (connection) => (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][],
    )
  }

  async #inDuckdb<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const instance = await DuckDBInstance.create(join(this.folder.path, `${this.#schema}/products.duckdb`), {
      threads: '1',
    })
    const connection = await instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  }
}

function toRow([id, status, name, updatedAt]: readonly (string | null)[]): WarehouseRow {
  return [String(id), String(status), name ?? null, updatedAt === null ? null : Number(updatedAt)]
}

/** The row of a record as the outputs have to hold it. */
export function toWarehouseRow({ id, status = 'active', name, updatedAt }: ScriptedRecord): WarehouseRow {
  return [id, status, name ?? null, updatedAt]
}
