import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse, stringify } from 'lossless-json'

/** A fault of matching requests, which ends after a number of them. */
export interface CatalogFault {
  /** A part of `POST /v1/namespaces/catalogue/tables/products`. */
  readonly where: string
  /** A status in place of the answer, before or after the request takes effect; `lost` cuts the connection. */
  readonly how: number | 'lost'
  readonly takesEffect?: boolean
  /** Default 1. */
  times?: number
}

export interface CatalogServer {
  readonly url: string
  readonly folder: string
  /** Every request that was answered or not: `GET /v1/config`. */
  readonly requests: string[]
  readonly bodies: string[]
  readonly headers: IncomingMessage['headers'][]
  readonly faults: CatalogFault[]
  readonly settings: CatalogSettings
  /** Called before a commit is looked at. */
  onCommit: (() => Promise<void>) | null
  /** Commits by hand, as another engine does. */
  update(name: string, updates: readonly object[]): Promise<void>
  has(name: string): boolean
  metadataOf(name: string): Metadata
  /** The path of the file with the metadata of a table. */
  fileOf(name: string): string
  drop(name: string): void
  /** Resolves when every request has taken effect. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** What a catalog is begun with. */
export interface CatalogSettings {
  /** Null for a catalog that asks for none. */
  token: string | null
  /** The credential for which there is a token. */
  credential: string | null
  hasTransactions: boolean
  /** Makes the first change of a transaction alone, and fails. */
  isTorn: boolean
  prefix: string
  /** For the files of tables. */
  config: Record<string, string>
  /** The address of the warehouse. */
  location: string
}

type Json = Record<string, unknown>
export type Metadata = Json & { location: string; properties: Record<string, string>; snapshots: Json[] }
interface Stored {
  metadata: Metadata
  file: string
}

class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** A small REST catalog by open-api/rest-catalog-open-api.yaml of apache/iceberg, with its warehouse in a folder. */
export async function startCatalog(): Promise<CatalogServer> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'))
  const tables = new Map<string, Stored>()
  const namespaces = new Set<string>()
  const settings: CatalogSettings = {
    token: null,
    credential: null,
    hasTransactions: true,
    isTorn: false,
    prefix: '',
    config: {},
    location: `file://${folder}`,
  }
  const tokens = new Set<string>()

  function load(name: string): Stored {
    const found = tables.get(name)
    if (found === undefined) throw new Refusal(404, 'NoSuchTableException', `Table does not exist: ${name}`)
    return found
  }

  async function store(name: string, metadata: Metadata): Promise<void> {
    const at = Number(/\/(\d+)-/.exec(tables.get(name)?.file ?? '')?.[1] ?? -1) + 1
    const location = `${metadata.location}/metadata/${String(at).padStart(5, '0')}-${randomUUID()}.metadata.json`
    if (location.startsWith('file://')) {
      const path = location.slice('file://'.length)
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, stringify(metadata) ?? '')
    }
    tables.set(name, { metadata, file: location })
  }

  async function create({ name, schema, properties }: Json, namespace: string): Promise<Stored> {
    const at = `${namespace}.${String(name)}`
    if (!namespaces.has(namespace)) throw new Refusal(404, 'NoSuchNamespaceException', `No namespace ${namespace}`)
    if (tables.has(at)) throw new Refusal(409, 'AlreadyExistsException', `Table already exists: ${at}`)
    const { 'format-version': version, ...others } = properties as Record<string, string>
    const fields = assignIds((schema as { fields: Json[] }).fields)
    await store(at, {
      'format-version': Number(version ?? 2),
      'table-uuid': randomUUID(),
      location: `${settings.location}/${String(name)}-${randomUUID().slice(0, 8)}`,
      'last-sequence-number': 0,
      'last-updated-ms': Date.now(),
      'last-column-id': greatestId(fields),
      'current-schema-id': 0,
      schemas: [{ type: 'struct', 'schema-id': 0, fields }],
      'partition-specs': [{ 'spec-id': 0, fields: [] }],
      'default-spec-id': 0,
      'last-partition-id': 999,
      'sort-orders': [{ 'order-id': 0, fields: [] }],
      'default-sort-order-id': 0,
      properties: others,
      'current-snapshot-id': -1,
      snapshots: [],
      refs: {},
    })
    return load(at)
  }

  /** All of them or none. */
  async function commit(changes: readonly { name: string; requirements: Json[]; updates: Json[] }[]): Promise<void> {
    await server.onCommit?.()
    const made = changes.map(({ name, requirements, updates }) => {
      const { metadata, file } = load(name)
      for (const requirement of requirements) require(metadata, requirement)
      const next = updates.reduce(apply, structuredCloneOf(metadata))
      const log = [...((metadata['metadata-log'] as Json[] | undefined) ?? [])]
      next['metadata-log'] = [...log, { 'timestamp-ms': metadata['last-updated-ms'], 'metadata-file': file }]
      return { name, next }
    })
    for (const { name, next } of made) {
      await store(name, next)
      if (settings.isTorn) throw new Refusal(500, 'CommitStateUnknownException', 'torn')
    }
  }

  async function answer(method: string, path: string, written: string): Promise<[status: number, body: unknown]> {
    const route = `${method} ${path}`
    if (route === 'POST /v1/oauth/tokens') {
      const form = new URLSearchParams(written)
      const isKnown = `${form.get('client_id')}:${form.get('client_secret')}` === settings.credential
      if (!isKnown) return [401, { error: 'invalid_client', error_description: `unknown ${form.get('client_secret')}` }]
      const token = `token-${randomUUID()}`
      tokens.add(token)
      return [200, { access_token: token, token_type: 'bearer', expires_in: 3600 }]
    }
    const endpoints = ['GET /v1/{prefix}/namespaces', ...(settings.hasTransactions ? [transactions] : [])]
    const overrides = settings.prefix === '' ? {} : { prefix: settings.prefix }
    if (route === 'GET /v1/config') return [200, { defaults: {}, overrides, endpoints }]
    const prefix = `/v1/${settings.prefix === '' ? '' : `${settings.prefix}/`}`
    if (!path.startsWith(prefix)) throw new Refusal(404, 'NotFoundException', `No route for ${route}`)
    const steps = path.slice(prefix.length).split('/').map(decodeURIComponent)
    const body = written === '' ? {} : (parse(written) as Json)
    const namespace = (steps[1] ?? '').replaceAll('\u001F', '.')
    const name = `${namespace}.${steps[3] ?? ''}`
    const toLoaded = ({ metadata, file }: Stored) => ({ metadata, 'metadata-location': file, config: settings.config })
    switch (`${method} ${steps.filter((_, at) => at % 2 === 0).join('/')} ${steps.length}`) {
      case 'POST namespaces 1': {
        const levels = body['namespace'] as string[]
        const parent = levels.slice(0, -1).join('.')
        if (parent !== '' && !namespaces.has(parent)) throw new Refusal(404, 'NoSuchNamespaceException', parent)
        if (namespaces.has(levels.join('.'))) throw new Refusal(409, 'AlreadyExistsException', levels.join('.'))
        namespaces.add(levels.join('.'))
        return [200, { namespace: levels, properties: {} }]
      }
      case 'POST namespaces/tables 3':
        return [200, toLoaded(await create(body, namespace))]
      case 'GET namespaces/tables 4':
        return [200, toLoaded(load(name))]
      case 'POST namespaces/tables 4':
        await commit([{ name, ...(body as { requirements: Json[]; updates: Json[] }) }])
        return [200, toLoaded(load(name))]
      case 'POST transactions 2': {
        if (!settings.hasTransactions) throw new Refusal(404, 'NotFoundException', 'No such endpoint')
        const changes = body['table-changes'] as {
          identifier: { namespace: string[]; name: string }
          requirements: Json[]
          updates: Json[]
        }[]
        await commit(
          changes.map(({ identifier, ...change }) => ({
            name: `${identifier.namespace.join('.')}.${identifier.name}`,
            ...change,
          })),
        )
        return [204, null]
      }
      default:
        throw new Refusal(404, 'NotFoundException', `No route for ${route}`)
    }
  }

  const requests: string[] = []
  const bodies: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const faults: CatalogFault[] = []
  const answering = new Set<Promise<void>>()
  const http = createServer((request, response) => {
    const answered = (async () => {
      const { method = '', url = '' } = request
      const [path = ''] = url.split('?')
      const route = `${method} ${url}`
      const written = await text(request)
      requests.push(route)
      bodies.push(written)
      headers.push(request.headers)
      const fault = faults.find(({ where, times = 1 }) => route.includes(where) && times > 0)
      if (fault !== undefined) fault.times = (fault.times ?? 1) - 1
      const { token } = settings
      const given = (request.headers.authorization ?? '').replace('Bearer ', '')
      const isAllowed =
        path.endsWith('/oauth/tokens') ||
        (token === null && settings.credential === null) ||
        given === token ||
        tokens.has(given)
      let [status, body]: [number, unknown] = [401, toError(401, 'NotAuthorizedException', `Not authorized: ${given}`)]
      try {
        if (isAllowed && (fault === undefined || fault.takesEffect === true))
          [status, body] = await answer(method, path, written)
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        status = thrown.status
        body = toError(status, thrown.type, thrown.message)
      }
      if (fault?.how === 'lost') return void request.socket.destroy()
      if (fault !== undefined) {
        status = fault.how
        body = toError(status, 'CommitStateUnknownException', `a fault, with ${given}`)
      }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === null ? '' : stringify(body))
    })()
    answering.add(answered)
    void answered.finally(() => answering.delete(answered))
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const server: CatalogServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    folder,
    requests,
    bodies,
    headers,
    faults,
    settings,
    onCommit: null,
    update: (name, updates) => {
      const { metadata, file } = load(name)
      const log = [...((metadata['metadata-log'] as Json[] | undefined) ?? [])]
      const next = (updates as Json[]).reduce(apply, structuredCloneOf(metadata))
      next['metadata-log'] = [...log, { 'timestamp-ms': metadata['last-updated-ms'], 'metadata-file': file }]
      return store(name, next)
    },
    has: (name) => tables.has(name),
    metadataOf: (name) => load(name).metadata,
    fileOf: (name) => load(name).file.slice('file://'.length),
    drop: (name) => void tables.delete(name),
    async settle() {
      await Promise.all(answering)
    },
    async close() {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
      await rm(folder, { recursive: true })
    },
  }
  return server
}

const transactions = 'POST /v1/{prefix}/transactions/commit'

function structuredCloneOf(metadata: Metadata): Metadata {
  return parse(stringify(metadata) ?? '') as Metadata
}

/** A catalog may choose ids of its own. */
function assignIds(fields: readonly Json[]): Json[] {
  let last = 100
  const top = fields.map((field) => ({ ...field, id: ++last }))
  return top.map((field) => {
    const type = field as unknown as { type: string | Json }
    if (typeof type.type === 'string') return field
    return { ...field, type: { ...type.type, 'element-id': ++last } }
  })
}

function greatestId(fields: readonly Json[]): number {
  const ids = fields.flatMap(({ id, type }) => [id, (type as Json)['element-id'] ?? 0].map(Number))
  return Math.max(...ids)
}

function isSame(one: unknown, other: unknown): boolean {
  return stringify(one ?? null) === stringify(other ?? null)
}

function require(metadata: Metadata, requirement: Json): void {
  const { type, ref } = requirement
  const refs = metadata['refs'] as Record<string, Json>
  const checks: Record<string, () => boolean> = {
    'assert-table-uuid': () => isSame(requirement['uuid'], metadata['table-uuid']),
    'assert-ref-snapshot-id': () => isSame(requirement['snapshot-id'], refs[String(ref)]?.['snapshot-id']),
    'assert-current-schema-id': () => isSame(requirement['current-schema-id'], metadata['current-schema-id']),
    'assert-last-assigned-field-id': () => isSame(requirement['last-assigned-field-id'], metadata['last-column-id']),
  }
  const check = checks[String(type)]
  if (check === undefined) throw new Refusal(400, 'BadRequestException', `Unknown requirement ${String(type)}`)
  if (!check()) throw new Refusal(409, 'CommitFailedException', `Requirement failed: ${String(type)}`)
}

function apply(metadata: Metadata, update: Json): Metadata {
  const schemas = metadata['schemas'] as Json[]
  switch (update['action']) {
    case 'add-schema': {
      const schema = update['schema'] as Json & { fields: Json[] }
      const next = Math.max(...schemas.map((each) => Number(each['schema-id']))) + 1
      const last = Math.max(Number(metadata['last-column-id']), greatestId(schema.fields))
      return { ...metadata, schemas: [...schemas, { ...schema, 'schema-id': next }], 'last-column-id': last }
    }
    case 'set-current-schema': {
      const asked = Number(update['schema-id'])
      const schema = asked === -1 ? schemas.at(-1)?.['schema-id'] : asked
      return { ...metadata, 'current-schema-id': schema }
    }
    case 'set-properties':
      return { ...metadata, properties: { ...metadata.properties, ...(update['updates'] as Record<string, string>) } }
    case 'add-snapshot': {
      const snapshot = update['snapshot'] as Json
      if (!(Number(snapshot['sequence-number']) > Number(metadata['last-sequence-number'])))
        throw new Refusal(400, 'ValidationException', 'Cannot add a snapshot with an older sequence number')
      if (!schemas.some((each) => isSame(each['schema-id'], snapshot['schema-id'])))
        throw new Refusal(400, 'ValidationException', 'Unknown schema of a snapshot')
      const snapshots = [...metadata.snapshots, snapshot]
      return { ...metadata, snapshots, 'last-sequence-number': snapshot['sequence-number'] }
    }
    case 'remove-snapshots': {
      const gone = new Set((update['snapshot-ids'] as unknown[]).map(String))
      return {
        ...metadata,
        snapshots: metadata.snapshots.filter((each) => !gone.has(String(each['snapshot-id']))),
      }
    }
    case 'set-snapshot-ref': {
      const { 'ref-name': name, 'snapshot-id': id, type } = update
      const refs = { ...(metadata['refs'] as Json), [String(name)]: { 'snapshot-id': id, type } }
      return { ...metadata, refs, ...(name === 'main' && { 'current-snapshot-id': id }) }
    }
    default:
      throw new Refusal(400, 'BadRequestException', `Unknown update ${String(update['action'])}`)
  }
}

function toError(code: number, type: string, message: string): object {
  return { error: { code, type, message } }
}
