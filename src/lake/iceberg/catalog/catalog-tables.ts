import { z } from 'zod'
import type { CatalogAccess } from '../../../config/catalog-access.ts'
import { CatalogueError } from '../../../errors.ts'
import type { NewTable } from '../../lake-format.ts'
import { pipelineProperty } from '../../lake-plan.ts'
import { type TableMetadata, tableMetadata } from '../table-metadata.ts'
import { columnsProperty, formatColumns, numberColumns, toEntries, toSchema } from '../table-schema.ts'
import type { CatalogClient } from './catalog-client.ts'
import type { CatalogStorage } from './catalog-storage.ts'

/** What the catalog has of a table. */
export interface LoadedTable {
  readonly folder: string
  readonly metadata: TableMetadata
}

/** A commit of one table, as the catalog takes it. */
export interface TableCommit {
  readonly folder: string
  readonly requirements: readonly object[]
  readonly updates: readonly object[]
}

const config = z.record(z.string(), z.string())
const loadedTable = z.looseObject({
  metadata: tableMetadata,
  config: config.nullish(),
  'storage-credentials': z.array(z.looseObject({ prefix: z.string(), config })).nullish(),
})

/** The tables of one namespace. */
export class CatalogTables {
  readonly #client: CatalogClient
  readonly #access: CatalogAccess
  readonly #storage: CatalogStorage
  readonly #folders = new Map<string, string>()

  constructor(client: CatalogClient, access: CatalogAccess, storage: CatalogStorage) {
    this.#client = client
    this.#access = access
    this.#storage = storage
  }

  get isTransactional(): boolean {
    return this.#client.endpoints.has('POST /v1/{prefix}/transactions/commit')
  }

  /** The folder of a table; what messages call it if it is not there yet. */
  async findFolder(name: string, shown: string): Promise<string> {
    const folder = this.#folders.get(name) ?? (await this.#loadByName(name))?.folder ?? shown
    return folder
  }

  /** Null if there is no table. */
  async load(folder: string): Promise<LoadedTable | null> {
    const name = this.#nameOf(folder)
    return name === undefined ? null : this.#loadByName(name)
  }

  async #loadByName(name: string): Promise<LoadedTable | null> {
    const { status, body } = await this.#client.send({ method: 'GET', path: this.#pathOf(name), expected: [404] })
    if (status === 404) return null
    const { data, error } = loadedTable.safeParse(body)
    if (data === undefined)
      throw new CatalogueError(
        'TARGET_MISMATCH',
        `${this.#shown(name)}: expected a table, got what can't be read: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`,
      )
    const { metadata, 'storage-credentials': credentials } = data
    const folder = this.#toFolder(name, metadata.location)
    this.#folders.set(name, folder)
    const nearest = (credentials ?? [])
      .filter(({ prefix }) => metadata.location.startsWith(prefix))
      .toSorted((one, other) => one.prefix.length - other.prefix.length)
    this.#storage.setAccess(folder, Object.assign({}, this.#client.config, data.config, nearest.at(-1)?.config))
    return { folder, metadata }
  }

  /** Makes a table without rows, and the namespace, unless they are there: the catalog chooses the folder, and the ids of columns. */
  async create({ table, pipeline, columns, descriptions }: NewTable): Promise<void> {
    const entries = toEntries(columns, numberColumns(columns, [], 0), descriptions.columns)
    const request = {
      method: 'POST',
      path: `namespaces/${this.#namespacePath(this.#access.namespace)}/tables`,
      body: {
        name: table,
        schema: toSchema(0, entries),
        'stage-create': false,
        properties: {
          'format-version': '2',
          [pipelineProperty]: pipeline,
          [columnsProperty]: formatColumns(columns),
          ...(descriptions.table !== '' && { comment: descriptions.table }),
        },
      },
    } as const
    const { status } = await this.#client.send({ ...request, expected: [404, 409] })
    if (status !== 404) return
    for (const at of this.#access.namespace.keys()) {
      const namespace = this.#access.namespace.slice(0, at + 1)
      await this.#client.send({ method: 'POST', path: 'namespaces', body: { namespace }, expected: [409] })
    }
    await this.#client.send({ ...request, expected: [409] })
  }

  /** Returns false if the catalog found something else than what the commits require. */
  async commit(commits: readonly TableCommit[]): Promise<boolean> {
    const changes = commits.map(({ folder, requirements, updates }) => {
      const name = this.#nameOf(folder) ?? ''
      return { identifier: { namespace: this.#access.namespace, name }, requirements, updates }
    })
    const [change] = changes
    const { status } = await this.#client.send({
      method: 'POST',
      path: this.isTransactional ? 'transactions/commit' : this.#pathOf(change?.identifier.name ?? ''),
      body: this.isTransactional ? { 'table-changes': changes } : change,
      expected: [409],
      isOnce: true,
    })
    return status !== 409
  }

  #nameOf(folder: string): string | undefined {
    return [...this.#folders].find(([, each]) => each === folder)?.[0]
  }

  #shown(name: string): string {
    return `${this.#access.url}, ${[...this.#access.namespace, name].join('.')}`
  }

  #pathOf(name: string): string {
    return `namespaces/${this.#namespacePath(this.#access.namespace)}/tables/${encodeURIComponent(name)}`
  }

  #namespacePath(levels: readonly string[]): string {
    return levels.map(encodeURIComponent).join(this.#client.config['namespace-separator'] ?? '%1F')
  }

  /** The path of a location. Throws OUTPUT_REFUSED for one in a storage that is not written. */
  #toFolder(name: string, location: string): string {
    const plain = location.replace(/\/+$/, '')
    if (/^s3[an]?:\/\//.test(plain)) return plain.replace(/^s3[an]?:/, 's3:')
    if (plain.startsWith('/')) return plain
    if (plain.startsWith('file:')) return decodeLocal(plain)
    throw new CatalogueError(
      'OUTPUT_REFUSED',
      `${this.#shown(name)}: expected a table in a bucket of S3 or on this machine, as loads write there, got one at ${location}`,
      { fix: 'Name a namespace, or a warehouse, whose tables are in a bucket of S3.' },
    )
  }
}

/** Locations keep their characters as they are. */
function decodeLocal(location: string): string {
  return location.replace(/^file:\/*/, '/')
}
