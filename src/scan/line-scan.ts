import { loadScan, type ScanModule } from './load-scan.ts'
import { lineAccepted, scopeLineEnd } from './program/node-layout.ts'
import type { ScanSpace, ScanTree } from './open-scan.ts'
import { placeBytes } from './place-bytes.ts'
import { OutOfRoom, ScanMemory } from './scan-memory.ts'

/**
 * A memory that holds one line at a time, with the index of its structure: whoever asks about the line one after the other,
 * each with a tree of their own, shares what it costs to find that structure.
 */
export class LineScan {
  readonly #memory = new ScanMemory()
  readonly #module: ScanModule = loadScan(this.#memory)
  /** The line in the memory. */
  #line: Buffer | null = null
  #place: ReturnType<typeof placeBytes> | null = null

  /** For a tree that walks over these lines. */
  openSpace(): ScanSpace {
    return { memory: this.#memory.share(), module: this.#module }
  }

  /**
   * Whether the line, which is valid UTF-8 without its line break, surely is what the tree expects: then its cells are
   * written. A line must stay as it is once it was asked about.
   */
  accepts(tree: ScanTree, line: Buffer): boolean {
    if (line.length > mostBytes) return false
    const place = line === this.#line ? this.#place : this.#enter(line)
    if (place === null) return false
    const { tables, memory, scope } = tree
    return this.withRoom(tree, () => {
      tables.restart()
      this.#module.beginWalk(scope, place.bytes, place.index, place.escapes)
      const verdict = this.#module.walkLine()
      if (verdict < 0) throw new OutOfRoom(tables.regionOf(-1 - verdict))
      // A line break within the line, which is white space to JSON, ends it for the walk.
      return verdict === lineAccepted && memory.words[(scope + scopeLineEnd) >> 2] === place.end
    })
  }

  /** Does what writes cells of the tree, and again in a larger region whenever there was no room. */
  withRoom<Result>({ tables, memory }: ScanTree, write: () => Result): Result {
    for (;;) {
      try {
        return write()
      } catch (error) {
        if (!(error instanceof OutOfRoom)) throw error
        memory.reserve(error.region, memory.capacity(error.region) * 2)
        tables.clear()
      }
    }
  }

  #enter(line: Buffer): ReturnType<typeof placeBytes> | null {
    const place = placeBytes(this.#memory, line)
    const { bytes, index, escapes, indexedBytes } = place
    // A control character in a string hides the structure.
    const isIndexed = this.#module.scan(bytes, indexedBytes, index, escapes) === indexedBytes
    this.#line = line
    this.#place = isIndexed ? place : null
    return this.#place
  }
}

/** The memory never gets smaller, and takes seven times the longest line. */
const mostBytes = 1024 * 1024
