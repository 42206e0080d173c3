import type { BlockOutcome } from '../records/block-outcome.ts'
import { readIdEntries, toIdText } from '../records/id-entries.ts'
import type { Reject } from '../records/reject.ts'

export interface StaleRecordsOptions {
  /** The ids that earlier runs left stale and that this run keeps in mind; none where it reads everything. */
  readonly known: readonly string[]
  /** Those of them that this run asks for. */
  readonly asked: readonly string[]
}

/** The records whose current version was rejected, at the end of a run. */
export interface StaleEnd {
  /** In order. */
  readonly ids: readonly string[]
  /** Lines of this run that were rejected, and whose id can't be read. */
  readonly linesWithoutId: number
  /** Ids that were asked for and did not come: those records are no longer there. */
  readonly gone: readonly string[]
}

/**
 * Follows the records whose last version, in the order of the lines, was rejected: the outputs hold an older one of them,
 * or none. A valid version that comes later ends that. Blocks are to be added in order.
 */
export class StaleRecords {
  /** By id: the line of the reject, where it is one of the block that is added, or -1. */
  readonly #stale: Map<string, number>
  readonly #known: ReadonlySet<string>
  readonly #awaited: Set<string>
  #linesWithoutId = 0
  #repeatedRejects = 0

  constructor({ known, asked }: StaleRecordsOptions) {
    this.#stale = new Map(known.map((id) => [id, -1]))
    this.#known = new Set(known)
    this.#awaited = new Set(asked)
  }

  /** How many lines were rejected of records that were stale before. */
  get repeatedRejects(): number {
    return this.#repeatedRejects
  }

  add({ rejects, ids }: Pick<BlockOutcome, 'rejects' | 'ids'>): void {
    const rejected = rejects.filter((reject) => !isRepeat(reject))
    for (const { id, lineInBlock } of rejected) this.#addReject(id, lineInBlock)
    if (this.#stale.size === 0 && this.#awaited.size === 0) return
    for (const { bytes, lineInBlock } of readIdEntries(ids)) {
      const id = toIdText(bytes)
      this.#awaited.delete(id)
      if ((this.#stale.get(id) ?? lineInBlock) < lineInBlock) this.#stale.delete(id)
    }
    for (const { id } of rejected) if (id !== null && this.#stale.has(id)) this.#stale.set(id, -1)
  }

  /** `isRefused` says that the service did not answer for the ids that were asked for. */
  end(isRefused: boolean): StaleEnd {
    const gone = isRefused ? [] : [...this.#awaited]
    for (const id of gone) this.#stale.delete(id)
    return { ids: [...this.#stale.keys()].toSorted(), linesWithoutId: this.#linesWithoutId, gone }
  }

  #addReject(id: string | null, lineInBlock: number): void {
    if (id === null) {
      this.#linesWithoutId++
      return
    }
    if (this.#known.has(id)) this.#repeatedRejects++
    this.#awaited.delete(id)
    this.#stale.set(id, lineInBlock)
  }
}

/** `duplicates: reject` refuses the line, while another one of the record is taken. */
function isRepeat({ issues }: Reject): boolean {
  return issues[0]?.code === 'duplicate_id'
}
