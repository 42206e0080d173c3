import type { IndexRun } from '../records/block-outcome.ts'
import { IndexRanges } from './index-ranges.ts'
import type { Completeness } from '../manifest/manifest.ts'
import { countOf, formatCount } from '../text/format-count.ts'

/** The metadata of a JSON document besides its records (specification: Endpoints, Conventions). */
export interface DocumentMeta {
  /** How many records match in all; null if not stated. */
  readonly total: number | null
  /** How many records come before the first one of the page. */
  readonly offset: number
}

/** What one block shows about the completeness of its stream: see `BlockOutcome`. */
export interface DeliveryEvidence {
  readonly indexes: readonly IndexRun[]
  readonly isCut: boolean
}

export const noLineReason = 'there is no line, and an empty result looks the same as a download that failed'

/** The service reports no higher total (specification: Limits, Reported total). */
export const totalCap = 10_000

/** The member of a stream that knows whether what it gives is whole: from the answers of the service, for instance. */
export const verdictOf = Symbol.for('catalogue-etl.completeness')

export interface Judged {
  /** The verdict once the stream has ended; null if it has none. */
  readonly [verdictOf]: () => Completeness | null
}

export interface DeliveryTracker {
  add(evidence: DeliveryEvidence): void
  addDocument(document: DocumentMeta, records: number): void
  finish(): Completeness
}

type Ranges = ReturnType<IndexRanges['list']>

/** Follows the indexes of one stream in the order of its lines. Memory grows with the gaps, not with the stream. */
export class CompletenessTracker implements DeliveryTracker {
  readonly #seen = new IndexRanges()
  readonly #totals: number[] = []
  #lines = 0
  #withoutIndex = 0
  /** Unreadable lines since the last line with an index: they may be the records that seem missing. */
  #pending = 0
  #last = -1
  #repeats = 0
  #firstRepeat: number | null = null
  #isCut = false
  /** A document gives its records their indexes, even if it has no records. */
  #isDocument = false

  add({ indexes, isCut }: DeliveryEvidence): void {
    for (const run of indexes) this.#addRun(run)
    if (isCut) this.#isCut = true
  }

  addDocument({ total, offset }: DocumentMeta, records: number): void {
    this.#isDocument = true
    if (records > 0) this.#addRun({ first: offset, total, count: records })
    else this.#addTotal(total)
  }

  finish(): Completeness {
    const total = this.#totals[0] ?? null
    if (total !== null && this.#last >= 0) this.#fill(total)
    const ranges = this.#seen.list()
    const incomplete = this.#findFaults(total, ranges)
    if (incomplete.length > 0) return { status: 'incomplete', reasons: incomplete, total }
    const unprovable = this.#findDoubts(total, ranges)
    return { status: unprovable.length > 0 ? 'unprovable' : 'proven', reasons: unprovable, total }
  }

  #addTotal(total: number | null): void {
    if (total === null || this.#totals.length > mostTotals) return
    if (this.#totals.at(-1) !== total) this.#totals.push(total)
  }

  #addRun({ first, total, count: lines }: IndexRun): void {
    this.#lines += lines
    this.#addTotal(total)
    if (first === null || first === 'unreadable') {
      this.#withoutIndex += lines
      if (first === 'unreadable') this.#pending += lines
      return
    }
    this.#fill(first)
    const repeats = this.#seen.addRun(first, first + lines)
    this.#repeats += repeats.length
    this.#firstRepeat ??= repeats[0] ?? null
    this.#last = first + lines - 1
  }

  /** Takes unreadable lines for the missing indexes at their position, if there are enough of them. */
  #fill(next: number): void {
    const missing = next - this.#last - 1
    if (missing > 0 && missing <= this.#pending) {
      for (let index = this.#last + 1; index < next; index++) if (this.#seen.add(index)) this.#withoutIndex--
    }
    this.#pending = 0
  }

  #findFaults(total: number | null, ranges: Ranges): string[] {
    const reasons: string[] = []
    if (this.#isCut) reasons.push('the last line is cut off')
    if (this.#totals.length > 1)
      reasons.push(`the total changed: ${this.#totals.slice(0, mostTotals).map(formatCount).join(', then ')}`)
    if (this.#repeats > 0)
      reasons.push(`${countOf(this.#repeats, 'index', 'indexes')} came twice, index ${this.#firstRepeat} first`)
    const end = ranges.at(-1)?.[1] ?? 0
    if (total !== null && total !== totalCap && end > total)
      reasons.push(`index ${end - 1} is beyond the total of ${formatCount(total)}`)
    if (total !== null && ranges.length === 0 && this.#lines !== total && !this.#isDocument)
      reasons.push(
        `the total is ${formatCount(total)}, but there ${this.#lines === 1 ? 'is 1 line' : `are ${formatCount(this.#lines)} lines`}`,
      )
    const gaps = this.#findGaps(total, ranges)
    if (gaps.length > 0) {
      const missing = gaps.reduce((sum, [from, until]) => sum + until - from, 0)
      const shown = gaps
        .slice(0, 3)
        .map(([from, until]) => (until - from === 1 ? `${from}` : `${from} to ${until - 1}`))
      reasons.push(
        `${countOf(missing, 'record is', 'records are')} missing, index ${shown.join(', ')}${gaps.length > 3 ? ', …' : ''}`,
      )
    }
    return reasons
  }

  #findGaps(total: number | null, ranges: Ranges): [number, number][] {
    if (ranges.length === 0 && !this.#isDocument) return []
    const starts = [...ranges.map(([from]) => from), ...(total === null ? [] : [total])]
    const ends = [0, ...ranges.map(([, until]) => until)]
    return starts.flatMap((from, at): [number, number][] => {
      const until = ends[at] ?? from
      return from > until ? [[until, from]] : []
    })
  }

  #findDoubts(total: number | null, ranges: Ranges): string[] {
    if (this.#lines === 0 && this.#isDocument && total === 0) return []
    if (this.#lines === 0) return [noLineReason]
    if (ranges.length === 0) return ['the lines carry no index']
    const reasons: string[] = []
    if (this.#withoutIndex > 0) reasons.push(`${countOf(this.#withoutIndex, 'line carries', 'lines carry')} no index`)
    if (total === null) reasons.push('nothing states a total')
    if (total === totalCap)
      reasons.push(`the total is ${formatCount(totalCap)}, above which the service does not count`)
    return reasons
  }
}

const mostTotals = 4

/** The verdict over several streams: the worst one, with every reason and the name of its stream. */
export function joinCompleteness(
  streams: readonly { readonly name: string; readonly completeness: Completeness }[],
): Completeness {
  const [only] = streams
  if (streams.length === 1 && only !== undefined) return only.completeness
  const worst = (['incomplete', 'unprovable'] as const).find((status) =>
    streams.some(({ completeness }) => completeness.status === status),
  )
  const totals = streams.map(({ completeness }) => completeness.total)
  return {
    status: worst ?? (streams.length === 0 ? 'unprovable' : 'proven'),
    reasons: streams.flatMap(({ name, completeness }) => completeness.reasons.map((reason) => `${name}: ${reason}`)),
    total: totals.includes(null) ? null : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
  }
}
