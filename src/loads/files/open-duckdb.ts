import * as fs from 'node:fs/promises'
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { CatalogueError, isError, messageOf } from '../../errors.ts'
import { requireOptional } from '../../optional-package.ts'
import { createFolders } from '../../storage/file-system.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import { formatParquetFiles } from './sql-text.ts'

/** A column of a chunk, or the elements of its lists. */
export type Vector = { readonly __duckdb_type: 'duckdb_vector' }

/**
 * The part of `@duckdb/node-bindings` that reads values. Results are views of DuckDB's memory, valid while the chunk
 * lives.
 */
export interface VectorBindings {
  data_chunk_get_vector(chunk: DuckDBDataChunk['chunk'], index: number): Vector
  vector_get_data(vector: Vector, bytes: number): Buffer
  vector_get_validity(vector: Vector, bytes: number): Uint8Array | null
  list_vector_get_child(vector: Vector): Vector
  list_vector_get_size(vector: Vector): number
  get_data_from_pointer(buffer: ArrayBufferLike, offset: number, bytes: number): Buffer
}

/** A DuckDB database in memory that joins and sorts Parquet files, and spills into a folder. */
export interface Duckdb {
  readonly bindings: VectorBindings
  run(sql: string): Promise<void>
  /** Reads a small result as JSON: 64-bit integers as text. */
  readAll(sql: string): Promise<unknown[][]>
  /**
   * Reads a result of any size. Each chunk is valid until the next is asked for; end the generator or read it to its
   * end.
   */
  readChunks(sql: string): AsyncGenerator<DuckDBDataChunk>
  close(): void
}

export interface DuckdbOptions {
  readonly memoryLimitMb: number
  readonly tempFolder: string
  readonly signal: AbortSignal | undefined
  /** The files of earlier runs: a failure to read one of them is STATE_INVALID. */
  readonly baselineFiles: readonly string[]
  /** What DuckDB does, for messages. Default: merging files. */
  readonly shown?: string
  /** Default 1: with two, the streamed result of a join is out of order. */
  readonly threads?: number
}

const mergeShown = 'merging files'

/** Throws PEER_MISSING if DuckDB is not installed. Queries fail with a CatalogueError or the signal's reason. */
export async function openDuckdb(options: DuckdbOptions): Promise<Duckdb> {
  const { memoryLimitMb, tempFolder, signal, shown = mergeShown, threads = 1 } = options
  const { DuckDBInstance: Instance } = requireDuckdb(shown)
  const bindings = requireBindings()
  await outputOperation(tempFolder, 'created', () => createFolders(tempFolder, fs))
  const instance = await Instance.create(':memory:', {
    memory_limit: `${memoryLimitMb}MiB`,
    threads: String(threads),
    temp_directory: tempFolder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  await configure(instance)
  const connections = new Set<DuckDBConnection>()
  const interrupt = () => {
    for (const connection of connections) connection.interrupt()
  }
  signal?.addEventListener('abort', interrupt)

  async function attempt<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      signal?.throwIfAborted()
      return await act()
    } catch (thrown) {
      signal?.throwIfAborted()
      throw await toMergeError(thrown, options, (file) => isReadable(instance, file))
    }
  }

  async function withConnection<Result>(act: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return attempt(async () => {
      const connection = await connect(instance, connections)
      try {
        return await act(connection)
      } finally {
        disconnect(connection, connections)
      }
    })
  }

  async function* readChunks(sql: string): AsyncGenerator<DuckDBDataChunk> {
    const connection = await attempt(() => connect(instance, connections))
    let next: Promise<DuckDBDataChunk | null> | undefined
    try {
      const result = await attempt(() => connection.stream(sql))
      const fetch = () => attempt(() => result.fetchChunk())
      next = fetch()
      for (;;) {
        const chunk = await next
        if (chunk === null || chunk.rowCount === 0) return
        // DuckDB computes the next chunk meanwhile.
        next = fetch()
        next.catch(() => undefined)
        yield chunk
        // Its memory was read through views, which don't keep it: until here it must not be collected.
        chunk.reset()
      }
    } finally {
      // A connection must not be closed while something is fetched.
      await next?.catch(() => undefined)
      disconnect(connection, connections)
    }
  }

  return {
    bindings,
    run: (sql) => withConnection(async (connection) => void (await connection.run(sql))),
    readAll: (sql) => withConnection(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson()),
    readChunks,
    close() {
      signal?.removeEventListener('abort', interrupt)
      instance.closeSync()
    },
  }
}

/**
 * Loads DuckDB, an optional peer. Throws PEER_MISSING, naming the output in `shown`, if there is none or an unknown version:
 * npm can't tell, as all versions of the package are pre-releases, which no range of versions takes.
 */
export function requireDuckdb(
  shown: string,
  load: () => unknown = () => requireOptional('@duckdb/node-api'),
): typeof import('@duckdb/node-api') {
  const got = (said: string, cause?: unknown) =>
    new CatalogueError('PEER_MISSING', `${shown}: expected the package "@duckdb/node-api"${said}`, {
      cause,
      fix: 'Install it beside catalogue-etl: `npm install @duckdb/node-api`.',
    })
  try {
    const duckdb = load() as typeof import('@duckdb/node-api')
    if (!isKnownVersion(duckdb.version())) throw got(` from 1.5.5, below 2, got ${duckdb.version()}`)
    return duckdb
  } catch (thrown) {
    throw thrown instanceof CatalogueError ? thrown : got(`, got: ${messageOf(thrown).split('\n')[0]}`, thrown)
  }
}

/** Such as `v1.5.6`. */
function isKnownVersion(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = (version.match(/\d+/g) ?? []).map(Number)
  return major === 1 && (minor > 5 || (minor === 5 && patch >= 5))
}

/** Loads the bindings below DuckDB's package: they read the values of a chunk without an object for each. */
function requireBindings(): VectorBindings {
  return requireOptional('@duckdb/node-bindings', '@duckdb/node-api') as VectorBindings
}

async function configure(instance: DuckDBInstance): Promise<void> {
  const connection = await instance.connect()
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  // The right side of a join is held in memory, and the left side keeps its order.
  await connection.run("SET GLOBAL disabled_optimizers = 'build_side_probe_side,join_order'")
  connection.disconnectSync()
}

async function isReadable(instance: DuckDBInstance, file: string): Promise<boolean> {
  const connection = await instance.connect()
  try {
    await connection.run(`SELECT bit_xor(hash(COLUMNS(*))) FROM ${formatParquetFiles([file])}`)
    return true
  } catch {
    return false
  } finally {
    connection.disconnectSync()
  }
}

async function connect(instance: DuckDBInstance, connections: Set<DuckDBConnection>): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  connections.add(connection)
  return connection
}

function disconnect(connection: DuckDBConnection, connections: Set<DuckDBConnection>): void {
  connections.delete(connection)
  connection.disconnectSync()
}

/**
 * Translates a failure of DuckDB: OUTPUT_FAILED if the disk or the memory is full, STATE_INVALID if a file of earlier
 * runs is missing or damaged. Any other error is returned unchanged.
 */
export async function toMergeError(
  thrown: unknown,
  { tempFolder, baselineFiles, shown = mergeShown }: Pick<DuckdbOptions, 'tempFolder' | 'baselineFiles' | 'shown'>,
  canRead: (file: string) => Promise<boolean>,
): Promise<unknown> {
  if (thrown instanceof CatalogueError || !isError(thrown)) return thrown
  const [message = ''] = thrown.message.split('\n')
  if (/no space left|failed to offload|max_temp_directory_size/i.test(thrown.message))
    return outOfRoom(`${tempFolder}: expected room for what is sorted there: ${message}`, thrown)
  if (/^out of memory/i.test(message))
    return outOfRoom(`${shown}: expected rows that fit into its memory: ${message}`, thrown)
  const file = baselineFiles.find((path) => message.includes(path)) ?? (await findUnreadable(baselineFiles, canRead))
  return file === undefined ? thrown : damagedBaseline(file, message, thrown)
}

/** Reads each file, as DuckDB's message about damaged pages does not name it. */
async function findUnreadable(
  files: readonly string[],
  canRead: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const file of files) if (!(await canRead(file))) return file
  return undefined
}

function outOfRoom(message: string, cause: Error): CatalogueError {
  return new CatalogueError('OUTPUT_FAILED', message, { cause })
}

/** STATE_INVALID for a file of earlier runs that the next run can't begin with. */
export function damagedBaseline(file: string, what: string, cause?: unknown): CatalogueError {
  return new CatalogueError('STATE_INVALID', `${file}: the file that earlier runs left is not as expected: ${what}`, {
    cause,
    fix: 'Put the file back, or start anew with `catalogue-etl state reset CONFIG`: the next run then reads everything.',
  })
}
