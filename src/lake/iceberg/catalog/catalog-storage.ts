import type { FileStorage } from '../../../storage/file-storage.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import { discardAll } from '../../../storage/open-together.ts'
import { isObjectPath } from '../../../storage/s3/object-path.ts'
import type { ConnectOptions } from '../../connect-lake.ts'
import type { LakeStorage } from '../../lake-format.ts'
import type { CatalogClient } from './catalog-client.ts'

type Environment = NonNullable<ConnectOptions['env']>

/** The storages of the tables of a catalog: each may have credentials and an endpoint of its own. */
export class CatalogStorage implements LakeStorage {
  readonly #options: ConnectOptions
  readonly #client: Pick<CatalogClient, 'close'>
  /** By the folder of a table. */
  readonly #environments = new Map<string, Environment>()
  /** By bucket and environment, as text. */
  readonly #opened = new Map<string, Promise<FileStorage>>()

  /** The client is closed with the storages. */
  constructor(options: ConnectOptions, client: Pick<CatalogClient, 'close'>) {
    this.#options = options
    this.#client = client
  }

  /** Takes what the catalog says of the files of a table; the environment has the rest. */
  setAccess(folder: string, config: Readonly<Record<string, string>>): void {
    this.#environments.set(folder, toEnvironment(config, this.#options.env ?? process.env))
  }

  openFile: FileStorage['openFile'] = async (path, options) => (await this.#of(path)).openFile(path, options)
  place: FileStorage['place'] = async (file) => (await this.#of(file.destination)).place(file)
  create: FileStorage['create'] = async (path, bytes) => (await this.#of(path)).create(path, bytes)
  read: FileStorage['read'] = async (path) => (await this.#of(path)).read(path)
  sizeOf: FileStorage['sizeOf'] = async (path) => (await this.#of(path)).sizeOf(path)
  toLocal: FileStorage['toLocal'] = async (path, copy) => (await this.#of(path)).toLocal(path, copy)
  remove: FileStorage['remove'] = async (path) => (await this.#of(path)).remove(path)

  async *list(...[folder, enters]: Parameters<FileStorage['list']>): ReturnType<FileStorage['list']> {
    yield* (await this.#of(folder)).list(folder, enters)
  }

  async *listUploads(folder: string): ReturnType<FileStorage['listUploads']> {
    yield* (await this.#of(folder)).listUploads(folder)
  }

  async clearStale(destinations: readonly string[], activeTokens: ReadonlySet<string>): Promise<void> {
    for (const path of destinations) await (await this.#of(path)).clearStale([path], activeTokens)
  }

  publish(): Promise<never> {
    return Promise.reject(new TypeError('expected a commit of tables, got a publication'))
  }

  async close(): Promise<void> {
    const opened = await Promise.all(this.#opened.values())
    await discardAll([...opened, this.#client].map((each) => ({ discard: () => each.close() })))
  }

  #of(path: string): Promise<FileStorage> {
    const { storage, settings, env = process.env } = this.#options
    const folders = [...this.#environments.keys()].filter((folder) => path === folder || path.startsWith(`${folder}/`))
    const folder = folders.reduce((longest, each) => (each.length > longest.length ? each : longest), '')
    const own = this.#environments.get(folder) ?? env
    const key = storage !== undefined || !isObjectPath(path) ? '' : JSON.stringify(names.map((name) => own[name]))
    const opened = this.#opened.get(key) ?? (storage ? Promise.resolve(storage) : openStorage(path, own, { settings }))
    this.#opened.set(key, opened)
    return opened
  }
}

/** Properties of a table's files, by the variable that means the same. */
const variables = {
  AWS_ACCESS_KEY_ID: ['s3.access-key-id'],
  AWS_SECRET_ACCESS_KEY: ['s3.secret-access-key'],
  AWS_SESSION_TOKEN: ['s3.session-token'],
  AWS_ENDPOINT_URL_S3: ['s3.endpoint'],
  AWS_REGION: ['client.region', 's3.region'],
} as const
const names = Object.keys(variables) as readonly (keyof typeof variables)[]

function toEnvironment(config: Readonly<Record<string, string>>, env: Environment): Environment {
  const vended = Object.entries(variables).flatMap(([name, keys]) => {
    const value = keys.map((key) => config[key]).find((each) => each !== undefined && each !== '')
    return value === undefined ? [] : [[name, value] as const]
  })
  // A key of the catalog has no token of the environment.
  const { AWS_SESSION_TOKEN, ...others } = env
  const hasKey = vended.some(([name]) => name === 'AWS_ACCESS_KEY_ID')
  return {
    ...others,
    ...(!hasKey && AWS_SESSION_TOKEN !== undefined && { AWS_SESSION_TOKEN }),
    ...Object.fromEntries(vended),
  }
}
