import { closeSync, openSync, readSync } from 'node:fs'
import { CatalogueError } from '../errors.ts'
import { countProblems } from '../messages/count-problems.ts'
import { isObject } from '../records/json/json-values.ts'
import { hashRawText, type RejectsFileLine } from '../records/reject.ts'
import type { RequiredContext } from '../run-context.ts'
import { readRejects } from './read-rejects.ts'

/** A corrected line, and the line of a source whose place it takes. The text itself stays in its file until it is needed. */
export interface FixedLine {
  readonly line: number
  readonly byteOffset: number | null
  /** Of the line in the source. */
  readonly sha256: string
  /** Its own line in the file of corrections. */
  readonly lineNumber: number
  readonly span: { readonly start: number; readonly bytes: number }
}

/** What is wrong with a line of the file of corrections. */
export interface FixedLineProblem {
  readonly lineNumber: number
  readonly message: string
}

/** The lines of an edited rejects file whose raw text was changed, by source and line. */
export class FixedLines {
  readonly path: string
  readonly #bySource: ReadonlyMap<string, ReadonlyMap<number, FixedLine>>
  readonly count: number

  private constructor(path: string, bySource: ReadonlyMap<string, ReadonlyMap<number, FixedLine>>) {
    this.path = path
    this.#bySource = bySource
    this.count = [...bySource.values()].reduce((sum, lines) => sum + lines.size, 0)
  }

  /** Throws ROWS_INVALID with all that is wrong, SOURCE_NOT_FOUND, SOURCE_FAILED, INTERRUPTED. */
  static async read(path: string, context: RequiredContext<'env' | 'signal'>): Promise<FixedLines> {
    const reading = new FixedLinesReading()
    try {
      for await (const read of readRejects(path, context)) {
        if (read.reject === null) reading.problems.push({ lineNumber: read.lineNumber, message: read.problem })
        else reading.add(read.reject, read)
      }
    } catch (error) {
      throw toReadFailure(error, path)
    }
    if (reading.problems.length > 0) throw invalidLines(path, reading.problems)
    const fixed = new FixedLines(path, reading.bySource)
    if (fixed.count > 0) return fixed
    throw new CatalogueError('ROWS_INVALID', `${path}: expected lines whose raw was changed, got none`, {
      fix: howToFix,
    })
  }

  of(source: string): ReadonlyMap<number, FixedLine> {
    return this.#bySource.get(source) ?? new Map()
  }

  /** Throws ROWS_INVALID for lines that `isKnown` says there are none of. */
  check(isKnown: (source: string, line: FixedLine) => boolean, expected: string): void {
    const problems: FixedLineProblem[] = []
    for (const [source, lines] of this.#bySource)
      for (const line of lines.values())
        if (!isKnown(source, line))
          problems.push({
            lineNumber: line.lineNumber,
            message: `expected ${expected}, got ${source}, line ${line.line}`,
          })
    if (problems.length > 0) throw invalidLines(this.path, problems)
  }

  /** Opens the file of corrections; the reader gives their texts. */
  openTexts(): FixedTexts {
    return new FixedTexts(this.path)
  }
}

/** Reads corrected texts where they stand in their file. */
export class FixedTexts {
  readonly #path: string
  readonly #file: number

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'r')
  }

  /** Throws SOURCE_CHANGED where the file is another one than before. */
  read({ line, lineNumber, span }: FixedLine): string {
    const bytes = Buffer.allocUnsafe(span.bytes)
    const count = readSync(this.#file, bytes, 0, span.bytes, span.start)
    const value = count === span.bytes ? parseJson(bytes.toString()) : null
    if (isObject(value) && value['line'] === line && typeof value['raw'] === 'string') return value['raw']
    const message = `${this.#path}, line ${lineNumber}: expected the file as it was when the run began, got another one`
    throw new CatalogueError('SOURCE_CHANGED', message)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Takes the lines of a file of corrections one by one. */
class FixedLinesReading {
  readonly bySource = new Map<string, Map<number, FixedLine>>()
  readonly problems: FixedLineProblem[] = []
  readonly #seen = new Map<string, Map<number, number>>()

  add(reject: RejectsFileLine, { lineNumber, span }: Pick<FixedLine, 'lineNumber' | 'span'>): void {
    const message = this.#findRepeat(reject, lineNumber) ?? findProblem(reject)
    if (message !== null) this.problems.push({ lineNumber, message })
    else if (isChanged(reject)) this.#keep(reject, { lineNumber, span })
  }

  #findRepeat({ source, line }: RejectsFileLine, lineNumber: number): string | null {
    const lines = this.#seen.get(source) ?? new Map<number, number>()
    this.#seen.set(source, lines)
    const earlier = lines.get(line)
    if (earlier !== undefined) return `expected ${source}, line ${line} once, got it again after line ${earlier}`
    lines.set(line, lineNumber)
    return null
  }

  #keep({ source, line, byteOffset, sha256 }: RejectsFileLine, at: Pick<FixedLine, 'lineNumber' | 'span'>): void {
    const lines = this.bySource.get(source) ?? new Map<number, FixedLine>()
    this.bySource.set(source, lines)
    lines.set(line, { line, byteOffset, sha256, ...at })
  }
}

/** True where the text is no longer that of the line in the source. */
function isChanged(reject: RejectsFileLine): boolean {
  return hashRawText('raw' in reject ? { raw: reject.raw } : reject) !== reject.sha256
}

function findProblem(reject: RejectsFileLine): string | null {
  const { sha256 } = reject
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/.test(sha256))
    return 'sha256: expected that of the line in its source, as the rejects file has it, got none'
  if (!isChanged(reject)) return null
  if (!('raw' in reject)) return 'rawBase64: expected raw, the corrected line as text, in its place, got other bytes'
  if ('rawTruncated' in reject)
    return 'raw: expected the whole line without rawTruncated and rawBytes, got the beginning of one'
  if (/[\r\n]/.test(reject.raw)) return 'raw: expected one line, got a line break in it'
  if (!reject.raw.isWellFormed()) return 'raw: expected text, got half a character (a lone surrogate)'
  if (reject.raw.trim() === '')
    return 'raw: expected a record, got an empty line: leave the line out, and it stays rejected'
  return null
}

function invalidLines(path: string, problems: readonly FixedLineProblem[]): CatalogueError {
  const shown = problems.slice(0, mostShown).map(({ lineNumber, message }) => `\n  line ${lineNumber}: ${message}`)
  const more = problems.length > mostShown ? [`\n  … ${problems.length - mostShown} more`] : []
  const message = `${path}: expected corrected lines, got ${countProblems(problems)}:${[...shown, ...more].join('')}`
  return new CatalogueError('ROWS_INVALID', message)
}

const mostShown = 20

const howToFix =
  'Copy the rejects file, correct `raw` of its lines, leave their other members as they are, and give the copy.'

function toReadFailure(error: unknown, path: string): unknown {
  if (!(error instanceof CatalogueError) || error.code !== 'SOURCE_NOT_FOUND') return error
  const message = `${path}: expected a file of corrected lines, got no file`
  return new CatalogueError('SOURCE_NOT_FOUND', message, { cause: error.cause, fix: howToFix })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
