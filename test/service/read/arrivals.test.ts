import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/service/http/clock.ts'
import { createRequestBudget } from '../../../src/service/http/request-budget.ts'
import { createTestClient } from './service-stub.ts'

const windowMs = 400
const requestsPerMinute = 6
const request = { method: 'GET', path: '/v4/products/find?id=M1' } as const

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('no window of the budget has more requests at the service than it allows, where the first ones are slow to reach it', async () => {
  const { url, arrivals } = await startService()
  // A burst that arrives late, then requests that arrive at once.
  const proxy = await startSlowProxy(url, (connection) => (connection < requestsPerMinute ? 250 : 0))
  const { elapsedMs } = await ask(proxy, 3 * requestsPerMinute, { newConnections: true })
  expect(arrivals).toHaveLength(3 * requestsPerMinute)
  expect(mostInWindow(arrivals)).toBeLessThanOrEqual(requestsPerMinute)
  expect(elapsedMs).toBeGreaterThan(2 * windowMs)
})

test('a stream that stays open keeps no slot of the budget: its answer has begun', async () => {
  const { url, arrivals } = await startService({ staysOpen: true })
  const client = createTestClient(url, { ...realTime(), requestsPerMinute: 1 })
  closing.push(() => client.close())
  const first = await client.open(request)
  const second = await client.open(request)
  expect(arrivals).toHaveLength(2)
  first.body.close()
  second.body.close()
})

test('a request that fails without an answer gives its slot of the budget back', async () => {
  const server = createServer((socket) => socket.destroy())
  const url = await listen(server)
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const client = createTestClient(url, { ...realTime(), requestsPerMinute: 1, retries: 0 })
  closing.push(() => client.close())
  await expect(client.open(request)).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  await expect(client.open(request)).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
})

function realTime() {
  const clock = { ...systemClock }
  return { clock, budget: createRequestBudget({ clock, windowMs }) }
}

async function ask(url: string, count: number, { newConnections }: { readonly newConnections: boolean }) {
  const shared = { ...realTime(), requestsPerMinute }
  const startedAt = performance.now()
  const clients = Array.from({ length: newConnections ? count : 1 }, () => createTestClient(url, shared))
  closing.push(() => Promise.all(clients.map((client) => client.close())))
  const answers = Array.from({ length: count }, async (_, at) => {
    const { body } = await (clients[at % clients.length] as (typeof clients)[number]).open(request)
    await text(body)
  })
  await Promise.all(answers)
  return { elapsedMs: performance.now() - startedAt }
}

async function startService({ staysOpen = false } = {}) {
  const arrivals: number[] = []
  const server = createHttpServer((_, response) => {
    arrivals.push(performance.now())
    if (staysOpen) response.write('{"meta":{"total":2,"index":0}')
    else response.end('{}')
  })
  const url = await listen(server)
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url, arrivals }
}

/** Holds the bytes of each connection, numbered from 0, back on their way to the service. */
async function startSlowProxy(to: string, delayMs: (connection: number) => number): Promise<string> {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    const delay = delayMs(connections++)
    const service = connect(Number(new URL(to).port), '127.0.0.1')
    for (const socket of [client, service]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (bytes) => void wait(delay).then(() => service.write(bytes)))
    service.pipe(client)
  })
  closing.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return listen(server)
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The most arrivals in any window, its edges included. */
function mostInWindow(arrivals: readonly number[]): number {
  return Math.max(0, ...arrivals.map((from) => arrivals.filter((at) => at >= from && at <= from + windowMs).length))
}
