import type { Dispatcher } from 'undici'
import { createAgent } from '../service/http/create-agent.ts'
import { findProxy } from '../service/http/service-proxy.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import type { RequiredContext } from '../run-context.ts'
import { checkLiteralHost, checkLocalName, lookUpPublic, PrivateAddress } from './public-address.ts'

export interface MediaTransport {
  /**
   * Sends a GET without following redirects. Throws PrivateAddress before anything is sent to an address that is not
   * public, unless the plan allows it.
   */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

/**
 * Connects to hosts of images without credentials of the service. Direct connections check the address when the socket
 * connects; a proxy from the environment looks names up itself.
 */
export function createMediaTransport(
  { limits, allowPrivate }: Pick<MediaPlan, 'limits' | 'allowPrivate'>,
  { env }: RequiredContext<'env'>,
): MediaTransport {
  const agents = new Map<string, Dispatcher>()
  const agentFor = (url: URL): Dispatcher => {
    const proxy = findProxy(url.href, env)
    if (!allowPrivate) checkLiteralHost(url)
    if (!allowPrivate && proxy !== null) checkLocalName(url)
    const key = `${url.protocol} ${proxy?.address ?? ''}`
    const lookup = allowPrivate || proxy !== null ? undefined : lookUpPublic
    const agent = agents.get(key) ?? createAgent(url, limits, proxy, lookup)
    agents.set(key, agent)
    return agent
  }
  return {
    async get(url, headers, signal) {
      return agentFor(url).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers,
        signal,
      })
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

/** Finds a PrivateAddress in an error or its causes. */
export function findPrivateAddress(error: unknown): PrivateAddress | null {
  if (error instanceof PrivateAddress) return error
  const { cause, errors = [] } = (error ?? {}) as { readonly cause?: unknown; readonly errors?: readonly unknown[] }
  const inner = [...(Array.isArray(errors) ? errors : []), ...(cause === undefined ? [] : [cause])]
  return inner.map(findPrivateAddress).find((found) => found !== null) ?? null
}
