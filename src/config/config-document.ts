import { access, readFile, stat } from 'node:fs/promises'
import { join, extname } from 'node:path'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { CatalogueError, isError } from '../errors.ts'
import { toExcerpt } from './document/excerpt.ts'
import type { Problem } from './problem.ts'
import { findRedactedRanges } from './document/redacted-ranges.ts'
import { listYamlProblems } from './document/yaml-problems.ts'

/** A config as it was read, with the way back from a value to its place in the text. */
export interface ConfigDocument {
  /** The path as it was given. */
  readonly file: string
  /** Null if the text could not be understood. */
  readonly value: unknown
  readonly isUnderstood: boolean
  /** Faults of the text itself. */
  readonly problems: readonly LocatedProblem[]
  /** The problem with its place in the text; without one for modules, which are code. */
  readonly locate: (problem: Problem) => LocatedProblem
}

export interface LocatedProblem extends Problem {
  readonly file: string
  /** 1-based. */
  readonly line?: number
  readonly column?: number
  /** The line of the text, without credentials, and cut if it is long. */
  readonly excerpt?: string
  /** 0-based place in the excerpt. */
  readonly mark?: number
}

/** Reads a YAML or JSON file, or a module whose default export is the config. Throws CONFIG_UNREADABLE. */
export async function readConfigDocument(file: string): Promise<ConfigDocument> {
  return isModule(file) ? readModule(file) : parseConfigText(file, await readText(file))
}

/** Parses the text of a YAML or JSON config; `file` is for messages. */
export function parseConfigText(file: string, text: string): ConfigDocument {
  const lineCounter = new LineCounter()
  const options = { lineCounter, prettyErrors: false, merge: true, stringKeys: true, logLevel: 'error' } as const
  const document = parseDocument(text, options)
  const redactedRanges = findRedactedRanges(text, document)
  const at = (offset: number): Pick<LocatedProblem, 'line' | 'column' | 'excerpt' | 'mark'> => {
    const { line, col } = lineCounter.linePos(offset)
    const excerpt = toExcerpt(text, offset, redactedRanges)
    return { line, column: col, excerpt: excerpt.text, mark: excerpt.mark }
  }
  const problems = listYamlProblems(document, (offset) => lineCounter.linePos(offset).line)
  const located = problems.map(({ message, offset }) => ({ file, path: [], message, ...at(offset) }))
  const locate = (problem: Problem): LocatedProblem => ({ ...problem, file, ...at(findOffset(document, problem)) })
  const notUnderstood = { file, value: null, isUnderstood: false, locate }
  if (problems.some(({ isMinor }) => !isMinor)) return { ...notUnderstood, problems: located }
  try {
    return { file, value: document.toJS(), isUnderstood: true, problems: located, locate }
  } catch {
    const tooMany = locate({ path: [], message: 'the aliases (*…) repeat far more text than a config has' })
    return { ...notUnderstood, problems: [...located, tooMany] }
  }
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer
  try {
    const { size } = await stat(file)
    if (size > mostBytes) throw tooLarge(file, size)
    bytes = await readFile(file)
  } catch (error) {
    throw error instanceof CatalogueError ? error : unreadable(file, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const message = `${file}: expected UTF-8 text, got other bytes: save the file as UTF-8`
    throw new CatalogueError('CONFIG_UNREADABLE', message, { cause: error })
  }
}

async function readModule(file: string): Promise<ConfigDocument> {
  const locate = (problem: Problem): LocatedProblem => ({ ...problem, file })
  try {
    await access(file)
    const { importModule } = await import('./import-module.ts')
    const value = defaultOf(await importModule(file))
    if (value !== undefined) return { file, value, isUnderstood: true, problems: [], locate }
  } catch (error) {
    throw error instanceof CatalogueError ? error : unreadable(file, error)
  }
  const problem = locate({ path: [], message: 'expected a default export, such as definePipeline({…}), got none' })
  return { file, value: null, isUnderstood: false, problems: [problem], locate }
}

/** Parsing data as a config would take minutes, and gigabytes. */
function tooLarge(file: string, size: number): CatalogueError {
  const got = `${Math.ceil(size / 2 ** 20)} MiB`
  const advice = 'name the config; data is what its `source.files`, or `run CONFIG --from FILE`, says'
  return new CatalogueError('CONFIG_UNREADABLE', `${file}: expected a config of at most 4 MiB, got ${got}: ${advice}`)
}

const mostBytes = 4 * 1024 * 1024

function unreadable(file: string, cause: unknown): CatalogueError {
  const error: NodeJS.ErrnoException = isError(cause) ? cause : new Error(String(cause))
  const { syscall, code = '', message } = error
  const reason = syscall === undefined ? undefined : reasons[code]?.(file)
  return new CatalogueError('CONFIG_UNREADABLE', `${file}: ${reason ?? toReason(message)}`, { cause })
}

const reasons: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: () => 'expected a config file, got nothing there',
  EISDIR: (file) => `expected a config file, got a folder (use ${join(file, '*.yaml')})`,
  EACCES: () => 'expected a config file, got one that may not be read (no permission)',
}

/** The message of what a module threw, on one line. */
function toReason(message: string): string {
  const [said = ''] = message.split('Require stack:')
  return `expected a readable config, got: ${said.trim().replaceAll(/\s+/g, ' ')}`
}

/** The offset of the problem's key or value; for a path that is not there, of the nearest part that is. */
function findOffset(document: Document.Parsed, { path, atKey }: Problem): number {
  let node: Node | null | undefined = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1
    const entered: Node | null | undefined = isAlias(node) ? node.resolve(document) : node
    if (isMap(entered)) {
      const pair = findPair(document, entered, String(step))
      if (pair === undefined) return offset
      offset = pair.key.range?.[0] ?? offset
      if (isLast && atKey) return offset
      node = pair.value
    } else if (isSeq(entered)) {
      const item: unknown = entered.items[Number(step)]
      if (item === undefined) return offset
      node = item as Node
    } else return offset
    offset = node?.range?.[0] ?? offset
  }
  return offset
}

interface FoundPair {
  readonly key: Node
  readonly value: Node | null
}

/** The pair of a key, of several the last one, which counts; also one that came with a merge key. */
function findPair(document: Document.Parsed, map: YAMLMap, key: string): FoundPair | undefined {
  const named = (name: string) => map.items.findLast((item) => isScalar(item.key) && String(item.key.value) === name)
  const own = named(key)
  if (own !== undefined) return own as FoundPair
  const merged = named('<<')?.value
  const sources = (isSeq(merged) ? merged.items : [merged]).map((node) =>
    isAlias(node) ? node.resolve(document) : node,
  )
  for (const source of sources) {
    const found = isMap(source) ? findPair(document, source, key) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const extensions = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'])

function isModule(file: string): boolean {
  return extensions.has(extname(file))
}

/** The default export of a module, or its `module.exports`; undefined without one. */
function defaultOf(module: object): unknown {
  if ('default' in module) return module.default
  const isEsModule = '__esModule' in module || Object.prototype.toString.call(module) === '[object Module]'
  return isEsModule || Object.keys(module).length === 0 ? undefined : module
}
