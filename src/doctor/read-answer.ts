import type { CatalogueError } from '../errors.ts'
import type { ResponseBody } from '../service/http/response-body.ts'
import type { ServiceResponse } from '../service/http/http-transport.ts'

export type AnswerBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'document'; readonly value: unknown }
  | {
      readonly kind: 'lines'
      readonly lines: readonly unknown[]
      /** Whether the answer ended after these lines. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The outcome of one request. Only `body` holds text from the service. */
export type Answer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly mediaType: string | null
      readonly headers: readonly string[]
      readonly retryAfterMs: number | null
      readonly body: AnswerBody
    }
  | { readonly kind: 'failure'; readonly reason: string; readonly error: CatalogueError }

/** Limit on a document: every answer requested is a small part of a catalogue. */
const mostBytes = 16 * 1024 * 1024

/** Reads `lines` lines of a stream, or a document if `lines` is null, and closes the body. */
export async function readAnswer(response: ServiceResponse, lines: number | null): Promise<Answer> {
  const { status, headers, body } = response
  const { text, isWhole } = await readText(body, status < 300 ? lines : null)
  return {
    kind: 'answer',
    status,
    mediaType: toMediaType(headers['content-type']),
    headers: Object.keys(headers)
      .filter((name) => isWord.test(name))
      .toSorted(),
    retryAfterMs: toMilliseconds(headers['retry-after']),
    body: toBody(text, isWhole, status < 300 ? lines : null),
  }
}

interface ReadText {
  readonly text: string
  readonly isWhole: boolean
}

async function readText(body: ResponseBody, lines: number | null): Promise<ReadText> {
  const chunks: Buffer[] = []
  let bytes = 0
  let lineBreaks = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (lines !== null) lineBreaks += countLineBreaks(chunk, lines)
      if (bytes > mostBytes || (lines !== null && lineBreaks > lines)) return { text: toText(chunks), isWhole: false }
    }
  } finally {
    body.close()
  }
  return { text: toText(chunks), isWhole: true }
}

function countLineBreaks(chunk: Buffer, most: number): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0 && count <= most; at = chunk.indexOf(10, at + 1)) count++
  return count
}

function toText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}

function toBody(text: string, isWhole: boolean, lines: number | null): AnswerBody {
  if (isWhole && text.trim() === '') return { kind: 'empty' }
  if (lines !== null) return toLines(text, isWhole, lines)
  if (!isWhole) return { kind: 'unreadable', reason: `more than ${mostBytes / 1024 / 1024} MB` }
  const value = parse(text)
  return value === undefined ? { kind: 'unreadable', reason: describeText(text) } : { kind: 'document', value }
}

function toLines(text: string, isWhole: boolean, most: number): AnswerBody {
  const all = text.split('\n')
  // The last element is cut off, or is what follows the last line break.
  const whole = (isWhole ? all : all.slice(0, -1)).filter((line) => line.trim() !== '')
  const lines = whole.slice(0, most).map(parse)
  if (whole.length === 0)
    return { kind: 'unreadable', reason: `a first line of more than ${mostBytes / 1024 / 1024} MB` }
  if (!lines.includes(undefined)) return { kind: 'lines', lines, isWhole: isWhole && whole.length <= most }
  // A document that spans several lines.
  const value = isWhole ? parse(text) : undefined
  return value === undefined
    ? { kind: 'unreadable', reason: describeText(text) }
    : { kind: 'lines', lines: [value], isWhole }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // A document nested too deep raises a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

function describeText(text: string): string {
  return /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(text) ? 'a page of HTML or XML' : 'text that is no JSON'
}

function toMediaType(contentType: string | undefined): string | null {
  const [type] = /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(contentType ?? '') ?? []
  return type?.toLowerCase() ?? null
}

function toMilliseconds(retryAfter: string | undefined): number | null {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null
}

const isWord = /^[\w-]{1,60}$/
