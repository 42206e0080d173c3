import type { RunContext } from '../../run-context.ts'

type Environment = NonNullable<RunContext['env']>

/** A proxy that requests go through. Its user and password are in nothing that prints objects. */
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
 * The proxy for an address, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, lower case first. Services on this machine
 * have none. Null also if the variable holds no address: `checkProxy` says so. EnvHttpProxyAgent of undici does not say which
 * proxy it takes, and takes HTTP_PROXY for https too, but no address without `http://`.
 */
export function findProxy(baseUrl: string, env: Environment): ServiceProxy | null {
  const variable = findVariable(new URL(baseUrl), env)
  const url = variable && parseProxy(variable.value)
  return url === null ? null : new ServiceProxy(url)
}

/** The problem of the variable that names the proxy for an address, without its value; null if there is none. */
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

/** `*`, or a list of hosts, each with all below it, and with a port or for all ports. */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const usualPort = protocol === 'https:' ? '443' : '80'
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, host = '', onlyPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (host === '' || (onlyPort !== undefined && onlyPort !== (port || usualPort))) return false
    return hostname === host || hostname.endsWith(`.${host}`)
  })
}

/** Also without `http://` before it, as these variables often are. */
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

/** True of a host, as the URL class writes it, that is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
