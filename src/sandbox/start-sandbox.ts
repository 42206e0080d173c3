import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CatalogueError } from '../errors.ts'
import { requireArgument, requireOptions, wholeNumber } from '../check-options.ts'
import { createCatalogue } from './catalogue.ts'
import type { SandboxChange } from './days/product-days.ts'
import { createDialect } from './dialect/dialect.ts'
import { mostDays, type SandboxOptions, sandboxOptions } from './sandbox-options.ts'
import { createDayRoutes } from './server/create-day-routes.ts'
import { createServer } from './server/create-server.ts'
import { createServiceRoutes } from './server/create-service-routes.ts'
import { createFaultQueue, type InjectOptions } from './server/fault-queue.ts'
import { createRateLimit } from './server/rate-limit.ts'
import { createRequestLog, type SandboxRequest } from './server/request-log.ts'

export const sandboxKey = { keyId: 'sandbox', keySecret: 'sandbox-secret' } as const

export interface Sandbox {
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  /** The latest 10,000 requests, oldest first, each with its answer so far. */
  readonly requests: readonly SandboxRequest[]
  /**
   * Appends a fault for the next requests: `{ endpoint: 'v4/products/stream', fault: 'cut=120' }`. docs/sandbox.md
   * lists all faults. Throws USAGE for an unknown fault or endpoint.
   */
  readonly inject: (options: InjectOptions) => void
  readonly day: number
  readonly now: () => number
  /**
   * Lets days pass, by default 1: advances the clock and changes the products as planned (docs/sandbox.md). Answers
   * under way keep the products of their request.
   */
  readonly advance: (days?: number) => void
  /** All changes of products so far, ordered by time. Created anew at each access. */
  readonly changes: readonly SandboxChange[]
  /** The v4 products at the end of a day, ordered by id, with unsigned addresses. Default: the current day. */
  readonly productsOn: (day?: number) => Iterable<Readonly<Record<string, unknown>>>
  /** Stops the server and closes all connections, even during an answer. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that behaves as specified, over generated data: every endpoint that returns data with
 * its filters, sortings, pages and limits, and the creation of users. Throws USAGE if the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  requireOptions('startSandbox', options, sandboxOptions)
  const { products = 5000, seed = 1, port = 0 } = options
  const { keyId = sandboxKey.keyId, keySecret = sandboxKey.keySecret } = options
  const {
    rateLimit = 100,
    mayCreateUsers = true,
    keptBytes = 64 * 1024 * 1024,
    warmUp = false,
    images = false,
    dialect: dialectName = 'documented',
    days = 0,
    now: systemNow = Date.now,
  } = options
  let passedMs = 0
  const now = (): number => systemNow() + passedMs
  const catalogue = createCatalogue({ products, seed, keptBytes })
  const dialect = createDialect(dialectName, seed)
  const sentDays = dialect.toSentDays(catalogue.days)
  for (let left = days; left > 0; left--) catalogue.days.advance(Math.floor((now() - left * dayMs) / 1000))
  const advance = (count = 1): void => {
    requireArgument('advance', 'days', count, wholeNumber(0, mostDays))
    for (let left = count; left > 0; left--) {
      catalogue.days.advance(Math.floor(now() / 1000))
      passedMs += dayMs
    }
  }
  const faults = createFaultQueue()
  const log = createRequestLog()
  const server: Server = createServer({
    keyId,
    keySecret,
    rateLimit: rateLimit === false ? undefined : createRateLimit(rateLimit, now),
    faults,
    log,
    now,
    imageDay: images ? () => catalogue.days.day : null,
    routes: new Map([
      ...createServiceRoutes({
        catalogue,
        dialect,
        mayCreateUsers,
        now,
        imagesAt: images ? () => toBaseUrl(server) : null,
      }),
      ...createDayRoutes({ days: sentDays, advance }),
    ]),
    shapes: dialect.shapes,
  })
  await listen(server, port)
  const closing = new AbortController()
  const warm = warmUp ? catalogue.warmUp(closing.signal) : Promise.resolve()
  return {
    baseUrl: toBaseUrl(server),
    keyId,
    keySecret,
    requests: log.requests,
    inject: faults.inject,
    get day() {
      return catalogue.days.day
    },
    now,
    advance,
    get changes() {
      return [...sentDays.changes()]
    },
    productsOn(day = catalogue.days.day) {
      requireArgument('productsOn', 'day', day, wholeNumber(0, catalogue.days.day))
      return sentDays.productsOn(day)
    },
    async close() {
      closing.abort()
      await Promise.all([closeServer(server), warm])
    },
  }
}

const dayMs = 86_400_000

function toBaseUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen({ host: '127.0.0.1', port })
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(port, error)
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

function cannotListen(port: number, error: unknown): CatalogueError {
  const { code, message } = error as NodeJS.ErrnoException
  const got = code === 'EADDRINUSE' ? 'is in use' : `can't be listened on: ${message}`
  const fix = 'Choose another port, or 0 for any that is free (`--port` of the command).'
  const text = `port ${port} ${got}: choose another --port, or 0`
  return new CatalogueError('USAGE', text, { cause: error, title: 'The sandbox could not start', fix })
}
