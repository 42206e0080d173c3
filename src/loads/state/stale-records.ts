import type { BlockOutcome } from '../../records/block-outcome.ts'
import { readIdEntries, toIdText } from '../../records/id-entries.ts'
import type { Reject } from '../../records/reject.ts'

export interface StaleRecordsOptions {
  /** The ids that earlier runs left stale and that this run keeps in mind; none where it reads everything. */
  readonly known: readonly string[]
  /** Those of them that this run asks for. */
  readonly asked: readonly string[]
}

/** The stale records at the end of a run. */
export interface StaleEnd {
  /** In order. */
  readonly ids: readonly string[]
  /** Lines of this run that were rejected, and whose id can't be read. */
  readonly linesWithoutId: number
  /** Ids that were asked for and did not come: those records are no longer there. */
  readonly gone: readonly string[]
}

/**
 * Follows the records of which the outputs hold an older version, or none, as the current one was rejected: those with a
 * reject in this run, and those known before that came neither valid nor at all. A valid line beside a reject proves
 * nothing: it may be an older version.
 */
export class StaleRecords {
  readonly #known: ReadonlySet<string>
  /** Those known before that have not come valid. */
  readonly #unresolved: Set<string>
  /** Those asked for that have not come. */
  readonly #awaited: Set<string>
  readonly #rejected = new Set<string>()
  #linesWithoutId = 0
  #repeatedRejects = 0

  constructor({ known, asked }: StaleRecordsOptions) {
    this.#known = new Set(known)
    this.#unresolved = new Set(known)
    this.#awaited = new Set(asked)
  }

  /** How many lines were rejected of records that were stale before. */
  get repeatedRejects(): number {
    return this.#repeatedRejects
  }

  add({ rejects, ids }: Pick<BlockOutcome, 'rejects' | 'ids'>): void {
    for (const reject of rejects) if (!isRepeat(reject)) this.#addReject(reject)
    if (this.#unresolved.size === 0 && this.#awaited.size === 0) return
    for (const { bytes } of readIdEntries(ids)) {
      const id = toIdText(bytes)
      this.#awaited.delete(id)
      this.#unresolved.delete(id)
    }
  }

  /**
   * `isRefused` says that the service did not answer for the ids that were asked for. A line whose id can't be read may be
   * any of them: beside one, no record is known to be gone.
   */
  end(isRefused: boolean): StaleEnd {
    const gone = isRefused || this.#linesWithoutId > 0 ? [] : [...this.#awaited]
    for (const id of gone) this.#unresolved.delete(id)
    const ids = [...new Set([...this.#rejected, ...this.#unresolved])].toSorted()
    return { ids, linesWithoutId: this.#linesWithoutId, gone }
  }

  #addReject({ id }: Reject): void {
    if (id === null) {
      this.#linesWithoutId++
      return
    }
    if (this.#known.has(id)) this.#repeatedRejects++
    this.#awaited.delete(id)
    this.#rejected.add(id)
  }
}

/** `duplicates: reject` refuses the line, while another one of the record is taken. */
function isRepeat({ issues }: Reject): boolean {
  return issues[0]?.code === 'duplicate_id'
}
