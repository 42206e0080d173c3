type Range = [from: number, until: number]

/**
 * A set of indexes as disjoint ranges [from, until) in order. Memory grows with the gaps between them. Ranges are kept
 * in chunks, so that an insertion moves only its neighbours.
 */
export class IndexRanges {
  readonly #chunks: Range[][] = [[]]

  /** Adds the indexes from `from` to before `until`; returns those that it had already. */
  addRun(from: number, until: number): readonly number[] {
    const last = this.#chunks.at(-1)?.at(-1)
    if (last !== undefined && last[1] === from) {
      last[1] = until
      return []
    }
    const repeated: number[] = []
    for (let index = from; index < until; index++) if (!this.add(index)) repeated.push(index)
    return repeated
  }

  add(index: number): boolean {
    const chunkAt = Math.max(
      0,
      findLast(this.#chunks, (chunk) => (chunk[0]?.[0] ?? 0) <= index),
    )
    const chunk = this.#chunks[chunkAt] ?? []
    const at = findLast(chunk, ([from]) => from <= index)
    const range = chunk[at]
    if (range !== undefined && index < range[1]) return false
    const next = chunk[at + 1] ?? this.#chunks[chunkAt + 1]?.[0]
    const extendsRange = range !== undefined && range[1] === index
    const meetsNext = next !== undefined && next[0] === index + 1
    if (extendsRange && meetsNext) {
      range[1] = next[1]
      this.#removeAfter(chunkAt, at)
    } else if (extendsRange) range[1] = index + 1
    else if (meetsNext) next[0] = index
    else this.#insert(chunkAt, at + 1, [index, index + 1])
    return true
  }

  list(): readonly (readonly [from: number, until: number])[] {
    return this.#chunks.flat()
  }

  #insert(chunkAt: number, at: number, range: Range): void {
    const chunk = this.#chunks[chunkAt] ?? []
    chunk.splice(at, 0, range)
    if (chunk.length > longestChunk) this.#chunks.splice(chunkAt + 1, 0, chunk.splice(chunk.length >> 1))
  }

  #removeAfter(chunkAt: number, at: number): void {
    const chunk = this.#chunks[chunkAt] ?? []
    if (at + 1 < chunk.length) {
      chunk.splice(at + 1, 1)
      return
    }
    const following = this.#chunks[chunkAt + 1] ?? []
    following.shift()
    if (following.length === 0) this.#chunks.splice(chunkAt + 1, 1)
  }
}

const longestChunk = 1024

/** The position of the last item that passes; -1 if none does. All items that pass must come first. */
function findLast<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low - 1
}
