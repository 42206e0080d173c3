import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml'
import type { Problem } from './problem.ts'

/** Where the problem's key or value begins; for a path that is not there, the nearest part that is. */
export function findOffset(document: Document.Parsed, { path, atKey }: Problem): number {
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
