import { CatalogueError } from '../../errors.ts'

export interface Refusal {
  readonly status: number
  /** Seconds in the Retry-After header; null for no header. */
  readonly retryAfter: number | null
  readonly body: 'json' | 'html' | 'empty'
}

/** How a body ends early: with an error line, without a sign, or with the connection closed, reset or silent. */
type EarlyEnd = 'error-line' | 'short' | 'cut' | 'reset' | 'stall'

export interface AnswerFault {
  readonly delayMs?: number
  readonly redirect?: string
  /** Sends no answer: the connection is closed, reset or silent. */
  readonly silence?: 'cut' | 'reset' | 'stall'
  /** `after` is the number of records before the end; a fraction ends within the next one. */
  readonly end?: { readonly how: EarlyEnd; readonly after: number }
  /** Position of a record to omit, repeat or break. */
  readonly gap?: number
  readonly repeat?: number
  readonly malformed?: number
  /** A wrong `meta.total`, from a position on. */
  readonly total?: { readonly add?: number; readonly is?: number; readonly from: number }
  readonly bytesPerSecond?: number
}

/** A number of refused requests, followed by one with a changed answer, if any. */
export interface Fault {
  readonly text: string
  readonly refusals: number
  readonly refusal: Refusal
  readonly answer: AnswerFault | null
}

/**
 * Parses a fault of `inject` or the header `x-sandbox-fault`: one or more of those in docs/sandbox.md, separated by
 * commas. Positions count the records of one answer from 0. Throws USAGE for anything else.
 */
export function parseFault(text: string): Fault {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) throw toError(text, text)
  const draft: Draft = { refusals: 0, refusal: { status: 429, body: 'json' }, answer: {} }
  for (const part of parts) {
    if (!addRefusal(part, draft) && !addNamed(part, draft)) throw toError(part, text)
  }
  const { refusals, refusal, answer } = draft
  const isEmpty = Object.keys(answer).length === 0
  if (refusals === 0 && isEmpty) throw toError(text, text)
  const retryAfter = refusal.retryAfter === undefined ? toUsualRetryAfter(refusal.status) : refusal.retryAfter
  return {
    text,
    refusals,
    refusal: { ...refusal, retryAfter },
    answer: isEmpty ? null : answer,
  }
}

interface Draft {
  refusals: number
  refusal: Omit<Refusal, 'retryAfter'> & { readonly retryAfter?: number | null }
  answer: AnswerFault
}

function addRefusal(part: string, draft: Draft): boolean {
  const [, status, times = '1'] = /^([45]\d\d)(?:x(\d{1,6}))?$/.exec(part) ?? []
  if (status === undefined) return false
  draft.refusals = Number(times)
  draft.refusal = { ...draft.refusal, status: Number(status) }
  return true
}

function addNamed(part: string, draft: Draft): boolean {
  const at = part.indexOf('=')
  const name = at === -1 ? part : part.slice(0, at)
  const value = at === -1 ? '' : part.slice(at + 1)
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  const added = read?.(value, name)
  if (added === undefined) return false
  draft.answer = { ...draft.answer, ...added.answer }
  draft.refusal = { ...draft.refusal, ...added.refusal }
  return true
}

interface Addition {
  readonly answer?: AnswerFault
  readonly refusal?: Partial<Refusal>
}

type ReadFault = (value: string, name: string) => Addition | undefined

const readers: Readonly<Record<string, ReadFault>> = {
  'retry-after': (value) =>
    value === 'none'
      ? { refusal: { retryAfter: null } }
      : onNumber(value, (retryAfter) => ({ refusal: { retryAfter } })),
  'error-body': (value) => (value === 'html' || value === 'empty' ? { refusal: { body: value } } : undefined),
  redirect: (value) => (URL.canParse(value) ? { answer: { redirect: value } } : undefined),
  delay: (value) => onNumber(value, (delayMs) => ({ answer: { delayMs } })),
  cut: readEnd,
  reset: readEnd,
  stall: readEnd,
  short: (value, name) => (value === '' ? undefined : readEnd(value, name)),
  'error-line': (value, name) => (value === '' ? undefined : readEnd(value, name)),
  gap: (value) => onNumber(value, (gap) => ({ answer: { gap } })),
  repeat: (value) => onNumber(value, (repeat) => ({ answer: { repeat } })),
  malformed: (value) => onNumber(value, (malformed) => ({ answer: { malformed } })),
  total: readTotal,
  slow: (value) =>
    Number(value) === 0 ? undefined : onNumber(value, (bytesPerSecond) => ({ answer: { bytesPerSecond } })),
}

function readEnd(value: string, how: string): Addition | undefined {
  if (value === '') return { answer: { silence: how as 'cut' | 'reset' | 'stall' } }
  if (!/^\d+(\.\d+)?$/.test(value)) return undefined
  return { answer: { end: { how: how as EarlyEnd, after: Number(value) } } }
}

function readTotal(value: string): Addition | undefined {
  const [, sign, digits, from = '0'] = /^([+-]?)(\d+)(?:@(\d+))?$/.exec(value) ?? []
  if (digits === undefined) return undefined
  const amount = Number(digits)
  const change = sign === '' ? { is: amount } : { add: sign === '-' ? -amount : amount }
  return { answer: { total: { ...change, from: Number(from) } } }
}

function onNumber(value: string, toAddition: (number: number) => Addition): Addition | undefined {
  return /^\d+$/.test(value) ? toAddition(Number(value)) : undefined
}

function toUsualRetryAfter(status: number): number | null {
  return status === 429 || status === 503 ? 1 : null
}

function toError(part: string, text: string): CatalogueError {
  const expected = `expected a status such as 429x3 or one of ${Object.keys(readers).join(', ')} with its value`
  return new CatalogueError('USAGE', `fault "${text}": ${expected}, got "${part}"`)
}
