import { CatalogueError } from '../errors.ts'
import { isObject } from '../records/json/json-values.ts'
import { scanLines, type ScannedLine } from './scan-lines.ts'

interface BeginningOptions {
  readonly maxLineBytes: number
  readonly conceal: (text: string) => string
}

/**
 * Throws SOURCE_FAILED where an answer does not begin as lines with records do: a page of a gateway, or a document, is no
 * catalogue of broken lines. A first record that is damaged is one all the same, as far as its envelope can be read.
 */
export function checkBeginning(name: string, run: Buffer, { maxLineBytes, conceal }: BeginningOptions): void {
  const lines = scanLines(run, maxLineBytes)
  const at = lines.findIndex(({ kind }) => kind !== 'blank')
  const line = lines[at]
  if (line === undefined || line.kind === 'error') return
  const text = run.subarray(lines[at - 1]?.end ?? 0, line.end)
  if (text.length > maxLineBytes || isOfRecord(line, text)) return
  const got = JSON.stringify(conceal(text.toString('utf8', 0, quotedBytes).trim()).slice(0, longestQuote))
  throw new CatalogueError(
    'SOURCE_FAILED',
    `${name}: expected lines of JSON with records, got text that begins with ${got}`,
  )
}

function isOfRecord({ kind, index, total, id }: ScannedLine, text: Buffer): boolean {
  if (index !== null || total !== null || id !== null) return true
  // Whether it is cut off is said by whoever looks for the line break.
  if (kind === 'unreadable') return text.at(0) === openingBrace && text.at(-1) !== newline
  const value: unknown = JSON.parse(text.toString('utf8'))
  return isObject(value) && Object.hasOwn(value, 'result')
}

const openingBrace = 0x7b
const newline = 0x0a

/** More than is shown, so that no secret is cut off in the middle before it is hidden. */
const quotedBytes = 2000
const longestQuote = 60
