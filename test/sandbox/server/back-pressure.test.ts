import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, toBasic } from '../ask-sandbox.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ products: 12_000, rateLimit: false })
})

afterAll(() => sandbox.close())

test.each(['identity', 'gzip'])(
  'the sandbox generates no more records while the client reads nothing (%s)',
  async (encoding) => {
    const response = await openStream(encoding)
    response.pause()
    const held = await untilSteady(() => made().bytes)
    // The buffers of both sockets hold about this much; the stream has 110 MB.
    expect(held).toBeLessThan(encoding === 'gzip' ? 60_000_000 : 12_000_000)
    expect(made()).toMatchObject({ end: 'open', status: 200 })
    response.resume()
    await until(() => made().bytes > held + 1_000_000)
    response.pause()
    const next = await untilSteady(() => made().bytes)
    expect(next).toBeLessThan(110_000_000)
    response.destroy()
    await until(() => made().end === 'aborted')
    const { bytes } = made()
    await wait(100)
    expect(made().bytes).toBe(bytes)
  },
)

test('a client of the sandbox that reads at full speed does not block other clients', async () => {
  const response = await openStream('identity')
  response.resume()
  const started = performance.now()
  for (let count = 0; count < 5; count++) expect((await ask(sandbox, 'v4/colors/query', { body: {} })).status).toBe(200)
  const { bytes } = sandbox.requests.find(({ endpoint, end }) => endpoint === 'v4/products/stream' && end === 'open')!
  expect(bytes).toBeLessThan(110_000_000)
  expect(performance.now() - started).toBeLessThan(30_000)
  response.destroy()
})

function made() {
  return sandbox.requests.findLast(({ endpoint }) => endpoint === 'v4/products/stream')!
}

async function openStream(encoding: string): Promise<IncomingMessage> {
  const outgoing = request(`${sandbox.baseUrl}/v4/products/stream`, {
    method: 'POST',
    headers: {
      authorization: toBasic('sandbox', 'sandbox-secret'),
      'content-type': 'application/json',
      'accept-encoding': encoding,
    },
  })
  outgoing.end('{"filter":{},"sorting":{"id":"ASC"}}')
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

/** Waits until a value stops changing, and returns it. */
async function untilSteady(read: () => number): Promise<number> {
  let last = -1
  while (read() !== last) {
    last = read()
    await wait(250)
  }
  return last
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10)
}
