import type { Issue } from './issue.ts'
import { mayLoseDigits, parseExactly } from './json-text.ts'
import { isObject, toCount } from './json-values.ts'
import { parseWide } from './parse-wide.ts'
import { isBlank, type RawLine } from './raw-line.ts'

/** What the service says in a line `{"error": …}` after it has answered 200. */
export interface StreamError {
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

/** Where a line says it stands in its result set (specification: Endpoints, Conventions); null where it says nothing. */
export interface LinePlace {
  readonly index: number | null
  readonly total: number | null
}

/** One line of a stream, parsed. `delivered` is the record as it came: the line's `meta` is never the record's. */
export type ParsedLine =
  | { readonly kind: 'blank' }
  | ({
      readonly kind: 'record'
      readonly delivered: unknown
      readonly text: string
      readonly numbers: HeldNumbers
    } & LinePlace)
  | { readonly kind: 'error'; readonly error: StreamError }
  | ({ readonly kind: 'invalid'; readonly issue: Issue } & LinePlace)

export interface ParseOptions {
  /** A longer line is invalid, whatever it holds. */
  readonly maxLineBytes: number
  /** Keep every digit of every number. Slower where a number is long. */
  readonly exactNumbers: boolean
}

/** How the numbers of a record are held: as they are written, so by `parseExactly`, or as JSON.parse rounds them. */
export type HeldNumbers = 'plain' | 'exact' | 'rounded'

const nowhere: LinePlace = { index: null, total: null }

/** Parses one line: an envelope `{"meta": {"total", "index"}, "result": …}`, a bare record, or an error line. */
export function parseLine(line: RawLine, { maxLineBytes, exactNumbers }: ParseOptions): ParsedLine {
  if (line.lineBytes > maxLineBytes) {
    const text = line.bytes.toString('utf8', 0, 1024)
    return { kind: 'invalid', issue: tooLong(line.lineBytes, maxLineBytes), ...readTornEnvelope(text) }
  }
  if (isBlank(line)) return { kind: 'blank' }
  const text = line.bytes.toString('utf8')
  if (!line.isUtf8) return { kind: 'invalid', issue: invalidUtf8, ...readTornEnvelope(text) }
  return parseText(text, exactNumbers)
}

/** The same for a line that is known to be text. */
export function parseText(text: string, exactNumbers: boolean): ParsedLine {
  try {
    if (exactNumbers && mayLoseDigits(text)) return toParsedLine(parseExactly(text), text, 'exact')
    return toParsedLine(parseWide(text), text, exactNumbers ? 'plain' : 'rounded')
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'invalid', issue: invalidJson(error), ...readTornEnvelope(text) }
    if (error instanceof RangeError) return { kind: 'invalid', issue: tooDeep, ...readTornEnvelope(text) }
    throw error
  }
}

/** The record of a line that is one, once more as it was delivered: somebody has changed the first. */
export function parseAgain(text: string, { exactNumbers }: Pick<ParseOptions, 'exactNumbers'>): unknown {
  const parsed = parseText(text, exactNumbers)
  return parsed.kind === 'record' ? parsed.delivered : null
}

function toParsedLine(value: unknown, text: string, numbers: HeldNumbers): ParsedLine {
  const place = isObject(value) && Object.hasOwn(value, 'result') ? readPlace(value['meta']) : nowhere
  if (mayHoldLoneSurrogate(text) && !isWellFormed(value)) return { kind: 'invalid', issue: loneSurrogate, ...place }
  if (!isObject(value)) return { kind: 'record', delivered: value, text, numbers, ...nowhere }
  if (Object.hasOwn(value, 'result')) return { kind: 'record', delivered: value['result'], text, numbers, ...place }
  const isError = Object.hasOwn(value, 'error') && !Object.hasOwn(value, 'id')
  if (isError) return { kind: 'error', error: toStreamError(value['error']) }
  return { kind: 'record', delivered: value, text, numbers, ...nowhere }
}

function readPlace(meta: unknown): LinePlace {
  return isObject(meta) ? { index: toCount(meta['index']), total: toCount(meta['total']) } : nowhere
}

/** The envelope of a line that can't be parsed: it stands first, so it can often still be read. */
function readTornEnvelope(text: string): LinePlace {
  const meta = /^\s*\{\s*"meta"\s*:\s*\{([^{}]*)\}/.exec(text)?.[1] ?? ''
  return { index: readCount(meta, 'index'), total: readCount(meta, 'total') }
}

function readCount(meta: string, name: string): number | null {
  const digits = new RegExp(`"${name}"\\s*:\\s*"?(\\d{1,15})\\b`).exec(meta)?.[1]
  return digits === undefined ? null : Number(digits)
}

function toStreamError(error: unknown): StreamError {
  const { status, code, message } = isObject(error) ? error : { status: null, code: null, message: error }
  return {
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'string' ? code : null,
    message: typeof message === 'string' ? message : null,
  }
}

function mayHoldLoneSurrogate(text: string): boolean {
  return text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text)
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member))
}

function tooLong(lineBytes: number, maxLineBytes: number): Issue {
  const message = `expected a line of at most ${maxLineBytes} bytes (maxLineBytes), got ${lineBytes}`
  return { code: 'line_too_long', path: '', message }
}

/** V8 quotes the text around the fault; the raw line is kept beside, so the reason and position are enough. */
function invalidJson(error: SyntaxError): Issue {
  const reason = error.message.replace(/, ?(?:\.\.\.)?".*$/s, '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape)
  return { code: 'invalid_json', path: '', message: `expected one JSON object on the line, got: ${reason}` }
}

/** What can't be seen in a message, a byte order mark for instance. */
function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const invalidUtf8: Issue = {
  code: 'invalid_utf8',
  path: '',
  message: 'expected UTF-8, got bytes that are none; the line is kept as base64',
}

const tooDeep: Issue = {
  code: 'too_deep',
  path: '',
  message: 'expected a record, got objects or lists nested thousands deep',
}

const loneSurrogate: Issue = {
  code: 'invalid_unicode',
  path: '',
  message: 'expected text, got an escape of half a character (a lone surrogate), which no output can hold',
}
