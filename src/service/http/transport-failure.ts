import { formatSeconds } from '../../text/format-size.ts'

/** The reason why no answer came, or no whole one. */
export interface TransportFailure {
  /** For people: `the name api.example.com was not found (ENOTFOUND)`. */
  readonly reason: string
  /** The same will happen again: a certificate that is not trusted, for instance. */
  readonly isPermanent: boolean
  /** There is no connection that could be trusted. */
  readonly isUntrusted: boolean
  /** The service may have received the request. */
  readonly mayHaveArrived: boolean
  /** Advice in place of the usual one. */
  readonly fix?: string
}

export interface ServiceLimits {
  readonly connectTimeoutMs: number
  /** From the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number
  /** Between two pieces of the body. The time that the reader takes for itself does not count. */
  readonly idleTimeoutMs: number
}

/** The way of requests, and how long they may take. */
export interface Route {
  readonly host: string
  /** With its port; null if there is none. */
  readonly proxyHost: string | null
  readonly limits: ServiceLimits
}

/** The meaning of an error of the HTTP library or of a socket. */
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

/** The answer of a proxy itself, which forwards requests; of a tunnel it is in the text of the library's error only. */
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

/** A connection tried at several addresses fails with a list of errors and no message. */
function toCodedError(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/** The reason alone, on one line, out of OpenSSL's words, which name its source files. */
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
  // Behind a proxy, only that is connected to.
  const host = proxyHost === null ? service : `${proxyHost}, the proxy,`
  return {
    ENOTFOUND: `the name ${host} was not found`,
    EAI_AGAIN: `the name ${host} could not be looked up`,
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

/** The codes of Node and OpenSSL for certificates and for what is no TLS at all. */
const untrusted =
  /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/

/** A header that can't be sent, or a client that was closed. */
const misused = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])
