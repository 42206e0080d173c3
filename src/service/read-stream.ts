import { CatalogueError } from '../errors.ts'
import { checkBeginning } from './check-beginning.ts'
import { statementOf, type LineBatch } from './line-batch.ts'
import { readAgain } from './read-again.ts'
import type { ReadContext } from './read-context.ts'
import { parseWhole, scanLines } from './scan-lines.ts'
import type { ServiceRequest } from '../http/http-call.ts'
import { readWholeLines } from './whole-lines.ts'

/**
 * One answer of a stream or export endpoint, line by line. Status 204 is no line, and stated as such. Throws
 * SOURCE_FAILED where the answer is cut off or no lines at all, SOURCE_INCOMPLETE where it is empty without saying so.
 */
export async function* readStream(
  request: ServiceRequest,
  { name, client, notes, maxLineBytes, signal }: ReadContext,
): AsyncGenerator<LineBatch> {
  const { status, body, date } = await client.open(request, signal, (reason) => notes.repeated(reason))
  notes.answered(date)
  if (status === 204) {
    body.close()
    yield statementOf({ total: 0, offset: 0 })
    return
  }
  let hasLines = false
  for await (const run of readWholeLines(body, maxLineBytes)) {
    if (!hasLines) checkBeginning(name, run, { maxLineBytes, conceal: client.conceal })
    const bytes = terminate(name, run, maxLineBytes)
    const lines = scanLines(bytes, maxLineBytes)
    hasLines ||= lines.some(({ kind }) => kind !== 'blank')
    yield { bytes, lines }
  }
  if (hasLines) return
  const message = `${name}: expected lines, or status 204 for none, got status ${status} with nothing`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}

/**
 * The total that the first line of an answer states; null where it states none. The rest is not read. Throws
 * SERVICE_FAILED where not even that much comes.
 */
export async function readTotal(request: ServiceRequest, context: ReadContext): Promise<number | null> {
  return readAgain(context, async () => {
    for await (const { lines, document } of readStream(request, context)) {
      const stated = document ?? lines.find(({ kind }) => kind !== 'blank')
      if (stated !== undefined) return stated.total
    }
    return null
  })
}

/** A whole last line may lack its line break; half of one is a cut, also where its envelope can be read. */
function terminate(name: string, run: Buffer, maxLineBytes: number): Buffer {
  if (run.at(-1) === newline) return run
  if (parseWhole(run, maxLineBytes).kind !== 'unreadable') return Buffer.concat([run, lineBreak])
  throw new CatalogueError('SOURCE_FAILED', `${name}: expected whole lines, got a last line that is cut off`)
}

const newline = 0x0a
const lineBreak = Buffer.from('\n')
