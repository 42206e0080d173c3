import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { ServiceProxy } from './service-proxy.ts'
import type { ServiceLimits } from './transport-failure.ts'

/**
 * Creates the connections to one service, straight or through a proxy: through a tunnel where it speaks https, else as the
 * proxy forwards requests. A tunnel without TLS can't be distinguished from a proxy that answers by itself, and the library asks
 * for one without end then. No limit is set on the whole of an answer. `lookup` looks names up in place of the system.
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
    // The limits go for the request inside the tunnel only, unless the client that asks for the tunnel gets them too.
    clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
    ...timeouts,
  })
}

/** Requests as a proxy takes them: for a whole address, and with its own credentials. */
function forwarding(authorization: string | null): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { origin, path, headers } = options
    const own = authorization === null ? {} : { 'proxy-authorization': authorization }
    const all = { ...(headers as Record<string, string>), host: new URL(String(origin)).host, ...own }
    return dispatch({ ...options, path: `${String(origin)}${path}`, headers: all }, handler)
  }
}
