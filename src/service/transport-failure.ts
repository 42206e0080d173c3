/** Why no answer came, or no whole one. */
export interface TransportFailure {
  /** For people: `the name api.example.com was not found (ENOTFOUND)`. */
  readonly reason: string
  /** The same will happen again: a certificate that is not trusted, for instance. */
  readonly isPermanent: boolean
  /** Whether the service may have received the request. */
  readonly mayHaveArrived: boolean
}

export interface ServiceLimits {
  readonly connectTimeoutMs: number
  /** From the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number
  /** Between two pieces of the body. The time that the reader takes for itself does not count. */
  readonly idleTimeoutMs: number
}

/** What an error of the HTTP library or of a socket means. */
export function describeTransportFailure(error: unknown, host: string, limits: ServiceLimits): TransportFailure {
  const { code, message } = toCodedError(error)
  const known = knownFailures(host, limits)[code]
  if (known !== undefined)
    return { reason: `${known} (${code})`, isPermanent: false, mayHaveArrived: !unsent.has(code) }
  const isUntrusted = untrusted.test(code)
  const isPermanent = isUntrusted || misused.has(code)
  const what = isUntrusted ? `there is no trusted connection to ${host}` : 'the connection failed'
  const detail = [code, message].filter((text) => text !== '').join(': ')
  return { reason: `${what} (${detail})`, isPermanent, mayHaveArrived: !isPermanent }
}

/** A connection tried at several addresses fails with a list of errors and no message. */
function toCodedError(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

function knownFailures(host: string, limits: ServiceLimits): Readonly<Record<string, string>> {
  const cut = 'the connection was cut'
  return {
    ENOTFOUND: `the name ${host} was not found`,
    EAI_AGAIN: `the name ${host} could not be looked up`,
    ECONNREFUSED: `${host} does not take connections`,
    EHOSTUNREACH: `there is no way to ${host}`,
    ENETUNREACH: `there is no way to ${host}`,
    ETIMEDOUT: `${host} does not answer`,
    UND_ERR_CONNECT_TIMEOUT: `no connection to ${host} within ${seconds(limits.connectTimeoutMs)}`,
    UND_ERR_HEADERS_TIMEOUT: `no answer within ${seconds(limits.firstByteTimeoutMs)}`,
    UND_ERR_BODY_TIMEOUT: `nothing came for ${seconds(limits.idleTimeoutMs)}`,
    UND_ERR_SOCKET: cut,
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
    ECONNRESET: cut,
    EPIPE: cut,
    Z_BUF_ERROR: 'the compressed data was cut off',
    Z_DATA_ERROR: 'the compressed data is damaged',
  }
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`
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
const untrusted = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/

/** A header that can't be sent, or a client that was closed. */
const misused = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])
