import { readToolVersion } from '../../package-file.ts'
import type { RequiredContext } from '../../run-context.ts'
import { createAgent } from '../../service/http/create-agent.ts'
import { findProxy } from '../../service/http/service-proxy.ts'
import { describeTransportFailure } from '../../service/http/transport-failure.ts'

export interface PostOptions extends RequiredContext<'env' | 'signal'> {
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Posts a document to an `http:` or `https:` address; a user and a password in it become basic authentication. Throws
 * an Error that names the host and no credential, unless the answer is a success. No redirect is followed.
 */
export async function postJson(address: URL, document: unknown, options: PostOptions): Promise<void> {
  const { headers, env, signal } = options
  const { host, username, password } = address
  const url = new URL(address)
  url.username = ''
  url.password = ''
  const own = username === '' && password === '' ? {} : { authorization: toBasic(username, password) }
  const { name, version } = readToolVersion()
  const all = { 'content-type': 'application/json', 'user-agent': `${name}/${version}`, ...own, ...headers }
  const proxy = findProxy(url.href, env)
  const agent = createAgent(url, limits, proxy)
  try {
    const { origin, pathname, search } = url
    const path = `${pathname}${search}`
    const body = JSON.stringify(document)
    const answer = await agent.request({ origin, path, method: 'POST', headers: all, body, signal })
    // The status says it all. A body that is closed before its end emits an error.
    answer.body.on('error', () => undefined).destroy()
    if (answer.statusCode > 299) throw new Refused(`${host} answered ${answer.statusCode}`)
  } catch (error) {
    if (error instanceof Refused) throw error
    if (signal.aborted) throw new Error(`no answer of ${host} in time`, { cause: error })
    const route = { host, proxyHost: proxy === null ? null : proxy.host, limits }
    throw new Error(describeTransportFailure(error, route).reason, { cause: error })
  } finally {
    await agent.destroy()
  }
}

class Refused extends Error {}

/** Longer than any signal waits. */
const limits = { connectTimeoutMs: 10_000, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 }

function toBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
}
