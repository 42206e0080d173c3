import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { endpoints, isEndpointName } from '../../service/endpoints/endpoints.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { readIdEntries, toIdText } from '../../records/id-entries.ts'
import type { Reject } from '../../records/reject.ts'
import type { PublishedState } from '../../manifest/manifest.ts'

export interface StaleRecordsOptions {
  /** The stale ids of earlier runs that this run keeps; none if it reads everything. */
  readonly known: readonly string[]
  /** The known ids that this run asks for. */
  readonly asked: readonly string[]
}

export interface StaleEnd {
  readonly ids: readonly string[]
  readonly linesWithoutId: number
  /** Ids that were asked for and did not come: those records no longer exist. */
  readonly gone: readonly string[]
}

/**
 * Tracks the records of which the outputs hold an older version, or none, as the current one was rejected: records with
 * a reject in this run, and known ones that came neither valid nor at all. A valid line beside a reject proves nothing:
 * it may be an older version.
 */
export class StaleRecords {
  readonly #known: ReadonlySet<string>
  /** Known ids without a valid line so far. */
  readonly #unresolved: Set<string>
  readonly #awaited: Set<string>
  readonly #rejected = new Set<string>()
  #linesWithoutId = 0
  #repeatedRejects = 0

  constructor({ known, asked }: StaleRecordsOptions) {
    this.#known = new Set(known)
    this.#unresolved = new Set(known)
    this.#awaited = new Set(asked)
  }

  /** Rejected lines of records that were stale before. */
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
   * `isRefused` says that the service did not answer for the ids that were asked for. A line whose id can't be read may
   * be any of them: if there is one, no record is known to be gone.
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

/** Stale records as the state stores them, and why they require the next run to read everything. */
export interface StaleState {
  readonly stale: NonNullable<PublishedState['stale']>
  readonly needsFull: string | null
}

/** The most ids that are remembered: ten requests. */
const mostStaleIds = 10_000

/**
 * The next run asks for stale records by their ids. If that is impossible, or there are too many of them, it reads
 * everything. `refused` says that the service did not answer such a request.
 */
export function toStaleState(source: SourcePlan, { ids, linesWithoutId }: StaleEnd, refused: boolean): StaleState {
  const records = ids.length + linesWithoutId
  // Files are read whole every time.
  if (source.kind === 'files') return { stale: { records, ids: [] }, needsFull: null }
  const needsFull = explainFull(source.endpoint, ids, linesWithoutId, refused)
  return { stale: { records, ids: needsFull === null ? [...ids] : [] }, needsFull }
}

function explainFull(
  endpointName: string,
  ids: readonly string[],
  linesWithoutId: number,
  refused: boolean,
): string | null {
  if (linesWithoutId > 0)
    return `the last run had ${linesWithoutId} rejected ${linesWithoutId === 1 ? 'line' : 'lines'} whose id can't be read`
  if (ids.length > mostStaleIds)
    return `the last run left ${ids.length} records that were rejected, more than ${mostStaleIds}`
  const unaskable = ids.filter((id) => !canAskFor(endpointName, id)).length
  if (unaskable > 0) return `${endpointName} can't be asked for ${unaskable} of the records that were rejected`
  if (refused && ids.length > 0) return 'the service refused to be asked for records by their ids'
  return null
}

/** Asks only if the specification has the filter `id`, and for ids that it accepts: others might be refused. */
function canAskFor(endpointName: string, id: string): boolean {
  if (!isEndpointName(endpointName)) return false
  const { asksById, filters }: Endpoint = endpoints[endpointName]
  return asksById === true && filters['id']?.schema.safeParse(id).success === true
}
