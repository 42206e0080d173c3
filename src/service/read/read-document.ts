import { CatalogueError } from '../../errors.ts'
import { formatStreamError, parseText } from '../../records/parse-line.ts'
import { DocumentLines } from '../../sources/document-lines.ts'
import type { DocumentMeta } from '../../sources/completeness.ts'
import type { ServiceRequest } from '../http/http-call.ts'
import type { LineBatch, ScannedLine } from './line-batch.ts'
import type { ReadContext } from './retry-read.ts'
import { readId } from './scan-lines.ts'

export interface DocumentReading {
  /** Some records at a time, each as JSON text. */
  readonly records: AsyncIterable<readonly string[]>
  /** Complete only after the last record. */
  readonly meta: () => DocumentMeta
}

/**
 * Requests `{"meta", "results"}` or a list. Status 204 is a document without records. Reading throws SOURCE_FAILED if
 * the document is cut off or of another form, SOURCE_ERROR_LINE if it is an error.
 */
export async function openDocument(
  request: ServiceRequest,
  { name, client, log, maxLineBytes, signal }: ReadContext,
): Promise<DocumentReading> {
  const { status, body, date } = await client.open(request, signal, (reason) => log.repeated(reason))
  log.answered(date)
  if (status === 204) {
    body.close()
    return { records: none(), meta: () => ({ total: 0, offset: 0 }) }
  }
  const document = new DocumentLines(maxLineBytes)
  return { records: readRecords(name, body, document, client.redact), meta: () => document.meta }
}

async function* none(): AsyncGenerator<readonly string[]> {}

async function* readRecords(
  name: string,
  body: AsyncIterable<Buffer>,
  document: DocumentLines,
  redact: (text: string) => string,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (records: string[]): string[] => {
    for (const record of records) checkNoError(name, record, redact)
    return records
  }
  try {
    for await (const chunk of body) {
      const records = check([...document.push(decoder.decode(chunk, { stream: true }))])
      if (records.length > 0) yield records
    }
    yield check([...document.push(decoder.decode()), ...document.end()])
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${name}: expected one whole JSON document, got: ${(error as Error).message}`
    throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
  }
}

function checkNoError(name: string, record: string, redact: (text: string) => string): void {
  if (!record.startsWith('{"error":')) return
  const parsed = parseText(record, false)
  if (parsed.kind !== 'error') return
  throw new CatalogueError('SOURCE_ERROR_LINE', `${name}: ${redact(formatStreamError(parsed.error))}`)
}

/** Records as lines without an envelope; `index` is the place of the first one in the result. */
export function toBareLines(records: readonly string[], index: number): LineBatch {
  return toLines(records.map((record, at) => ({ text: record, index: index + at, total: null, id: findId(record) })))
}

/** Records as lines with an envelope, like those of a stream; `index` is the place of the first one in the result. */
export function toEnvelopes(records: readonly string[], total: number | null, index: number): LineBatch {
  const lines = records.map((record, at) => {
    const place = { ...(total === null ? {} : { total }), index: index + at }
    const text = `{"meta":${JSON.stringify(place)},"result":${record}}`
    return { text, index: place.index, total, id: findId(record) }
  })
  return toLines(lines)
}

type Line = Pick<ScannedLine, 'index' | 'total' | 'id'> & { readonly text: string }

function toLines(lines: readonly Line[]): LineBatch {
  const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))
  let end = 0
  const scanned = lines.map(({ text, index, total, id }): ScannedLine => {
    end += Buffer.byteLength(text) + 1
    return { end, kind: 'record', index, total, id, error: null }
  })
  return { bytes, lines: scanned }
}

/** The id of a record written by `DocumentLines`, which has no white space. */
export function findId(record: string): string | null {
  const match = /^\{"id":(?:"([\x20\x21\x23-\x5b\x5d-\x7e]*)"|(\d{1,15}))[,}]/.exec(record)
  if (match !== null) return match[1] ?? match[2] ?? null
  try {
    return readId(JSON.parse(record))
  } catch (error) {
    // A record that is too long is cut off, and will be rejected later.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
