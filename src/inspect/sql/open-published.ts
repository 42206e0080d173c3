import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'
import { requireManifest } from '../../manifest/read-manifest.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { nonePublished, openListedTables, openPublishedTables, type ProfiledPlan } from '../profile/published-tables.ts'
import type { ReadableTable } from '../profile/readable-table.ts'
import { withDuckdb } from '../profile/with-duckdb.ts'
import { listKept, listPublished, type PublishedTable } from './published-table.ts'
import { parseStatement, type ReadingStatement } from './parse-statement.ts'
import { prepareResult, type SqlResult } from './sql-result.ts'

/** The tables of the last run, which statements can read, and nothing else. */
export interface PublishedTables {
  readonly published: PublishedManifest
  readonly tables: readonly PublishedTable[]
  /** Opens tables for all statements that follow. Without it the first statement opens those that it names. */
  open(this: void, tables: readonly PublishedTable[]): Promise<void>
  /**
   * Runs one statement that reads. Throws USAGE if it is not one, or if DuckDB refuses it, and SOURCE_CHANGED if a file of a
   * table that it names is not as published.
   */
  read(this: void, statement: string): Promise<SqlResult>
}

export type OpenContext = RequiredContext<'env' | 'signal'>

/** The manifest and the tables of the last run, without opening any. Throws SOURCE_NOT_FOUND if nothing is published. */
export async function readPublished(plan: ProfiledPlan, { env }: Pick<OpenContext, 'env'>) {
  const { path } = plan.report.manifest
  const storage = await openStorage(path, env)
  try {
    const published = await requireManifest(path, plan.name, storage)
    const tables = listPublished(plan, published)
    if (tables.length === 0) throw nonePublished(plan, published)
    return { published, tables, changed: await listChanged(published, storage) }
  } finally {
    await storage.close()
  }
}

/** Published files that are missing, or have another size. */
async function listChanged({ files }: PublishedManifest, storage: FileStorage): Promise<string[]> {
  const changed: string[] = []
  for (const { path, bytes } of files) {
    const found = await storage.sizeOf(path)
    if (found === null) changed.push(`${path} is missing`)
    else if (found !== bytes) changed.push(`${path} has ${found} bytes, and was published with ${bytes}`)
  }
  return [...new Set(changed)]
}

/**
 * Opens DuckDB for the duration of the work. Tables are opened if a statement names them. After that DuckDB can read nothing
 * but their files, and write nothing: no other file, no network, no extension, no setting.
 */
export async function withPublished<Result>(
  plan: ProfiledPlan,
  context: OpenContext,
  work: (tables: PublishedTables) => Promise<Result>,
): Promise<Result> {
  const { env, signal } = context
  return withDuckdb(plan.name, { signal, purpose: 'sql', threads: 1 }, async ({ duckdb, folder }) => {
    const { published, tables } = await readPublished(plan, context)
    const storage = await openStorage(plan.report.manifest.path, env)
    try {
      const access = { duckdb, storage, folder, env }
      const locked = new LockedTables(plan, published, access)
      const read = async (text: string): Promise<SqlResult> => {
        const statement = await parseStatement(text, duckdb)
        const named = chooseTables(statement, tables)
        await locked.open(named)
        return prepareResult(statement, { tables, named }, duckdb)
      }
      return await work({ published, tables, read, open: (wanted) => locked.open(wanted) })
    } finally {
      await storage.close()
    }
  })
}

/** The tables that a statement names; all of them for one that names none, such as `show tables`. */
function chooseTables({ names }: ReadingStatement, tables: readonly PublishedTable[]): readonly PublishedTable[] {
  const named = tables.filter(({ name }) => names.has(name.toLowerCase()))
  return named.length === 0 ? tables : named
}

interface TablesAccess extends RequiredContext<'env'> {
  readonly duckdb: Duckdb
  readonly storage: FileStorage
  readonly folder: string
}

/** Opens tables as views, until the first statement has been run: then everything else is out of reach. */
class LockedTables {
  readonly #plan: ProfiledPlan
  readonly #published: PublishedManifest
  readonly #access: TablesAccess
  #opened: ReadonlySet<string> | null = null

  constructor(plan: ProfiledPlan, published: PublishedManifest, access: TablesAccess) {
    this.#plan = plan
    this.#published = published
    this.#access = access
  }

  async open(tables: readonly PublishedTable[]): Promise<void> {
    const names = new Set(tables.map(({ name }) => name))
    if (this.#opened !== null) {
      const late = [...names].find((name) => this.#opened?.has(name) !== true)
      if (late === undefined) return
      throw new TypeError(`${late}: expected a table that the first statement names`)
    }
    this.#opened = names
    const opened = await this.#bring(names)
    const { duckdb, folder } = this.#access
    for (const { name, from } of opened) await duckdb.run(`CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${from}`)
    const files = opened.flatMap((table) => table.files ?? []).filter((file) => !isObjectPath(file))
    await duckdb.run(`SET GLOBAL allowed_directories = [${quoteText(`${folder}/`)}]`)
    await duckdb.run(`SET GLOBAL allowed_paths = [${files.map(quoteText).join(', ')}]`)
    await duckdb.run('SET GLOBAL enable_external_access = false')
    await duckdb.run('SET GLOBAL lock_configuration = true')
  }

  async #bring(names: ReadonlySet<string>): Promise<ReadableTable[]> {
    const published = this.#published
    const wanted = { tables: [...names] }
    const current = await openPublishedTables(this.#plan, published, this.#access, wanted)
    const kept = this.#plan.records.tables
      .flatMap(({ name }) => listKept(published, name))
      .filter(([name]) => names.has(name))
      .flatMap(([table, files]) => files.map((file) => ({ ...file, table })))
    return [...current, ...(await openListedTables({ files: kept }, this.#access))]
  }
}
