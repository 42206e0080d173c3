export interface Violation {
  /** A path in the body: `filter.and.0.status`. */
  readonly path: string
  readonly message: string
}

export interface ServiceErrorOptions {
  readonly violations?: readonly Violation[]
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that is an error. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, { violations, headers = {} }: ServiceErrorOptions = {}) {
    super(message)
    this.name = 'ServiceError'
    this.status = status
    this.code = toErrorCode(status)
    this.violations = violations
    this.headers = headers
  }

  /** The body that consumers of the service have seen; the specification does not show it. */
  toBody() {
    const { status, code, message, violations } = this
    return { error: { status, code, message, ...(violations === undefined ? {} : { violations }) } }
  }
}

/** An answer to a request that breaks the rules of its endpoint. */
export function toInvalid(violations: readonly Violation[]): ServiceError {
  return new ServiceError(422, 'The request is not valid', { violations })
}

/** Only that of 429 is in the specification (Errors); the others are assumed. */
function toErrorCode(status: number): string {
  return errorCodes[status] ?? (status >= 500 ? 'internal_error' : 'bad_request')
}

const errorCodes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'too_many_requests',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
}
