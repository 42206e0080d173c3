import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

type Behaviour = (response: ServerResponse) => void

const marker = 'MARKER'
const megabyte = Buffer.alloc(1024 * 1024, 0x20)

/**
 * Answers by endpoint that a service, a gateway or an attacker could send. All other endpoints answer a page of two
 * records.
 */
const behaviours: Readonly<Record<string, Behaviour>> = {
  'v4/brands/query': (response) => void response.setHeader('content-type', 'text/html').end(`<html>${marker}</html>`),
  'v4/colors/query': (response) => sendEndlessly(response, '[', `{"id":"${marker}"},`),
  'v4/organizations/query': (response) => sendMegabytes(response, 100),
  'v4/product-families/query': () => undefined,
  'v4/bcfi-categories/query': (response) => drip(response),
  'v4/public-categories/query': (response) =>
    void response.writeHead(302, { location: `http://${marker}.example.com/` }).end(),
  'v4/catalog-categories/query': (response) => sendJson(response, hostileNames()),
  'v4/dietary-restrictions/query': (response) => void response.writeHead(403).end(marker),
  'v4/users/query': (response) => void response.writeHead(401).end(),
  'v4/subscription-types/query': (response) => void response.writeHead(405, { allow: 'GET' }).end(),
  'v4/updates/query': (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  'v4/corrections/query': (response) => void response.writeHead(500).end(`{"error":"${marker}"}`),
  'v4/active-ingredients/query': (response) => void response.destroy(),
  'v4/media/query': (response) =>
    sendZipped(response, gzipSync(Buffer.concat(Array.from({ length: 64 }, () => megabyte)))),
  'v4/product/attributes/query': (response) => sendZipped(response, Buffer.from(marker)),
  'v4/product/attribute/options/query': (response) => void response.setHeader('content-encoding', 'br').end(marker),
  'v3/brands/all': (response) => void response.end('['.repeat(200_000)),
  'v3/organizations/all': (response) => void response.write('{"results":[', () => response.destroy()),
  'v3/public-categories/all': (response) => void response.end(`{"error":{"status":500,"message":"${marker}"}}`),
  'v3/attributes/all': (response) => void response.end(`"${marker}"`),
  'v3/active-ingredients/all': (response) => void response.end(Buffer.from([0xff, 0xfe, 0x00])),
  'v4/corrections/types': (response) => void response.writeHead(404).end(`\u001B]0;${marker}\u0007`),
  'v4/products/stream': (response) => sendEndlessly(response, '{"a":"', marker),
  'v3/products/export': (response) =>
    sendEndlessly(response, '', `{"meta":{"total":9,"index":0},"result":{"id":"M1"}}\n`),
}

export interface HostileService {
  readonly baseUrl: string
  /** Method and path of each request. */
  readonly requests: readonly string[]
  readonly close: () => Promise<void>
}

export async function startHostileService(): Promise<HostileService> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    requests.push(`${request.method} ${pathname}`)
    request.resume()
    response.on('error', () => undefined)
    const behave = behaviours[pathname.slice(1)]
    if (behave !== undefined) return behave(response)
    sendJson(response, {
      meta: { total: 2, page: { no: 0, offset: 0, size: 10 } },
      results: [{ id: 'M1' }, { id: 'M2' }],
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendJson(response: ServerResponse, document: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
}

function sendZipped(response: ServerResponse, bytes: Buffer): void {
  response.setHeader('content-encoding', 'gzip').end(bytes)
}

function sendEndlessly(response: ServerResponse, head: string, text: string): void {
  const piece = text.repeat(10_000)
  response.write(head)
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', send)
  send()
}

function sendMegabytes(response: ServerResponse, count: number): void {
  let left = count
  response.write('{"results":[')
  const send = (): void => {
    while (left-- > 0 && !response.destroyed) if (!response.write(megabyte)) return
    response.end(`]}`)
  }
  response.on('drain', send)
  send()
}

/** Sends a byte now and then, forever. */
function drip(response: ServerResponse): void {
  response.write('{"results":[')
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

function hostileNames(): unknown {
  const record = {
    id: 'C1',
    '\u001B[31mred': 1,
    '\u202Ebackwards': 1,
    [`${marker}@example.com`]: 1,
    [`a${marker.repeat(1000)}`]: 1,
    constructor: 1,
    toString: 1,
    name: { [marker]: marker, nl: marker },
  }
  const text = JSON.stringify(record).replace('"id"', '"__proto__":{"polluted":1},"id"')
  return { meta: { total: 1 }, results: [JSON.parse(text) as unknown] }
}
