import { isObject } from '../records/json-values.ts'
import { CatalogueError } from '../errors.ts'
import { formatJson, mayLoseDigits, parseExactly } from '../records/json-text.ts'
import { formatStreamError } from '../records/format-stream-error.ts'
import { parseText } from '../records/parse-line.ts'
import type { ServiceRequest } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { statementOf, type LineBatch } from './line-batch.ts'
import { readAgain } from './read-again.ts'
import type { ReadContext } from './read-context.ts'
import { toBareLines } from './read-document.ts'

/** The one record of a `find` endpoint, out of the key that it is wrapped in: `{"product": {…}}`. */
export async function* readFound(
  endpoint: Endpoint,
  request: ServiceRequest,
  context: ReadContext,
): AsyncGenerator<LineBatch> {
  const record = await readAgain(context, () => readOne(endpoint, request, context))
  const records = record === null ? [] : [record]
  yield toBareLines(records, 0)
  yield statementOf({ total: records.length, offset: 0 })
}

async function readOne(endpoint: Endpoint, request: ServiceRequest, context: ReadContext): Promise<string | null> {
  const { name, client, notes, maxLineBytes, signal } = context
  const { status, body, date } = await client.open(request, signal, (reason) => notes.repeated(reason))
  notes.answered(date)
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
  return unwrap(endpoint, name, Buffer.concat(chunks).toString('utf8'), client.conceal)
}

function unwrap({ wrappedIn }: Endpoint, name: string, text: string, conceal: (text: string) => string): string {
  const parsed = parseText(text, true)
  if (parsed.kind === 'error') {
    throw new CatalogueError('SOURCE_ERROR_LINE', `${name}: ${conceal(formatStreamError(parsed.error))}`)
  }
  if (parsed.kind === 'record') {
    const record = findRecord(mayLoseDigits(text) ? parseExactly(text) : JSON.parse(text), wrappedIn)
    if (record !== null) return formatJson(record)
  }
  const keys = wrappedIn === undefined ? 'a record' : `a record, alone or as "${wrappedIn}"`
  throw new CatalogueError('SOURCE_FAILED', `${name}: expected ${keys}, got something else`)
}

/** In the key that is known, else as it is, else in the only key that holds an object. */
function findRecord(value: unknown, wrappedIn: string | undefined): object | null {
  if (!isObject(value)) return null
  const known = wrappedIn === undefined ? undefined : value[wrappedIn]
  if (isObject(known)) return known
  if (Object.hasOwn(value, 'id')) return value
  const objects = Object.entries(value).filter(([key, member]) => key !== 'meta' && isObject(member))
  return objects.length === 1 ? (objects[0]?.[1] as object) : null
}
