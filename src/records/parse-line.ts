import type { Issue } from './reject.ts'
import { mayLoseDigits, parseExactly } from '../types/json-text.ts'
import { findSyntaxFault } from './json/find-syntax-fault.ts'
import { isObject, toCount } from './json/json-values.ts'
import { parseWide } from './json/parse-wide.ts'
import { findRepeatedEnvelope, mayRepeatKeys } from './json/repeated-keys.ts'
import { isBlank, type RawLine } from './raw-line.ts'

/** The error in a line `{"error": …}`, which the service sends after it has answered 200. */
export interface StreamError {
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

/** The position of a line in its result set, as the line states it (specification: Endpoints, Conventions); null if it states none. */
export interface LinePosition {
  readonly index: number | null
  readonly total: number | null
}

/**
 * One line of a stream, parsed. `delivered` is the record, unchanged: the `meta` of the line is never that of the
 * record.
 */
export type ParsedLine =
  | { readonly kind: 'blank' }
  | ({
      readonly kind: 'record'
      readonly delivered: unknown
      readonly text: string
      readonly numbers: HeldNumbers
      /** True if an object on the line may have a key twice; only `parseLine` looks. */
      readonly mayRepeatKeys: boolean
    } & LinePosition)
  | { readonly kind: 'error'; readonly error: StreamError }
  | ({ readonly kind: 'invalid'; readonly issue: Issue } & LinePosition)

export interface ParseOptions {
  /** A longer line is invalid, whatever it holds. */
  readonly maxLineBytes: number
  /** Keep every digit of every number. Slower if a number is long. */
  readonly exactNumbers: boolean
}

/** The form of the numbers of a record: as they are written, so by `parseExactly`, or as JSON.parse rounds them. */
export type HeldNumbers = 'plain' | 'exact' | 'rounded'

const noPosition: LinePosition = { index: null, total: null }

/** Parses one line: an envelope `{"meta": {"total", "index"}, "result": …}`, a bare record, or an error line. */
export function parseLine(line: RawLine, { maxLineBytes, exactNumbers }: ParseOptions): ParsedLine {
  if (line.lineBytes > maxLineBytes) {
    const text = line.bytes.toString('utf8', 0, 1024)
    return { kind: 'invalid', issue: tooLong(line.lineBytes, maxLineBytes), ...readTornEnvelope(text) }
  }
  if (isBlank(line)) return { kind: 'blank' }
  const text = line.bytes.toString('utf8')
  if (!line.isUtf8) return { kind: 'invalid', issue: invalidUtf8, ...readTornEnvelope(text) }
  return parse(text, exactNumbers, true)
}

/** Parses a line that is known to be text, and whose keys have been checked. */
export function parseText(text: string, exactNumbers: boolean): ParsedLine {
  return parse(text, exactNumbers, false)
}

function parse(text: string, exactNumbers: boolean, looksAtKeys: boolean): ParsedLine {
  try {
    const isExact = exactNumbers && mayLoseDigits(text)
    const value = isExact ? parseExactly(text) : parseWide(text)
    const parsed = toParsedLine(value, text, isExact ? 'exact' : exactNumbers ? 'plain' : 'rounded')
    return looksAtKeys && parsed.kind === 'record' && mayRepeatKeys(text, value) ? toRepeating(parsed, value) : parsed
  } catch (error) {
    if (error instanceof SyntaxError)
      return { kind: 'invalid', issue: invalidJson(error, text), ...readTornEnvelope(text) }
    if (error instanceof RangeError) return { kind: 'invalid', issue: tooDeep, ...readTornEnvelope(text) }
    throw error
  }
}

/** The record of a line, parsed again as it was delivered: the first one was changed. */
export function parseAgain(text: string, { exactNumbers }: Pick<ParseOptions, 'exactNumbers'>): unknown {
  const parsed = parseText(text, exactNumbers)
  return parsed.kind === 'record' ? parsed.delivered : null
}

/** An envelope that repeats its own keys is ambiguous; of a record the last of the repeated keys counts. */
function toRepeating(parsed: Extract<ParsedLine, { kind: 'record' }>, value: unknown): ParsedLine {
  const isEnvelope = isObject(value) && Object.hasOwn(value, 'result')
  const paths = isEnvelope ? findRepeatedEnvelope(parsed.text) : []
  const [first] = paths
  if (first === undefined) return { ...parsed, mayRepeatKeys: true }
  const { index, total } = paths.every((path) => path === 'result') ? parsed : noPosition
  return { kind: 'invalid', issue: ambiguous(first), index, total }
}

function toParsedLine(value: unknown, text: string, numbers: HeldNumbers): ParsedLine {
  const position = isObject(value) && Object.hasOwn(value, 'result') ? readPosition(value['meta']) : noPosition
  if (mayHoldLoneSurrogate(text) && !isWellFormed(value)) return { kind: 'invalid', issue: loneSurrogate, ...position }
  if (!isObject(value)) return { kind: 'record', delivered: value, text, numbers, mayRepeatKeys: false, ...noPosition }
  if (Object.hasOwn(value, 'result'))
    return { kind: 'record', delivered: value['result'], text, numbers, mayRepeatKeys: false, ...position }
  const isError = Object.hasOwn(value, 'error') && !Object.hasOwn(value, 'id')
  if (isError) return { kind: 'error', error: toStreamError(value['error']) }
  return { kind: 'record', delivered: value, text, numbers, mayRepeatKeys: false, ...noPosition }
}

function readPosition(meta: unknown): LinePosition {
  return isObject(meta) ? { index: toCount(meta['index']), total: toCount(meta['total']) } : noPosition
}

/** The envelope of a line that can't be parsed: it comes first, so it can often still be read. */
function readTornEnvelope(text: string): LinePosition {
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

/**
 * The message of V8 quotes the text around the fault, and names a position in some cases only. The raw line is kept
 * elsewhere, and `at` has the position. Lines with the same fault have the same message.
 */
function invalidJson(error: SyntaxError, text: string): Issue {
  const cause = error.message.replace(/, ?(?:\.\.\.)?".*$/s, '').replace(/ at position \d+.*$/s, '')
  const message = `expected one JSON object on the line, got: ${cause.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, toEscape)}`
  const at = Buffer.byteLength(text.slice(0, findSyntaxFault(text)))
  return { code: 'invalid_json', path: '', message, at }
}

/** The escape of a character that can't be seen in a message, a byte order mark for instance. */
function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function ambiguous(path: string): Issue {
  const message = `expected "${path}" once on the line, got it again: which of them is meant can't be told`
  return { code: 'repeated_key', path: '', message }
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

/** `expected a record, got an error line: 500 internal_error Something broke` */
export function formatStreamError({ status, code, message }: StreamError): string {
  const said = [status, code, message].filter((part) => part !== null).join(' ') || 'no reason'
  return `expected a record, got an error line: ${said}`
}
