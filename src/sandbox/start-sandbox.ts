import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CatalogueError } from '../errors.ts'
import { createCatalogue } from './catalogue.ts'
import type { SandboxChange } from './days/product-days.ts'
import { createDialect, type DialectName } from './dialect/dialect.ts'
import { createDayRoutes } from './server/create-day-routes.ts'
import { createServer } from './server/create-server.ts'
import { createServiceRoutes } from './server/create-service-routes.ts'
import { createFaultQueue, type InjectOptions } from './server/fault-queue.ts'
import { createRateLimit } from './server/rate-limit.ts'
import { createRequestLog, type SandboxRequest } from './server/request-log.ts'

export interface SandboxOptions {
  /** The number of products. Media are twice, news items a tenth and corrections a twentieth as many. Default 5000. */
  readonly products?: number
  /** Another seed gives another catalogue, the same seed always the same. Default 1. */
  readonly seed?: number
  /**
   * `documented`, the default: as the specification writes it. `loose`: as answers have been seen where the specification
   * is silent (docs/sandbox.md).
   */
  readonly dialect?: DialectName
  /** 0, the default, takes any port that is free. */
  readonly port?: number
  /** Default `sandbox`. */
  readonly keyId?: string
  /** Default `sandbox-secret`. */
  readonly keySecret?: string
  /** Requests in any 60 seconds, or false for no limit. Default 100. */
  readonly rateLimit?: number | false
  /** False: the subscription of the key does not allow to create users. Default true. */
  readonly mayCreateUsers?: boolean
  /** Bytes of records that stay in memory once they are made, so that they are served faster. Default 64 MiB. */
  readonly keptBytes?: number
  /**
   * Makes products before a request asks for them. The first stream is as fast as the next, for a second of computing
   * between the first requests. Default false.
   */
  readonly warmUp?: boolean
  /**
   * Serves photos and leaflets under `/images/`, without credentials and outside of the rate limit, and has their addresses
   * in the records. Default false: the addresses lead nowhere.
   */
  readonly images?: boolean
  /** Days of changes to the products that have passed when it starts. Default 0: as generated. */
  readonly days?: number
  /** The clock of the rate limit, the Date header and signed addresses: milliseconds since 1970. Default the system's. */
  readonly now?: () => number
}

/** The credentials of a sandbox by default. */
export const sandboxKey = { keyId: 'sandbox', keySecret: 'sandbox-secret' } as const

/** A running stand-in of the service. */
export interface Sandbox {
  /** `http://127.0.0.1:40123` */
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  /** The latest 10000 requests, the oldest first, each with its answer so far. */
  readonly requests: readonly SandboxRequest[]
  /**
   * Adds a fault of the next requests, after those injected before: `{ endpoint: 'v4/products/stream', fault: 'cut=120' }`.
   * All faults: docs/sandbox.md. Throws USAGE for an unknown fault or endpoint.
   */
  readonly inject: (options: InjectOptions) => void
  /** The number of days of changes that have passed. */
  readonly day: number
  /** The sandbox's clock: milliseconds since 1970. */
  readonly now: () => number
  /**
   * Lets days pass, default 1: the clock goes forward, and the products change as planned for these days
   * (docs/sandbox.md). An answer under way still gives the products as they were at its request.
   */
  readonly advance: (days?: number) => void
  /** Every change of a product so far, in the order of time. Made anew whenever it is read. */
  readonly changes: readonly SandboxChange[]
  /** The v4 products at the end of a day, in the order of ids, addresses unsigned; default as they are now. */
  readonly productsOn: (day?: number) => Iterable<Readonly<Record<string, unknown>>>
  /** Stops the server and closes every connection, also those in the middle of an answer. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that behaves as the specification says, over generated data: every endpoint that returns
 * data with its filters, sortings, pages and limits, and the creation of users. Throws USAGE when the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
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
    productsOn: (day = catalogue.days.day) => sentDays.productsOn(day),
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

/** Closes every connection too, also those in the middle of an answer. */
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
