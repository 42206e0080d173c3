import { Agent, Pool, ProxyAgent, type Dispatcher } from 'undici'
import type { ServiceProxy } from './service-proxy.ts'
import type { ServiceLimits } from './transport-failure.ts'

/** Keeps the connections to one service, straight or through a proxy. No limit is set on the whole of an answer. */
export function createAgent(limits: ServiceLimits, proxy: ServiceProxy | null): Dispatcher {
  const connect = { timeout: limits.connectTimeoutMs }
  const timeouts = { headersTimeout: limits.firstByteTimeoutMs, bodyTimeout: limits.idleTimeoutMs }
  if (proxy === null) return new Agent({ connect, ...timeouts })
  const { address, authorization } = proxy
  return new ProxyAgent({
    uri: address,
    ...(authorization === null ? {} : { token: authorization }),
    proxyTls: connect,
    requestTls: connect,
    // The limits go for the request inside the tunnel only, unless the client that asks for the tunnel gets them too.
    clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
    ...timeouts,
  })
}
