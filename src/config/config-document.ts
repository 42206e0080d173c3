import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { CatalogueError } from '../errors.ts'
import type { Problem } from './problem.ts'

/** A config as it was read, with the way back from a value to its place in the text. */
export interface ConfigDocument {
  /** The path as it was given. */
  readonly file: string
  readonly value: unknown
  /** What is wrong with the text itself. */
  readonly problems: readonly LocatedProblem[]
  /** The problem with its place in the text; without one for modules, which are code. */
  readonly locate: (problem: Problem) => LocatedProblem
}

export interface LocatedProblem extends Problem {
  readonly file: string
  /** 1-based. */
  readonly line?: number
  readonly column?: number
  /** The line of the text, with secrets left out. */
  readonly excerpt?: string
}

const moduleExtensions = new Set(['.ts', '.mts', '.js', '.mjs'])

/** Reads a YAML or JSON file, or a module whose default export is the config. Throws CONFIG_UNREADABLE. */
export async function readConfigDocument(file: string): Promise<ConfigDocument> {
  if (moduleExtensions.has(extname(file))) return readModule(file)
  try {
    return parseConfigText(file, await readFile(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** The same for text that is at hand; `file` is for messages. */
export function parseConfigText(file: string, text: string): ConfigDocument {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const lines = text.split(/\r?\n/)
  const at = (offset: number): Pick<LocatedProblem, 'line' | 'column' | 'excerpt'> => {
    const { line, col } = lineCounter.linePos(offset)
    return { line, column: col, excerpt: withoutSecret(lines[line - 1] ?? '') }
  }
  const problems = document.errors.map(({ message, pos }) => ({
    file,
    path: [],
    message: `not valid YAML: ${message}`,
    ...at(pos[0]),
  }))
  return {
    file,
    value: problems.length === 0 ? document.toJS() : null,
    problems,
    locate: (problem) => ({ ...problem, file, ...at(offsetOf(document, problem)) }),
  }
}

async function readModule(file: string): Promise<ConfigDocument> {
  const { createJiti } = await import('jiti')
  let module: { default?: unknown }
  try {
    module = await createJiti(import.meta.url).import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    throw unreadable(file, error)
  }
  const locate = (problem: Problem): LocatedProblem => ({ ...problem, file })
  const problems =
    module.default === undefined ? [locate({ path: [], message: 'expected a default export, got none' })] : []
  return { file, value: module.default ?? null, problems, locate }
}

function unreadable(file: string, cause: unknown): CatalogueError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CatalogueError('CONFIG_UNREADABLE', `${file}: expected a readable config, got: ${reason}`, { cause })
}

/** Where the problem's key or value begins; for a path that is not there, the nearest part that is. */
function offsetOf(document: Document.Parsed, { path, atKey }: Problem): number {
  let node: Node | null = document.contents
  let offset = 0
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      )
      if (pair === undefined) return offset
      const key = pair.key as Node
      offset = key.range?.[0] ?? offset
      if (isLast && atKey) return offset
      node = pair.value as Node | null
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)]
      if (item === undefined) return offset
      node = item as Node
    } else return offset
    offset = node?.range?.[0] ?? offset
  }
  return offset
}

/** The text of the line with the value of a credential blanked out. */
function withoutSecret(line: string): string {
  return line.replace(/((?:keyId|keySecret|password)["']?\s*:\s*)(?!\$\{)\S.*/i, '$1***')
}
