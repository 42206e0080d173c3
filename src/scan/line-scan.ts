import { loadScan, type ScanModule } from './load-scan.ts'
import { lineAccepted, scopeLineEnd } from './node-layout.ts'
import type { ScanSpace, ScanTree } from './open-scan.ts'
import { placeBytes } from './place-bytes.ts'
import { ScanMemory } from './scan-memory.ts'

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
    for (;;) {
      tables.restart()
      this.#module.beginWalk(scope, place.bytes, place.index, place.escapes)
      const verdict = this.#module.walkLine()
      // A line break within the line, which is white space to JSON, ends it for the walk.
      if (verdict >= 0) return verdict === lineAccepted && memory.words[(scope + scopeLineEnd) >> 2] === place.end
      const region = tables.regionOf(-1 - verdict)
      memory.reserve(region, memory.capacity(region) * 2)
      tables.clear()
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
