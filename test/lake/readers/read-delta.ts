import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DeletionVector } from '../../../src/lake/delta/actions.ts'
import { readVector } from '../../../src/lake/delta/deletion-vectors.ts'
import { createLocalStorage } from '../../../src/storage/local-storage.ts'
import { quoteName } from '../../../src/loads/files/sql-text.ts'
import type { Column } from '../../../src/records/flatten/column.ts'

const storage = createLocalStorage()

interface LoggedAction {
  readonly add?: {
    readonly path: string
    readonly dataChange: boolean
    readonly size: number
    readonly stats?: string
    readonly deletionVector?: DeletionVector
  }
  readonly remove?: { readonly path: string; readonly dataChange: boolean }
  readonly protocol?: object
  readonly metaData?: {
    readonly id: string
    readonly schemaString: string
    readonly configuration: Record<string, string>
  }
  readonly commitInfo?: Record<string, unknown>
  readonly cdc?: { readonly path: string; readonly size: number; readonly dataChange: boolean }
  readonly txn?: { readonly appId: string; readonly version: number }
}

export interface DeltaTable {
  readonly version: number
  readonly files: readonly DeltaFile[]
  readonly columns: readonly string[]
  /** By version. */
  readonly commits: readonly (readonly LoggedAction[])[]
}

export interface DeltaFile {
  readonly path: string
  readonly size: number
  readonly stats: string
  /** The numbers of its deleted rows. */
  readonly deleted: readonly number[]
}

/** Reads the whole log of a table in the plainest way, and checks that it has no gap and adds or removes nothing twice. */
export async function readDelta(folder: string): Promise<DeltaTable> {
  const names = await readdir(join(folder, '_delta_log'))
  const versions = names.filter((name) => /^\d{20}\.json$/.test(name)).toSorted()
  const files = new Map<string, NonNullable<LoggedAction['add']>>()
  const commits: LoggedAction[][] = []
  let columns: string[] = []
  for (const [version, name] of versions.entries()) {
    if (Number(name.slice(0, 20)) !== version) throw new Error(`${folder}: expected version ${version}, got ${name}`)
    const text = await readFile(join(folder, '_delta_log', name), 'utf8')
    const actions = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LoggedAction)
    for (const { remove } of actions) {
      if (remove && !files.delete(remove.path))
        throw new Error(`${folder}, ${version}: removed nothing: ${remove.path}`)
    }
    for (const { add, metaData } of actions) {
      if (metaData) {
        const { fields } = JSON.parse(metaData.schemaString) as { fields: { name: string }[] }
        columns = fields.map((field) => field.name)
      }
      if (!add) continue
      if (files.has(add.path)) throw new Error(`${folder}, ${version}: added twice: ${add.path}`)
      files.set(add.path, add)
    }
    commits.push(actions)
  }
  const listed: DeltaFile[] = []
  for (const { path, size, stats = '', deletionVector } of files.values()) {
    const deleted = deletionVector ? await readVector(storage, folder, deletionVector) : []
    listed.push({ path: join(folder, decodeURIComponent(path)), size, stats, deleted })
  }
  return { version: versions.length - 1, files: listed, columns, commits }
}

/** The rows of a table as `LoadModel` has them: sorted lines of JSON. */
export async function readDeltaLines(folder: string, columns: readonly Column[]): Promise<string[]> {
  const { files } = await readDelta(folder)
  if (files.length === 0) return []
  return formatLines(`(${selectRows(files)})`, columns)
}

/** The rows of data files that are not deleted. */
export function selectRows(files: readonly Pick<DeltaFile, 'path' | 'deleted'>[], columns = '*'): string {
  const parts = files.map(({ path, deleted }) => {
    const from = `read_parquet('${path.replaceAll("'", "''")}')`
    return `SELECT ${columns} FROM ${from} WHERE file_row_number NOT IN (${[-1, ...deleted].join(', ')})`
  })
  return parts.join(' UNION ALL BY NAME ')
}

/** Rows as lines in their own order; `from` may follow FROM. */
export async function formatLines(from: string, columns: readonly Column[]): Promise<string[]> {
  const values = columns.map(({ name, type, list }) => {
    const column = quoteName(name)
    if (list) return `CAST(to_json(${column}) AS VARCHAR)`
    return type.kind === 'timestamp' ? `CAST(epoch_ms(${column}) AS VARCHAR)` : `CAST(${column} AS VARCHAR)`
  })
  const rows = await query(`SELECT ${values.join(', ')} FROM ${from}`)
  return rows.map((row) => JSON.stringify(row.map((cell, at) => toCell(cell, columns[at] as Column)))).toSorted()
}

export async function query(sql: string): Promise<(string | null)[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'")
    return (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][]
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function toCell(text: string | null, { type, list }: Column): unknown {
  if (text === null) return null
  if (list) return JSON.parse(text) as unknown
  return type.kind === 'text' || type.kind === 'date' ? text : (JSON.parse(text) as unknown)
}
