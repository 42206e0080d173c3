import type { RunContext } from '../../run-context.ts'

type Environment = NonNullable<RunContext['env']>

/** A proxy for requests. Printing it shows neither user nor password. */
export class ServiceProxy {
  /** Without user and password: `http://proxy.example.com:3128`. */
  readonly address: string
  readonly #user: string
  readonly #password: string

  constructor(url: URL) {
    this.address = url.origin
    this.#user = decodeURIComponent(url.username)
    this.#password = decodeURIComponent(url.password)
  }

  get host(): string {
    return new URL(this.address).host
  }

  /** The `Proxy-Authorization` header; null if the address names no user. */
  get authorization(): string | null {
    if (this.#user === '' && this.#password === '') return null
    return `Basic ${Buffer.from(`${this.#user}:${this.#password}`).toString('base64')}`
  }

  toJSON(): string {
    return this.address
  }
}

/**
 * The proxy for an address according to HTTPS_PROXY, HTTP_PROXY and NO_PROXY, lower case first. Null for services on
 * this machine, and if the variable holds no address, which `checkProxy` reports. undici's EnvHttpProxyAgent does not
 * tell which proxy it takes, uses HTTP_PROXY for https too, and rejects an address without `http://`.
 */
export function findProxy(baseUrl: string, env: Environment): ServiceProxy | null {
  const variable = findVariable(new URL(baseUrl), env)
  const url = variable && parseProxy(variable.value)
  return url === null ? null : new ServiceProxy(url)
}

/** The problem with the variable that names the proxy for an address, without its value; null if there is none. */
export function checkProxy(baseUrl: string, env: Environment): string | null {
  const variable = findVariable(new URL(baseUrl), env)
  if (variable === null || parseProxy(variable.value) !== null) return null
  return `environment variable ${variable.name}: expected the address of a proxy such as http://proxy.example.com:3128, got something else that is not shown`
}

function findVariable(url: URL, env: Environment): { readonly name: string; readonly value: string } | null {
  if (isLoopback(url.hostname) || isExempt(url, readVariable(['no_proxy', 'NO_PROXY'], env)?.value ?? '')) return null
  return readVariable(url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'], env)
}

function readVariable(names: readonly string[], env: Environment) {
  const name = names.find((each) => (env[each] ?? '').trim() !== '')
  return name === undefined ? null : { name, value: (env[name] ?? '').trim() }
}

/**
 * True if `noProxy` covers the address. It is `*` or a list of hosts, each with its subdomains, for one port or all.
 */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const usualPort = protocol === 'https:' ? '443' : '80'
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, host = '', onlyPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (host === '' || (onlyPort !== undefined && onlyPort !== (port || usualPort))) return false
    return hostname === host || hostname.endsWith(`.${host}`)
  })
}

function parseProxy(text: string): URL | null {
  const address = /^\w[\w+.-]*:\/\//.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  try {
    for (const part of [url.username, url.password]) decodeURIComponent(part)
    return url
  } catch {
    return null
  }
}

/** True if the host, as the URL class writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
