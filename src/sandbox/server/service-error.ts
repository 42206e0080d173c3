export interface Violation {
  readonly path: string
  readonly message: string
}

export interface ServiceErrorOptions {
  readonly violations?: readonly Violation[]
  readonly headers?: Readonly<Record<string, string>>
}

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

  /** The body as seen by consumers. The specification does not show it. */
  toBody() {
    const { status, code, message, violations } = this
    return { error: { status, code, message, ...(violations === undefined ? {} : { violations }) } }
  }
}

export function toInvalid(violations: readonly Violation[]): ServiceError {
  return new ServiceError(422, 'The request is not valid', { violations })
}

/** The specification (Errors) has only the code of 429; the others are assumed. */
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
