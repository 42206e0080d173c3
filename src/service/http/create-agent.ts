import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { ServiceProxy } from './service-proxy.ts'
import type { ServiceLimits } from './transport-failure.ts'

/**
 * Creates the connections to one service, direct or through a proxy. An https service gets a tunnel; for http the proxy
 * forwards requests. Http is not tunnelled: a tunnel without TLS can't be told from a proxy that answers by itself, and
 * undici would then ask for tunnels endlessly. No timeout covers a whole answer. `lookup` replaces the system's name
 * resolution.
 */
export function createAgent(
  { protocol }: Pick<URL, 'protocol'>,
  limits: ServiceLimits,
  proxy: ServiceProxy | null,
  lookup?: LookupFunction,
): Dispatcher {
  const connect = { timeout: limits.connectTimeoutMs, ...(lookup && { lookup }) }
  const timeouts = { headersTimeout: limits.firstByteTimeoutMs, bodyTimeout: limits.idleTimeoutMs }
  if (proxy === null) return new Agent({ connect, ...timeouts })
  const { address, authorization } = proxy
  if (protocol === 'http:') return new Pool(address, { connect, ...timeouts }).compose(forwarding(authorization))
  return new ProxyAgent({
    uri: address,
    ...(authorization === null ? {} : { token: authorization }),
    proxyTls: connect,
    requestTls: connect,
    // The timeouts apply only inside the tunnel, unless the client that opens the tunnel gets them too.
    clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
    ...timeouts,
  })
}

/**
 * Sends requests in the form for a forwarding proxy: with the whole address as the path, and with the proxy's
 * credentials.
 */
function forwarding(authorization: string | null): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { origin, path, headers } = options
    const own = authorization === null ? {} : { 'proxy-authorization': authorization }
    const all = { ...(headers as Record<string, string>), host: new URL(String(origin)).host, ...own }
    return dispatch({ ...options, path: `${String(origin)}${path}`, headers: all }, handler)
  }
}
