import { closeSync, openSync, readSync } from 'node:fs'
import { CatalogueError } from '../../errors.ts'
import { countOf } from '../../text/format-count.ts'
import { isObject } from '../../records/json/json-values.ts'
import { tryJson } from '../../manifest/try-json.ts'
import { hashRawText, type RejectsFileLine } from '../../records/reject.ts'
import type { RequiredContext } from '../../run-context.ts'
import { type LocalFile, toLocalFile } from '../../storage/to-local-file.ts'
import { readRejects } from './read-rejects.ts'

/** A corrected line, and the line of a source that it replaces. Its text stays in the file until it is needed. */
export interface FixedLine {
  readonly line: number
  readonly byteOffset: number | null
  /** The hash of the line in the source. */
  readonly sha256: string
  readonly path: string
  /** The number of the line in the file of corrections. */
  readonly lineNumber: number
  readonly span: { readonly start: number; readonly bytes: number }
}

export interface FixedLineProblem {
  readonly lineNumber: number
  readonly message: string
}

type Context = RequiredContext<'env' | 'signal'>

export class FixedLines {
  /** The paths of the files, joined for messages and reports. */
  readonly path: string
  readonly count: number
  readonly #bySource: LinesBySource
  readonly #files: FixedFiles

  private constructor(bySource: LinesBySource, files: FixedFiles) {
    const lines = [...bySource.values()].flatMap((each) => [...each.values()])
    this.path = [...new Set(lines.map(({ path }) => path))].join(', ')
    this.count = lines.length
    this.#bySource = bySource
    this.#files = files
  }

  /**
   * Reads the corrections of all files, and those of `kept`, the file of earlier corrections, for lines that no file
   * corrects. Throws ROWS_INVALID with all problems of a file, SOURCE_NOT_FOUND, SOURCE_FAILED, INTERRUPTED.
   */
  static async read(paths: readonly string[], kept: string | null, context: Context): Promise<FixedLines> {
    const given = new FixedLinesReading()
    for (const path of new Set(paths)) await given.read(path, context)
    if (given.bySource.size === 0) {
      const message = `${paths.join(', ')}: expected lines whose raw was changed, got none`
      throw new CatalogueError('ROWS_INVALID', message, { fix: howToFix })
    }
    const earlier = new FixedLinesReading()
    if (kept !== null) await earlier.read(kept, context)
    const bySource = joinLines(earlier.bySource, given.bySource)
    return new FixedLines(bySource, await FixedFiles.open(bySource, context))
  }

  of(source: string): ReadonlyMap<number, FixedLine> {
    return this.#bySource.get(source) ?? new Map()
  }

  /** Throws ROWS_INVALID for corrections that `isKnown` does not accept. */
  check(isKnown: (source: string, line: FixedLine) => boolean, expected: string): void {
    const unknown = [...this.#bySource].flatMap(([source, lines]) =>
      [...lines.values()].flatMap((line) => (isKnown(source, line) ? [] : [{ source, ...line }])),
    )
    const [first] = unknown
    if (first === undefined) return
    const problems = unknown
      .filter(({ path }) => path === first.path)
      .map(({ lineNumber, source, line }) => ({
        lineNumber,
        message: `expected ${expected}, got ${source}, line ${line}`,
      }))
    throw invalidLines(first.path, problems)
  }

  openTexts(): FixedTexts {
    return new FixedTexts(this.#files)
  }

  /** The corrections as the lines of one file, by source and line. */
  *lines(): Generator<Buffer> {
    const texts = this.openTexts()
    try {
      for (const source of [...this.#bySource.keys()].toSorted()) {
        const lines = [...this.of(source).values()].toSorted((one, other) => one.line - other.line)
        for (const line of lines) yield Buffer.concat([texts.readLine(line), newline])
      }
    } finally {
      texts.close()
    }
  }

  /** Removes local copies of files in a bucket. */
  close(): Promise<void> {
    return this.#files.remove()
  }
}

const newline = Buffer.from('\n')

type LinesBySource = ReadonlyMap<string, ReadonlyMap<number, FixedLine>>

/** The later correction of a line counts. */
function joinLines(earlier: LinesBySource, later: LinesBySource): LinesBySource {
  const sources = [...new Set([...earlier.keys(), ...later.keys()])]
  return new Map(
    sources.map((source) => [source, new Map([...(earlier.get(source) ?? []), ...(later.get(source) ?? [])])]),
  )
}

class FixedFiles {
  readonly #local: ReadonlyMap<string, LocalFile>

  private constructor(local: ReadonlyMap<string, LocalFile>) {
    this.#local = local
  }

  static async open(bySource: LinesBySource, { env }: RequiredContext<'env'>): Promise<FixedFiles> {
    const local = new Map<string, LocalFile>()
    for (const lines of bySource.values())
      for (const { path } of lines.values()) if (!local.has(path)) local.set(path, await toLocalFile(path, env))
    return new FixedFiles(local)
  }

  openFile(path: string): number {
    return openSync(this.#local.get(path)?.localPath ?? path, 'r')
  }

  async remove(): Promise<void> {
    for (const { remove } of this.#local.values()) await remove()
  }
}

export class FixedTexts {
  readonly #files: FixedFiles
  readonly #open = new Map<string, number>()

  constructor(files: FixedFiles) {
    this.#files = files
  }

  /** The corrected line. Throws SOURCE_CHANGED if its file was changed meanwhile. */
  read(fixed: FixedLine): string {
    const value = tryJson(this.#readBytes(fixed))
    if (isObject(value) && value['line'] === fixed.line && typeof value['raw'] === 'string') return value['raw']
    const message = `${fixed.path}, line ${fixed.lineNumber}: expected the file as it was when the run began, got another one`
    throw new CatalogueError('SOURCE_CHANGED', message)
  }

  /** The whole line of the file of corrections. Throws SOURCE_CHANGED. */
  readLine(fixed: FixedLine): Buffer {
    this.read(fixed)
    return this.#readBytes(fixed)
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
  }

  #readBytes({ path, span }: FixedLine): Buffer {
    const file = this.#open.get(path) ?? this.#files.openFile(path)
    this.#open.set(path, file)
    const bytes = Buffer.alloc(span.bytes)
    readSync(file, bytes, 0, span.bytes, span.start)
    return bytes
  }
}

class FixedLinesReading {
  readonly bySource = new Map<string, Map<number, FixedLine>>()
  readonly #hashes = new Map<FixedLine, string>()

  /** Throws ROWS_INVALID with all problems of the file. */
  async read(path: string, context: Context): Promise<void> {
    const problems: FixedLineProblem[] = []
    const seen = new Map<string, number>()
    try {
      for await (const { reject, problem, lineNumber, span } of readRejects(path, context)) {
        const message =
          reject === null
            ? problem
            : (findRepeat(reject, lineNumber, seen) ??
              findProblem(reject) ??
              this.#add(reject, { path, lineNumber, span }))
        if (message !== null) problems.push({ lineNumber, message })
      }
    } catch (error) {
      throw toReadFailure(error, path)
    }
    if (problems.length > 0) throw invalidLines(path, problems)
  }

  /** The problem with a correction that contradicts one in another file; null if there is none. */
  #add(reject: RejectsFileLine, at: Pick<FixedLine, 'path' | 'lineNumber' | 'span'>): string | null {
    if (!isChanged(reject)) return null
    const { source, line, byteOffset, sha256 } = reject
    const lines = this.bySource.get(source) ?? new Map<number, FixedLine>()
    this.bySource.set(source, lines)
    const hash = hashOf(reject)
    const earlier = lines.get(line)
    if (earlier === undefined) {
      const fixed = { line, byteOffset, sha256, ...at }
      lines.set(line, fixed)
      this.#hashes.set(fixed, hash)
    } else if (this.#hashes.get(earlier) !== hash) {
      return `expected one correction of ${source}, line ${line}, got another one than ${earlier.path}, line ${earlier.lineNumber}`
    }
    return null
  }
}

function findRepeat({ source, line }: RejectsFileLine, lineNumber: number, seen: Map<string, number>): string | null {
  const key = `${line} ${source}`
  const earlier = seen.get(key)
  if (earlier !== undefined) return `expected ${source}, line ${line} once, got it again after line ${earlier}`
  seen.set(key, lineNumber)
  return null
}

function isChanged(reject: RejectsFileLine): boolean {
  return hashOf(reject) !== reject.sha256
}

function hashOf(reject: RejectsFileLine): string {
  return hashRawText('raw' in reject ? { raw: reject.raw } : reject)
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
  const message = `${path}: expected corrected lines, got ${countOf(problems.length, 'problem')}:${[...shown, ...more].join('')}`
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
