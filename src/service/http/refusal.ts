import { STATUS_CODES } from 'node:http'
import { CatalogueError, type ErrorCode } from '../../errors.ts'
import { cutText } from '../../text/cut-text.ts'

/** An answer with an error status. Its body may be empty, HTML or anything; only the status is reliable. */
export interface Refusal {
  readonly status: number
  readonly code: string | null
  readonly message: string | null
  readonly violations: readonly string[]
}

/**
 * Reads `{"error": {"status", "code", "message", "violations"}}`, as far as the body has that form. Its texts are
 * redacted.
 */
export function parseRefusal(status: number, body: string, redact: (text: string) => string): Refusal {
  const document = parseObject(body)
  const error = toObject(document['error'])
  const violations = [error['violations'], document['violations']].find(Array.isArray) ?? []
  const plain = typeof document['error'] === 'string' ? document['error'] : document['message']
  const code = toText(error['code']) ?? toText(document['code'])
  const message = toText(error['message']) ?? toText(plain)
  return {
    status,
    code: code === null ? null : redact(code),
    message: message === null ? null : redact(message),
    violations: (violations as unknown[]).flatMap((violation) => toViolation(violation) ?? []).map(redact),
  }
}

/** `422 validation_failed, "The filter is not valid"; "filter.cnk: too many"` */
function formatRefusal({ status, code, message, violations }: Refusal): string {
  const name = code ?? STATUS_CODES[status]?.toLowerCase()
  const head = name === undefined ? `${status}` : `${status} ${name}`
  const shown = violations.slice(0, mostViolations).map(quote)
  const more = violations.length > mostViolations ? [`and ${violations.length - mostViolations} more`] : []
  return [message === null ? head : `${head}, ${quote(message)}`, ...shown, ...more].join('; ')
}

export function toRefusalError(where: string, refusal: Refusal, more = ''): CatalogueError {
  const message = `${where}: expected an answer, got ${formatRefusal(refusal)}${more}`
  return new CatalogueError(toErrorCode(refusal.status), message, { fix: refusal.status < 400 ? noAnswer : undefined })
}

/** A redirect without another address says nothing about the request. */
const noAnswer =
  'Check the address (`source.baseUrl` in a config) and what is between here and the service, a cache or a proxy for instance: no request of this kind is answered so.'

/** True if the same request may be answered later. */
export function isTransient(status: number): boolean {
  return status >= 500 || status === 408 || status === 425
}

function toErrorCode(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'SERVICE_UNAUTHORIZED'
  if (status === 404) return 'SERVICE_NOT_FOUND'
  if (status === 429) return 'SERVICE_BUSY'
  return isTransient(status) ? 'SERVICE_FAILED' : 'SERVICE_REFUSED'
}

function toViolation(violation: unknown): string | null {
  if (typeof violation !== 'object' || violation === null) return toText(violation)
  const members = violation as Record<string, unknown>
  const place = toText(members['path'] ?? members['property'] ?? members['propertyPath'] ?? members['field'])
  const message = toText(members['message'] ?? members['title'] ?? members['code'])
  if (place === null && message === null) return JSON.stringify(violation)
  return [place, message].filter((text) => text !== null).join(': ')
}

function parseObject(body: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(body))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function quote(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return `"${cutText(line, longest)}"`
}

const longest = 300
const mostViolations = 10

export interface WriteFailureDetails {
  readonly mayHaveArrived: boolean
  readonly refusal: Refusal | null
  readonly retryAfterMs: number | null
}

export class WriteFailure extends CatalogueError {
  readonly details: WriteFailureDetails

  constructor({ code, message, cause, fix }: CatalogueError, details: WriteFailureDetails) {
    super(code, message, { cause, fix })
    this.details = details
  }
}

const notArrived: ReadonlySet<string> = new Set(['SERVICE_UNREACHABLE', 'SERVICE_UNTRUSTED', 'SERVICE_BUSY'])

/** True if a request that changes something may have been carried out despite this error. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof WriteFailure) return error.details.mayHaveArrived
  return !(error instanceof CatalogueError && notArrived.has(error.code))
}
