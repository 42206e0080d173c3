import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CatalogAccess } from '../../src/config/catalog-access.ts'
import { CatalogueError } from '../../src/errors.ts'
import { type LakeOutputPlan, listLakeColumns } from '../../src/lake/lake-plan.ts'
import type { LakeOptions } from '../../src/lake/lake-session.ts'
import { openTarget } from '../../src/lake/open-target.ts'
import type { DatabaseLoad, DatabaseOutput } from '../../src/loads/databases/database-output.ts'
import type { KeyedTable } from '../../src/plan/loads/stateful-plan.ts'
import type { Row } from '../../src/records/flatten/column.ts'
import type { FileStorage } from '../../src/storage/file-storage.ts'
import { createLocalStorage } from '../../src/storage/local-storage.ts'
import { LoadModel, type ModelRecord, modelTables, toRows } from '../loads/databases/load-model.ts'
import { anyLoad, giveRows } from '../loads/databases/load-rows.ts'
import type { S3Server } from '../storage/s3/start-s3.ts'
import { type DeltaTable, query, readDelta, readDeltaLines } from './readers/read-delta.ts'
import {
  type IcebergTable,
  listLines,
  readCatalogTable,
  readIceberg,
  readIcebergLines,
} from './readers/read-iceberg.ts'

const day = 86_400_000
const firstStart = Date.parse('2026-03-01T00:00:00Z')

/** A lake of two tables, loaded night by night, and the model of what it has to hold. */
export class LakeRig {
  readonly folder: string
  readonly plan: LakeOutputPlan
  readonly #model: LoadModel
  readonly warnings: string[] = []
  #night = 0

  /** The bucket that the lake is in, whose objects are copied to be read; null for a folder. */
  readonly #server: S3Server | null

  private constructor(folder: string, plan: LakeOutputPlan, server: S3Server | null) {
    this.folder = folder
    this.plan = plan
    this.#server = server
    this.#model = new LoadModel({ ...plan, keepsTouched: true })
  }

  static async create(
    mode: LakeOutputPlan['mode'] = 'merge',
    server: S3Server | null = null,
    format: LakeOutputPlan['target']['format'] = 'delta',
    deletes: LakeOutputPlan['target']['deletes'] = 'rewrite',
    changeFeed = false,
  ): Promise<LakeRig> {
    const folder = await mkdtemp(join(tmpdir(), 'lake-'))
    const path = server === null ? join(folder, '{table}') : 's3://warehouse/lake/{table}'
    const target = { format, path, compression: 'zstd', deletes, changeFeed } as const
    return new LakeRig(folder, { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }, server)
  }

  /** Tables of the namespace `catalogue` of a catalog. */
  static async createInCatalog(
    mode: LakeOutputPlan['mode'],
    access: WrittenCatalog,
    deletes: LakeOutputPlan['target']['deletes'] = 'rewrite',
  ): Promise<LakeRig> {
    const folder = await mkdtemp(join(tmpdir(), 'lake-'))
    const catalog = new CatalogAccess({ namespace: 'catalogue', ...access })
    const path = `${catalog.url}, ${catalog.namespace.join('.')}.{table}`
    const target = { format: 'iceberg', path, compression: 'zstd', deletes, catalog } as const
    return new LakeRig(folder, { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }, null)
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  table(name = 'products'): string {
    return join(this.folder, name)
  }

  /** The facts of the next night's load, which brings everything. */
  nextLoad(changes: Partial<DatabaseLoad> = {}): DatabaseLoad {
    const startedAt = new Date(firstStart + this.#night * day)
    return { ...anyLoad, runId: `night-${this.#night}`, startedAt, syncedUntil: startedAt, ...changes }
  }

  /** Loads the records of a night, and compares the tables with the model. `meanwhile` happens before the commit. */
  async night(
    records: readonly ModelRecord[],
    meanwhile?: () => Promise<void>,
    options: LakeOptions = {},
  ): Promise<void> {
    const load = this.nextLoad()
    const counts = this.#model.load(records, load)
    const { changes } = await this.load(load, toRows(records), { ...options, meanwhile })
    assert.deepEqual(changes, counts)
    await this.compare()
    this.#night++
  }

  /** Tells the model of a load that the lake holds. */
  remember(records: readonly ModelRecord[]): void {
    this.#model.load(records, this.nextLoad())
    this.#night++
  }

  async compare(): Promise<void> {
    await this.#copyObjects()
    const lines = this.plan.tables.map((table) => this.#readLines(table))
    assert.deepEqual(await Promise.all(lines), this.#model.tables)
  }

  async #readLines(table: KeyedTable): Promise<string[]> {
    const columns = listLakeColumns(this.plan, table)
    if (this.plan.target.catalog !== undefined) return listLines(await this.readInCatalog(table.name), columns)
    const read = this.plan.target.format === 'delta' ? readDeltaLines : readIcebergLines
    return read(this.table(table.name), columns)
  }

  /** Asks the catalog for the metadata of a table. */
  async readInCatalog(name = 'products'): Promise<IcebergTable> {
    const { url = '', namespace = [], token } = this.plan.target.catalog ?? {}
    const path = `v1/namespaces/${namespace.join('%1F')}/tables/${name.replace('/', '_')}`
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const answer = await fetch(`${url}/${path}`, { headers })
    const { 'metadata-location': location } = (await answer.json()) as { 'metadata-location'?: string }
    if (location === undefined) throw new Error(`${name}: expected a table in the catalog, got ${answer.status}`)
    return readCatalogTable(location.replace(/^file:\/*/, '/'))
  }

  async load(load: DatabaseLoad, rows: readonly (readonly Row[])[], options: LoadOptions = {}) {
    const { plan = this.plan, meanwhile, ...others } = options
    const onWarning = (message: string) => void this.warnings.push(message)
    const output = await openTarget(plan, load, { onWarning, env: this.#server?.env, ...others })
    try {
      const changes = await giveRows(output, plan, load, rows, await this.#newFolder())
      await meanwhile?.()
      return { changes: changes.changes, details: changes, ...(await output.commit()) }
    } finally {
      await output.discard()
    }
  }

  /** The rows of a table of Delta, see `readDeltaLines`. */
  readLines(table: KeyedTable): Promise<string[]> {
    return readDeltaLines(this.table(table.name), listLakeColumns(this.plan, table))
  }

  /** The error that the next night's load ends with; the model stays as it is. */
  async fail(records: readonly ModelRecord[], options: LoadOptions = {}): Promise<CatalogueError> {
    try {
      await this.load(this.nextLoad(), toRows(records), options)
    } catch (thrown) {
      if (thrown instanceof CatalogueError) return thrown
      throw thrown
    }
    throw new Error('expected the load to fail')
  }

  /** Commits the first tables of a load, and not its state, as a run does that is killed then. */
  async killedLoad(records: readonly ModelRecord[], tables: number): Promise<void> {
    const local = createLocalStorage()
    let commits = 0
    const storage: FileStorage = {
      ...local,
      create: (path, bytes) => (commits++ < tables ? local.create(path, bytes) : Promise.reject(new Error('killed'))),
    }
    const load = this.nextLoad({ runId: 'killed' })
    await assert.rejects(this.load(load, toRows(records), { storage }), /killed/)
  }

  /** Puts the rows of a query of `t`, the table, in the place of all, as another engine's DELETE or UPDATE does. */
  async replaceRows(sql: string): Promise<void> {
    const { files } = await readDelta(this.table())
    const removes = files.map(({ path, size }) => ({
      remove: { path: path.slice(this.table().length + 1), size, deletionTimestamp: 0, dataChange: true },
    }))
    await this.#write(sql, removes)
  }

  async addRows(sql: string): Promise<void> {
    await this.#write(sql, [])
  }

  async #write(sql: string, removes: readonly object[]): Promise<void> {
    const { files } = await readDelta(this.table())
    const from = `read_parquet([${files.map(({ path }) => `'${path}'`).join(', ')}], union_by_name = true)`
    const name = `other-${randomUUID()}.parquet`
    const path = join(this.table(), name)
    await query(`COPY (WITH t AS (FROM ${from}) ${sql}) TO '${path}' (FORMAT parquet)`)
    const { size } = await stat(path)
    const add = { path: name, partitionValues: {}, size, modificationTime: 0, dataChange: true }
    await this.commit([{ commitInfo: { operation: 'WRITE' } }, ...removes, { add }])
  }

  async #copyObjects(): Promise<void> {
    for (const [key, content] of Object.entries((await this.#server?.objects()) ?? {})) {
      const path = join(this.folder, key.replace(/^lake\//, ''))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content, 'latin1')
    }
  }

  /** A folder that is removed with the lake. */
  #newFolder(): Promise<string> {
    return mkdtemp(join(this.folder, '.load-'))
  }

  async begin(load: DatabaseLoad, records: readonly ModelRecord[], options: LakeOptions = {}): Promise<DatabaseOutput> {
    const output = await openTarget(this.plan, load, { env: this.#server?.env, ...options })
    await giveRows(output, this.plan, load, toRows(records), await this.#newFolder())
    return output
  }

  async versions(): Promise<number[]> {
    const tables = [...this.plan.tables.map(({ name }) => name), '_catalogue_etl/nightly']
    return Promise.all(tables.map(async (name) => (await this.read(name)).version))
  }

  read(name = 'products'): Promise<DeltaTable | IcebergTable> {
    if (this.plan.target.catalog !== undefined) return this.readInCatalog(name)
    return this.plan.target.format === 'delta' ? readDelta(this.table(name)) : readIceberg(this.table(name))
  }

  /** Commits by hand, as another program does. */
  async commit(actions: readonly object[], name = 'products'): Promise<void> {
    const { version } = await readDelta(this.table(name))
    const text = actions.map((action) => `${JSON.stringify(action)}\n`).join('')
    await writeFile(this.logFile(version + 1, name), text, { flag: 'wx' })
  }

  logFile(version: number, name = 'products'): string {
    return join(this.table(name), '_delta_log', `${String(version).padStart(20, '0')}.json`)
  }

  /** Puts the content of all files of a table into new ones, as an OPTIMIZE does that finds one file. */
  async optimize(name = 'products'): Promise<void> {
    const { files } = await readDelta(this.table(name))
    const actions: object[] = []
    for (const [at, { path, stats }] of files.entries()) {
      const bytes = await readFile(path)
      const file = `optimized-${Date.now()}-${at}.parquet`
      await writeFile(join(this.table(name), file), bytes)
      const facts = { partitionValues: {}, size: bytes.length, modificationTime: 0, dataChange: false, stats }
      const old = path.slice(this.table(name).length + 1)
      actions.push(
        { remove: { path: old, deletionTimestamp: 0, dataChange: false } },
        { add: { path: file, ...facts } },
      )
    }
    await this.commit([{ commitInfo: { operation: 'OPTIMIZE' } }, ...actions], name)
  }
}

type WrittenCatalog = { readonly url: string } & Partial<ConstructorParameters<typeof CatalogAccess>[0]>

interface LoadOptions extends LakeOptions {
  readonly plan?: LakeOutputPlan
  readonly meanwhile?: (() => Promise<void>) | undefined
}

export function keyed(table: KeyedTable, columns: KeyedTable['columns']): KeyedTable {
  return { ...table, columns }
}

export function product(
  id: string,
  name: string | null = id,
  photos: readonly string[] = [],
  updatedAt: number | null = null,
): ModelRecord {
  return { id, name, photos, updatedAt }
}
