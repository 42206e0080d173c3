import { isObject } from '../../records/json/json-values.ts'
import { CatalogueError } from '../../errors.ts'
import { JsonCursor } from '../../records/json/json-cursor.ts'
import { formatJson, mayLoseDigits, parseExactly } from '../../types/json-text.ts'
import { formatStreamError, parseText } from '../../records/parse-line.ts'
import { mayRepeatKeys } from '../../records/json/repeated-keys.ts'
import type { ServiceRequest } from '../http/http-call.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { WrongShape } from '../../sources/wrong-shape.ts'
import { toStatement, type LineBatch } from './line-batch.ts'
import { retryRead, type ReadContext } from './retry-read.ts'
import { toBareLines } from './read-document.ts'

/** The one record of a `find` endpoint, taken out of the key that wraps it: `{"product": {…}}`. */
export async function* readFound(
  endpoint: Endpoint,
  request: ServiceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const record = await retryRead(context, () => readOne(endpoint, request, context))
  const records = record === null ? [] : [record]
  yield toBareLines(records, 0)
  yield toStatement({ total: records.length, offset: 0 })
}

async function readOne(endpoint: Endpoint, request: ServiceRequest, context: ReadContext): Promise<string | null> {
  const { name, client, log, maxLineBytes, signal } = context
  const { status, body, date } = await client.open(request, signal, (reason) => log.repeated(reason))
  log.answered(date)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxLineBytes) {
      const expected = `expected a record of at most ${maxLineBytes} bytes (maxLineBytes)`
      throw new CatalogueError('SERVICE_FAILED', `${name}: ${expected}, got a longer one`)
    }
  }
  if (status === 204) return null
  return unwrap(endpoint, name, Buffer.concat(chunks).toString('utf8'), client.redact)
}

function unwrap({ wrappedIn }: Endpoint, name: string, text: string, redact: (text: string) => string): string {
  const parsed = parseText(text, true)
  if (parsed.kind === 'error') {
    throw new CatalogueError('SOURCE_ERROR_LINE', `${name}: ${redact(formatStreamError(parsed.error))}`)
  }
  if (parsed.kind === 'record') {
    const value = mayLoseDigits(text) ? parseExactly(text) : JSON.parse(text)
    const found = findRecord(value, wrappedIn)
    const record = found && (mayRepeatKeys(text, value) ? cutOut(text, found.key) : formatJson(found.record))
    if (record !== null) return record
  }
  const keys = wrappedIn === undefined ? 'a record' : `a record, alone or as "${wrappedIn}"`
  const cause = parsed.kind === 'record' ? new WrongShape(`not ${keys}`) : undefined
  throw new CatalogueError('SOURCE_FAILED', `${name}: expected ${keys}, got something else`, { cause })
}

interface Found {
  readonly key: string | null
  readonly record: object
}

/** Looks in the known key, then at the value itself, then in the only key that holds an object. */
function findRecord(value: unknown, wrappedIn: string | undefined): Found | null {
  if (!isObject(value)) return null
  const known = wrappedIn === undefined ? undefined : value[wrappedIn]
  if (wrappedIn !== undefined && isObject(known)) return { key: wrappedIn, record: known }
  if (Object.hasOwn(value, 'id')) return { key: null, record: value }
  const objects = Object.entries(value).filter(([key, member]) => key !== 'meta' && isObject(member))
  const [only] = objects
  return only !== undefined && objects.length === 1 ? { key: only[0], record: only[1] as object } : null
}

/** The record as written, with its repeated keys, on one line; null if the wrapping key itself comes twice. */
function cutOut(text: string, key: string | null): string | null {
  const records = key === null ? [text.trim()] : listMembers(text, key)
  return records.length === 1 ? (records[0] as string).replaceAll(/[\r\n]/g, ' ') : null
}

function listMembers(text: string, key: string): readonly string[] {
  const members: string[] = []
  const body = new JsonCursor(text)
  body.members((name) => {
    const member = body.cut()
    if (name === key) members.push(member)
  })
  return members
}
