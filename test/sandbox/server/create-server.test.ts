import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, toBasic } from '../ask-sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ products: 5, rateLimit: false })
})
afterAll(() => sandbox.close())

test('a HEAD request is a 405 without a body', async () => {
  const response = await ask(sandbox, 'v4/colors/query', { method: 'HEAD' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(await response.text()).toBe('')
})

test('an unknown path is a 404 whatever its body', async () => {
  const response = await fetch(`${sandbox.baseUrl}/v4/nothing`, { method: 'POST', headers: jsonHeaders(), body: '{' })
  expect(response.status).toBe(404)
})

test.each(['Content-Length: 20000000', 'Transfer-Encoding: chunked'])(
  'a body above 16 MiB (%s) is a 413, and the connection is closed',
  async (header) => {
    const socket = open()
    socket.write(toRequest('POST /v4/colors/query', [header]))
    if (header.startsWith('Transfer'))
      socket.write(`${(17 << 20).toString(16)}\r\n${' '.repeat(17 << 20)}\r\n0\r\n\r\n`)
    const text = await readToEnd(socket)
    expect(text).toMatch(/^HTTP\/1.1 413 .*\r\nconnection: close\r\n/s)
    expect(text).toContain('"code":"payload_too_large"')
  },
)

test('a chunked body is read like one of known length', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (const part of ['{"fil', 'ter":{"id":["none"]}}']) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const init = { method: 'POST', headers: jsonHeaders(), body, duplex: 'half' }
  const response = await fetch(`${sandbox.baseUrl}/v4/colors/query`, init as RequestInit)
  expect(await response.json()).toEqual({ meta: { total: 0 }, results: [] })
})

test('pipelined requests are answered in order on one connection, also after an unread body', async () => {
  const socket = open()
  socket.write(toRequest('POST /v4/nothing', ['Content-Length: 2'], '{}'))
  socket.write(toRequest('GET /v4/brands/find?id=none', ['Connection: close']))
  const statuses = [...(await readToEnd(socket)).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toEqual(['404', '422'])
})

test('a request whose client goes away is logged as aborted', async () => {
  const socket = open()
  socket.write(toRequest('POST /v4/media/stream', ['Content-Length: 100'], '{'))
  await expect.poll(() => sandbox.requests.at(-1)?.endpoint).toBe('v4/media/stream')
  socket.destroy()
  await expect.poll(() => sandbox.requests.at(-1)).toMatchObject({ status: null, end: 'aborted' })
})

test('a client that goes away during a delay gets no answer, and the sandbox serves others', async () => {
  const signal = AbortSignal.timeout(50)
  const headers = { ...jsonHeaders(), 'x-sandbox-fault': 'delay=150' }
  const init = { method: 'POST', headers, body: '{"filter":{},"sorting":{"id":"ASC"}}', signal }
  await expect(fetch(`${sandbox.baseUrl}/v4/products/stream`, init)).rejects.toThrow('timeout')
  const request = sandbox.requests.at(-1)
  await delay(200)
  expect((await ask(sandbox, 'v4/colors/query', { body: {} })).status).toBe(200)
  expect(request).toMatchObject({ status: null, records: 0, end: 'aborted' })
})

function jsonHeaders() {
  return { authorization: toBasic(sandbox.keyId, sandbox.keySecret), 'content-type': 'application/json' }
}

function open(): Socket {
  return connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1')
}

function toRequest(line: string, headers: readonly string[], body = ''): string {
  const authorization = `Authorization: ${toBasic(sandbox.keyId, sandbox.keySecret)}`
  const all = ['Host: localhost', authorization, 'Content-Type: application/json', ...headers]
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}

/** Reads until the server closes the connection, or resets it during a body. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.once('error', resolve)
  })
  return text
}
