import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { FileReport, Manifest } from '../../../src/manifest/manifest.ts'

/** What a reader makes of the files of a run. */
export type Applied = 'applied' | 'repeated' | 'gap'

/**
 * Tables in DuckDB that the files of changes are replayed into, run by run, by nothing but the columns and rows in these
 * files.
 */
export class ReplayedChanges {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #children: ReadonlyMap<string, string>
  readonly #root: string
  readonly #applied = new Set<string>()
  #last: string | null = null

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, tables: ReplayedTables) {
    this.#instance = instance
    this.#connection = connection
    this.#root = tables.root
    this.#children = new Map(Object.entries(tables.children))
  }

  static async create(tables: ReplayedTables): Promise<ReplayedChanges> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    return new ReplayedChanges(instance, await instance.connect(), tables)
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }

  /** Applies all runs that are listed, in their order. */
  async applyAll({ files }: Pick<Manifest, 'files'>): Promise<Applied[]> {
    const runs = [...new Set(files.filter(isOfChanges).map(({ run }) => run as string))]
    const applied: Applied[] = []
    for (const run of runs)
      applied.push(await this.applyRun(files.filter((file) => isOfChanges(file) && file.run === run)))
    return applied
  }

  async applyRun(files: readonly FileReport[]): Promise<Applied> {
    const [{ run = '', previousRun = null } = {}] = files
    if (this.#applied.has(run)) return 'repeated'
    if (previousRun !== null && previousRun !== this.#last) return 'gap'
    const of = (table: string) => {
      const paths = files.filter((file) => file.table === table).map(({ path }) => `'${path}'`)
      return `read_parquet([${paths.join(', ')}], hive_partitioning = false)`
    }
    const root = of(this.#root)
    if (previousRun === null) await this.#create(of)
    await this.#replace(this.#root, 'id', root)
    for (const [table, key] of this.#children) {
      await this.#run(`DELETE FROM "${table}" WHERE "${key}" IN (SELECT id FROM ${root})`)
      await this.#insert(table, of(table))
    }
    this.#applied.add(run)
    this.#last = run
    return 'applied'
  }

  async #create(of: (table: string) => string): Promise<void> {
    for (const table of [this.#root, ...this.#children.keys()])
      await this.#run(
        `CREATE OR REPLACE TABLE "${table}" AS SELECT * EXCLUDE (${modeColumns.join(', ')}) FROM ${of(table)} LIMIT 0`,
      )
  }

  async #replace(table: string, key: string, rows: string): Promise<void> {
    await this.#run(`DELETE FROM "${table}" WHERE "${key}" IN (SELECT "${key}" FROM ${rows})`)
    await this.#insert(table, rows)
  }

  async #insert(table: string, rows: string): Promise<void> {
    const columns = await this.read(`DESCRIBE FROM ${rows}`)
    for (const [name, type] of columns)
      if (!modeColumns.includes(String(name)))
        await this.#run(`ALTER TABLE "${table}" ADD COLUMN IF NOT EXISTS "${String(name)}" ${String(type)}`)
    const select = `SELECT * EXCLUDE (${modeColumns.join(', ')}) FROM ${rows} WHERE _change <> 'removed'`
    await this.#run(`INSERT INTO "${table}" BY NAME ${select}`)
  }

  /** Rows of a table that a Parquet file lacks, and the other way round, in those columns. */
  async differ(table: string, file: string, without: readonly string[] = []): Promise<unknown[][]> {
    const described = await this.read(`DESCRIBE FROM '${file}'`)
    const names = described.map(([name]) => String(name)).filter((name) => !without.includes(name))
    const cells = names.map((name) => `"${name}"`).join(', ')
    const [own, merged] = [`SELECT ${cells} FROM "${table}"`, `SELECT ${cells} FROM '${file}'`]
    return this.read(`(${own} EXCEPT ALL ${merged}) UNION ALL (${merged} EXCEPT ALL ${own})`)
  }

  async read(sql: string): Promise<unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRowsJson()
  }

  async #run(sql: string): Promise<void> {
    await this.#connection.run(sql)
  }
}

export interface ReplayedTables {
  readonly root: string
  /** The column of the parent's id, by table. */
  readonly children: Readonly<Record<string, string>>
}

const modeColumns = ['_change', '_changed_at', '_run', '_previous_run']

/** The Parquet files of changes. */
export function isOfChanges({ mode, format }: FileReport): boolean {
  return mode === 'changes' && format === 'parquet'
}
