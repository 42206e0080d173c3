import { isAlias, isCollection, isMap, isPair, isScalar, type Document, type Node, type Pair } from 'yaml'
import { assignment, isCredential, userInfo } from '../credentials.ts'

/** Characters of a text, from the first to before the last. */
export type TextRange = readonly [from: number, until: number]

/**
 * The parts of a config's text that no excerpt may show: values of credentials, in any place and however they
 * are written. `${NAME}` alone is no secret and stays. Text that is no YAML is judged by its looks, rather too strictly.
 */
export function findRedactedRanges(text: string, document: Document.Parsed): readonly TextRange[] {
  const ranges: TextRange[] = []
  const addPair = ({ key, value }: Pair<Node, Node | null>): void => {
    if (!key.range || !value?.range) return
    const from = key.range[1] + (/^\s*:\s*/.exec(text.slice(key.range[1]))?.[0].length ?? 0)
    const until = value.range[0] + text.slice(value.range[0], value.range[2]).trimEnd().length
    if (!variableOnly.test(text.slice(from, until))) ranges.push([from, Math.max(from, until)])
    const anchored = isAlias(value) ? value.resolve(document) : undefined
    if (anchored?.range) ranges.push([anchored.range[0], anchored.range[1]])
  }
  const walk = (node: unknown): void => {
    if (isPair<Node, Node | null>(node)) {
      const name = isScalar(node.key) ? String(node.key.value) : ''
      if (isCredential(name)) addPair(node)
      walk(node.key)
      walk(node.value)
    } else if (isCollection(node)) for (const item of node.items) walk(item)
  }
  for (const item of isMap(document.contents) ? document.contents.items : []) if (!isTables(item)) walk(item)
  if (!isMap(document.contents)) walk(document.contents)
  if (document.errors.length > 0) ranges.push(...findByLooks(text))
  return [...ranges, ...findInText(text, assignment), ...findInText(text, userInfo)].toSorted(([a], [b]) => a - b)
}

/** Tables may have any name. */
function isTables({ key }: Pair): boolean {
  return isScalar(key) && key.value === 'tables'
}

/** The second part of what a pattern finds. */
function findInText(text: string, pattern: RegExp): TextRange[] {
  return [...text.matchAll(pattern)].map(({ index, 1: before = '', 2: secret = '' }) => [
    index + before.length,
    index + before.length + secret.length,
  ])
}

/** From every word that looks like the key of a credential to where its value may end at the latest. */
function findByLooks(text: string): TextRange[] {
  return [...text.matchAll(/[A-Za-z][\w-]*/g)].flatMap(({ index, 0: word }): TextRange[] => {
    if (!isCredential(word)) return []
    const from = index + word.length + (/^["']?\s*[:=]?\s*/.exec(text.slice(index + word.length))?.[0].length ?? 0)
    if (/^\$\{\w+\}\s*(?:[,}\n]|$)/.test(text.slice(from))) return []
    return [[from, lineEnd(text, Math.max(quotedEnd(text, from), indentedEnd(text, index, from)))]]
  })
}

/** The end of text that begins with a quote: its closing quote, or the end of all text. */
function quotedEnd(text: string, from: number): number {
  const quote = text[from]
  if (quote !== '"' && quote !== "'") return from
  const closing = quote === '"' ? /(?<!\\)(?:\\\\)*"/g : /'/g
  closing.lastIndex = from + 1
  return closing.exec(text)?.index ?? text.length
}

/** The end of the lines below that are indented further than the line of the key. */
function indentedEnd(text: string, key: number, from: number): number {
  const lineStart = text.lastIndexOf('\n', key) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0].length ?? 0
  let end = lineEnd(text, from)
  while (end < text.length) {
    const next = text.slice(end + 1, lineEnd(text, end + 1))
    if (next.trim() !== '' && next.search(/\S/) <= indent) break
    end = lineEnd(text, end + 1)
  }
  return end
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

const variableOnly = /^["']?\$\{\w+\}["']?$/
