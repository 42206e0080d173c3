import { CatalogueError } from '../../errors.ts'
import type { ServiceRequest } from '../http/http-call.ts'
import { isObject } from '../../records/json/json-values.ts'
import { toStatement, type LineBatch, type ScannedLine } from './line-batch.ts'
import { retryRead, type ReadContext } from './retry-read.ts'
import { parseWhole, readLines } from './scan-lines.ts'

/**
 * One answer of a stream or export endpoint, line by line. Status 204 yields a statement that there are none. Throws
 * SOURCE_FAILED if the answer is cut off or has no lines of JSON, SOURCE_INCOMPLETE if it is empty with another status.
 */
export async function* readStream(request: ServiceRequest, context: ReadContext): AsyncGenerator<LineBatch> {
  const { name, client, log, maxLineBytes, signal } = context
  const { status, body, date } = await client.open(request, signal, (reason) => log.repeated(reason))
  log.answered(date)
  if (status === 204) {
    body.close()
    yield toStatement({ total: 0, offset: 0 })
    return
  }
  let hasLines = false
  for await (const batch of readLines(body, maxLineBytes)) {
    if (!hasLines) checkBeginning(batch, context)
    hasLines ||= batch.lines.some(({ kind }) => kind !== 'blank')
    yield terminate(batch, context)
  }
  if (hasLines) return
  const message = `${name}: expected lines, or status 204 for none, got status ${status} with nothing`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}

/**
 * The total that the first line of an answer states; null if it states none. The rest is not read. Throws
 * SERVICE_FAILED if not even that line can be read.
 */
export async function readTotal(request: ServiceRequest, context: ReadContext): Promise<number | null> {
  return retryRead(context, async () => {
    for await (const { lines, document } of readStream(request, context)) {
      const stated = document ?? lines.find(({ kind }) => kind !== 'blank')
      if (stated !== undefined) return stated.total
    }
    return null
  })
}

/**
 * Throws SOURCE_FAILED if an answer does not begin like lines with records. Otherwise a gateway's error page, or a
 * document, would pass for a catalogue of broken lines. A damaged first record is accepted if its envelope can be read.
 */
function checkBeginning({ bytes, lines }: LineBatch, { name, client, maxLineBytes }: ReadContext): void {
  const at = lines.findIndex(({ kind }) => kind !== 'blank')
  const line = lines[at]
  if (line === undefined || line.kind === 'error') return
  const text = bytes.subarray(lines[at - 1]?.end ?? 0, line.end)
  if (text.length > maxLineBytes || isOfRecord(line, text)) return
  const got = JSON.stringify(client.redact(text.toString('utf8', 0, quotedBytes).trim()).slice(0, longestQuote))
  throw new CatalogueError(
    'SOURCE_FAILED',
    `${name}: expected lines of JSON with records, got text that begins with ${got}`,
  )
}

function isOfRecord({ kind, index, total, id }: ScannedLine, text: Buffer): boolean {
  if (index !== null || total !== null || id !== null) return true
  // A line without its line break may be cut off, which the end of the answer shows.
  if (kind === 'unreadable') return text.at(0) === openingBrace && text.at(-1) !== newline
  const value: unknown = JSON.parse(text.toString('utf8'))
  return isObject(value) && Object.hasOwn(value, 'result')
}

/**
 * A last line without a line break is accepted if it is whole; half a line means the answer was cut off, even if its
 * envelope can be read.
 */
function terminate({ bytes, lines }: LineBatch, { name, maxLineBytes }: ReadContext): LineBatch {
  const last = lines.at(-1)
  if (last === undefined || bytes.at(-1) === newline) return { bytes, lines }
  if (parseWhole(bytes, maxLineBytes).kind === 'unreadable') {
    throw new CatalogueError('SOURCE_FAILED', `${name}: expected whole lines, got a last line that is cut off`)
  }
  return { bytes: Buffer.concat([bytes, lineBreak]), lines: [{ ...last, end: last.end + 1 }] }
}

const newline = 0x0a
const openingBrace = 0x7b
const lineBreak = Buffer.from('\n')

/** More than is quoted, so that no secret is cut in the middle before it is redacted. */
const quotedBytes = 2000
const longestQuote = 60
