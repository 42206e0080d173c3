import { formatSeconds } from '../../text/format-size.ts'

export interface TransportFailure {
  /** In words for the user: `the name api.example.com was not found (ENOTFOUND)`. */
  readonly reason: string
  /** True if a repetition will fail the same way, at an untrusted certificate for instance. */
  readonly isPermanent: boolean
  readonly isUntrusted: boolean
  readonly mayHaveArrived: boolean
  /** Advice that replaces the usual one for the error code. */
  readonly fix?: string
}

export interface ServiceLimits {
  readonly connectTimeoutMs: number
  /** From the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number
  /** Between two pieces of the body. Time that the reader spends does not count. */
  readonly idleTimeoutMs: number
}

export interface Route {
  readonly host: string
  /** With its port; null without a proxy. */
  readonly proxyHost: string | null
  readonly limits: ServiceLimits
}

export function describeTransportFailure(error: unknown, route: Route): TransportFailure {
  const { code, message } = toCodedError(error)
  const refusal = proxyRefusal.exec(message)
  if (refusal !== null && route.proxyHost !== null) return describeProxyRefusal(route, Number(refusal[1]))
  const known = knownFailures(route)[code]
  if (known !== undefined) {
    const reason = `${known} (${code})`
    const fix = fixes[code]
    return { reason, isPermanent: false, isUntrusted: false, mayHaveArrived: !unsent.has(code), ...(fix && { fix }) }
  }
  const isUntrusted = untrusted.test(code)
  const isPermanent = isUntrusted || misused.has(code)
  const what = isUntrusted ? `there is no trusted connection to ${route.host}` : 'the connection failed'
  const detail = [code, toPlainMessage(message)].filter((text) => text !== '').join(': ')
  return { reason: `${what} (${detail})`, isPermanent, isUntrusted, mayHaveArrived: !isPermanent }
}

/** An error answer of a forwarding proxy, in the words that the library's error has for a tunnel. */
export class ProxyRefusal extends Error {
  constructor(status: number) {
    super(`Proxy response (${status})`)
  }
}

const proxyRefusal = /^Proxy response \((\d+)\)/

function describeProxyRefusal({ host, proxyHost }: Route, status: number): TransportFailure {
  const advice = status === 407 ? ': it asks for a user and a password, in the variable that names it' : ''
  const reason = `the proxy ${proxyHost} does not connect to ${host} (${status})${advice}`
  return { reason, isPermanent: status < 500, isUntrusted: false, mayHaveArrived: false }
}

/** Errors that lack a code or a message, as a connection tried at several addresses gives, get empty ones. */
function toCodedError(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/** The reason on one line, cut out of OpenSSL's message, which names its source files. */
function toPlainMessage(message: string): string {
  const [, reason] = /error:[\dA-F]+:[^:]*:[^:]*:([^:]+)/i.exec(message) ?? []
  const text = reason ?? message
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return plain === 'wrong version number' ? `${plain}, as where http is spoken, not https` : plain
}

const fixes: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT:
    'Check the address (`source.baseUrl` in a config) and the network; where connections take longer, raise `source.timeouts.connect`.',
  UND_ERR_HEADERS_TIMEOUT: 'Run again later; where answers begin later than that, raise `source.timeouts.firstByte`.',
}

function knownFailures({ host: service, proxyHost, limits }: Route): Readonly<Record<string, string>> {
  const cut = 'the connection was cut'
  // Behind a proxy, only the proxy is connected to.
  const host = proxyHost === null ? service : `${proxyHost}, the proxy,`
  const name = proxyHost === null ? service.replace(/:\d+$/, '') : host
  return {
    ENOTFOUND: `the name ${name} was not found`,
    EAI_AGAIN: `the name ${name} could not be looked up`,
    ECONNREFUSED: `${host} does not take connections`,
    EHOSTUNREACH: `there is no way to ${host}`,
    ENETUNREACH: `there is no way to ${host}`,
    ETIMEDOUT: `${host} does not answer`,
    UND_ERR_CONNECT_TIMEOUT: `no connection to ${host} within ${formatSeconds(limits.connectTimeoutMs)}`,
    UND_ERR_HEADERS_TIMEOUT: `no answer within ${formatSeconds(limits.firstByteTimeoutMs)}`,
    UND_ERR_BODY_TIMEOUT: `nothing came for ${formatSeconds(limits.idleTimeoutMs)}`,
    UND_ERR_SOCKET: cut,
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
    ECONNRESET: cut,
    EPIPE: cut,
    Z_BUF_ERROR: 'the compressed data was cut off',
    Z_DATA_ERROR: 'the compressed data is damaged',
  }
}

const unsent = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Codes of Node and OpenSSL for certificates, and for connections that do not speak TLS. */
const untrusted =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/

/** A header that can't be sent, or a client that was closed. */
const misused = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])
