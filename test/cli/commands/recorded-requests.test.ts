import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpointNames, endpoints, type EndpointName } from '../../../src/service/endpoints/endpoints.ts'
import type { Endpoint } from '../../../src/service/endpoints/endpoint.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import { someOf } from '../../depth.ts'

/** A request as `recording-service.py` writes it. */
interface Recorded {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

interface PlanJson {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly source: { readonly client: { readonly userAgent: string } }
}

const hasPython = spawnSync('python3', ['--version']).status === 0
const userAgent = 'recorded/1.0 (tests@example.com)'

let service: ChildProcessByStdio<null, Readable, null>
let port: string
let recorded: Recorded[]
let folder: RunFolder

describe.skipIf(!hasPython)('requests that a service with no code of this tool records', () => {
  beforeAll(async () => {
    service = spawn('python3', [join(import.meta.dirname, 'recording-service.py')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: service.stdout })
    port = String((await once(lines, 'line'))[0])
    lines.on('line', (line) => recorded.push(JSON.parse(line) as Recorded))
  })
  afterAll(async () => {
    const ended = once(service, 'exit')
    service.kill()
    await ended
  })
  beforeEach(async () => {
    recorded = []
    folder = await RunFolder.create()
  })
  afterEach(() => folder.remove())

  const names = someOf(
    endpointNames,
    'v4/products/stream',
    'v3/products/export',
    'v4/corrections/query',
    'v4/brands/find',
  )
  test.each(names.flatMap((name) => (['run', 'fetch'] as const).map((command) => [name, command] as const)))(
    'the request of %s by %s is that of plan, byte by byte',
    async (name, command) => {
      const source = { endpoint: name, ...requestFor(name) }
      const { recorded: sent, planned } = await compare(command, source)
      expect(sent).toEqual(planned)
    },
  )

  test.each<[string, object]>([
    ['filters at any depth', { endpoint: 'v4/products/stream', filter: deepFilter, sorting: { touchedAt: 'DESC' } }],
    ['text that has to be escaped', { endpoint: 'v4/products/query', filter: { nameCti: 'é"\\\u2028 😀 / %' } }],
    ['a query string', { endpoint: 'v4/products/find', filter: { id: 'M1', locale: 'n l&é=+', tag: ['a', 'b'] } }],
    ['a page', { endpoint: 'v4/corrections/query', filter: { locale: ['nl'] }, page: { size: 10 } }],
    ['keys of other markets', { endpoint: 'v3/products/export', filter: { pzn: '00012345', cnk: [5] } }],
    [
      'keys that are not shown',
      { endpoint: 'v4/media/stream', filter: { touchedAt: '2026-01-01', formats: ['huge'] } },
    ],
  ])('a request with %s is that of plan, byte by byte', async (_, source) => {
    const { recorded: sent, planned } = await compare('run', source)
    expect(sent).toEqual(planned)
  })
})

const deepFilter = {
  status: ['active', 'replaced'],
  or: [{ cnk: ['123456', 1234567], prescription: false }, { not: { brand: '7', createdAt: { from: '2026-01-01' } } }],
  not: { and: [{ narcotic: 'yes' }, { or: [{ biocide: 'yes' }, { colors: 'red' }] }] },
}

/** The smallest request that an endpoint takes. */
function requestFor(name: EndpointName): object {
  const { read, filters }: Endpoint = endpoints[name]
  if (read !== 'find') return {}
  return { filter: { id: filters['id']?.schema.safeParse('M1').success === true ? 'M1' : 5 } }
}

/** The requests that the service recorded of a command, and those that `plan` shows for its config. */
async function compare(command: 'run' | 'fetch', source: object) {
  const config = await folder.write('recorded.json', JSON.stringify(toConfig(source)))
  const planned = JSON.parse((await runInMemory(['plan', config, '--json'], { env })).stdout) as PlanJson
  const to = command === 'run' ? ['--out', folder.out] : ['--to', folder.at('landed.ndjson')]
  const { exitCode } = await runInMemory([command, config, ...to], { env })
  await vi.waitUntil(() => recorded.length > 0)
  const requests = recorded.map(({ method, target, headers, body }) => {
    return { method, target, headers: toLines(headers), body: Buffer.from(body, 'base64').toString('latin1') }
  })
  return { recorded: { exitCode, requests }, planned: toExpected(planned) }
}

/** The sandbox answers with an empty result, which needs no second request, or with not found for a single record. */
function toExpected({ request: { method, path, body }, source }: PlanJson) {
  const sent = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const ofBody = { 'content-type': 'application/json', 'content-length': String(sent.length) }
  const headers = {
    host: `127.0.0.1:${port}`,
    connection: 'keep-alive',
    authorization: `Basic ${Buffer.from('key:secret text').toString('base64')}`,
    'user-agent': source.client.userAgent,
    'accept-encoding': 'gzip',
    accept: '*/*',
    ...(method === 'GET' ? {} : ofBody),
  }
  const request = {
    method,
    target: `/base${path}`,
    headers: toLines(Object.entries(headers)),
    body: sent.toString('latin1'),
  }
  return { exitCode: /\/(?:find|get)(?:$|\?)/.test(path) ? 4 : 0, requests: [request] }
}

function toLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`).toSorted()
}

const env = { KEY_ID: 'key', KEY_SECRET: 'secret text' }

function toConfig(source: object) {
  return {
    name: 'recorded',
    source: {
      baseUrl: `http://127.0.0.1:${port}/base`,
      keyId: '${KEY_ID}',
      keySecret: '${KEY_SECRET}',
      userAgent,
      retries: 0,
      ...source,
    },
    tables: { rows: { columns: ['id'] } },
    outputs: [{ format: 'csv' }],
  }
}
