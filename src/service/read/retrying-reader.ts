import { CompletenessTracker } from '../../sources/completeness.ts'
import { CatalogueError } from '../../errors.ts'
import { Attempt } from './attempt.ts'
import { selectLines, unread, type BatchReader, type LineBatch, type ScannedLine } from './line-batch.ts'
import { isWorthRepeating } from './retry-read.ts'
import type { ReadLog } from './read-log.ts'
import type { ServiceClient } from '../http/service-client.ts'
import { DeliveredIndex } from './delivered-index.ts'
import type { Completeness } from '../../manifest/manifest.ts'

export interface RetryingReaderOptions {
  readonly name: string
  /** Sends the request and reads its answer from the start. It is called again after errors such as SOURCE_FAILED. */
  readonly open: (signal: AbortSignal) => AsyncIterable<LineBatch>
  readonly client: ServiceClient
  readonly log: ReadLog
  readonly incomplete: 'fail' | 'deliver'
  /**
   * Whether an id that comes twice in one attempt is a fault. It means that records moved between pages while they were
   * read, or that one replaced another, which is lost.
   */
  readonly idsAreUnique?: boolean
  /** Why only a part of the records was asked for; the request is not repeated for missing ones then. */
  readonly partialReason?: string | undefined
}

/**
 * Sends one request again from the start when its answer is cut off, stalls, holds an error line, has a gap, or ends
 * short, until one attempt is complete by itself. Every record is delivered once. Delivered records are recognized by
 * index and id, or by id alone once the result turns out to have changed. If a record has neither, the request is not
 * repeated.
 */
export class RetryingReader implements BatchReader {
  readonly #options: RetryingReaderOptions
  readonly #delivered = new DeliveredIndex()
  /** The places of delivered lines whose own index could not be read. */
  readonly #unreadable = new Set<number>()
  /** The gaps met so far. A gap that an attempt meets again is how the service delivers, and is accepted. */
  readonly #gaps = new Set<number>()
  #total: number | null = null
  #knownBy: 'index' | 'id' = 'index'
  #deliveredWithoutId = false
  /** True once a record was delivered that could not be recognized in another answer. */
  #deliveredUnknown = false
  #completeness: Completeness = unread

  constructor(options: RetryingReaderOptions) {
    this.#options = options
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *batches(signal: AbortSignal): AsyncGenerator<LineBatch> {
    const { client, log, incomplete } = this.#options
    for (let tries = 1; ; tries++) {
      const attempt = new Attempt(tries === 1, tries > client.retries, new CompletenessTracker())
      try {
        yield* this.#read(attempt, signal)
        return
      } catch (error) {
        if (!isWorthRepeating(error) || signal.aborted) throw error
        if (!attempt.isLast && !this.#deliveredUnknown) {
          log.repeated(error.message)
          await client.backOff(tries, signal, { reason: error.message })
          continue
        }
        if (incomplete === 'deliver' && error.code !== 'SOURCE_ERROR_LINE') {
          this.#completeness = { ...attempt.tracker.finish(), status: 'incomplete', reasons: [error.message] }
          return
        }
        const more = this.#deliveredUnknown ? notAgain : tries === 1 ? '' : ` (${tries} tries)`
        throw new CatalogueError(error.code, error.message + more, { cause: error.cause })
      }
    }
  }

  async *#read(attempt: Attempt, signal: AbortSignal): AsyncGenerator<LineBatch> {
    const { name, open, partialReason, log } = this.#options
    const deliveredBefore = this.#delivered.count
    for await (const batch of open(signal)) {
      const { fresh, fault } = this.#selectNew(batch, attempt)
      if (fresh.bytes.length > 0) yield fresh
      if (fault !== null) throw fault
    }
    const verdict = attempt.tracker.finish()
    this.#completeness =
      partialReason === undefined || verdict.status === 'proven'
        ? verdict
        : { ...verdict, status: 'incomplete', reasons: [partialReason] }
    if (verdict.status === 'incomplete' && partialReason === undefined) {
      const message = `${name}: expected every record of the result once, got this: ${verdict.reasons.join('; ')}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    const gone = deliveredBefore - attempt.skipped
    if (this.#knownBy === 'id' && !attempt.isFirst && gone > 0) {
      const which = `${gone} ${gone === 1 ? 'record' : 'records'} of an earlier answer`
      log.changed(`${name}: ${which} did not come again; they are kept`)
    }
  }

  #selectNew(batch: LineBatch, attempt: Attempt): { fresh: LineBatch; fault: CatalogueError | null } {
    let fault = null as CatalogueError | null
    const skippedBefore = attempt.skipped
    const fresh = selectLines(batch, (line) => {
      fault ??= this.#findFault(line, attempt)
      if (fault !== null) return false
      const isNew = this.#isNew(line, attempt)
      attempt.add(line)
      return isNew
    })
    attempt.flush(batch.document)
    this.#options.log.skipped(attempt.skipped - skippedBefore)
    return { fresh, fault }
  }

  #findFault(line: ScannedLine, attempt: Attempt): CatalogueError | null {
    const { name, client, idsAreUnique = false, partialReason } = this.#options
    if (line.kind === 'error') {
      const { status, code, message } = line.error ?? {}
      const text = [status, code, message].filter((part) => part !== null && part !== undefined).join(' ')
      const got = `got an error line: ${client.redact(text || 'no reason')}`
      return new CatalogueError('SOURCE_ERROR_LINE', `${name}: expected a record, ${got}`)
    }
    const gap = partialReason === undefined ? attempt.findGap(line) : null
    if (gap !== null && !attempt.isLast && !this.#gaps.has(gap)) {
      this.#gaps.add(gap)
      const message = `${name}: expected a record with index ${gap}, got index ${line.index}`
      return new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    const otherTotal = attempt.findOtherTotal(line)
    if (otherTotal !== null && !attempt.isLast) {
      const message = `${name}: expected the same total on every line, got ${line.total} after ${otherTotal}`
      return new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    if (!attempt.isLast && attempt.isBeyondTotal(line)) {
      const message = `${name}: expected an index below the total of ${line.total}, got ${line.index}`
      return new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    if (idsAreUnique && line.id !== null && !attempt.addId(line.id)) {
      const message = `${name}: expected every record once, got "${line.id}" again at index ${line.index}`
      return new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    return null
  }

  /** Returns true for a line that was not delivered yet, and marks it as delivered. */
  #isNew(line: ScannedLine, attempt: Attempt): boolean {
    if (line.kind === 'blank') return attempt.isFirst
    if (line.kind === 'unreadable') return this.#isNewUnreadable(line.index ?? attempt.nextIndex, attempt)
    this.#noticeChange(line, attempt)
    if (this.#knownBy === 'id' && this.#deliveredWithoutId && line.id === null) {
      this.#deliveredUnknown = true
      const message = `${this.#options.name}: expected an id in every record of a result that changed, got one without`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    if (this.#isDelivered(line, attempt)) {
      attempt.skipped++
      return false
    }
    this.#delivered.add(line.index, line.id)
    if (line.id === null) this.#deliveredWithoutId = true
    if (line.id === null && line.index === null) this.#deliveredUnknown = true
    return true
  }

  #isNewUnreadable(index: number, attempt: Attempt): boolean {
    if (this.#unreadable.has(index) || (!attempt.isFirst && this.#delivered.hasIndex(index))) return false
    this.#unreadable.add(index)
    return true
  }

  #noticeChange({ index, total, id }: ScannedLine, attempt: Attempt): void {
    const { name, log } = this.#options
    if (attempt.isFirst) this.#total ??= total
    if (this.#knownBy === 'id' || (attempt.isFirst && attempt.isInOrder(index))) return
    if (total !== null && this.#total !== null && total !== this.#total) {
      this.#knownBy = 'id'
      log.changed(`${name}: the total changed from ${this.#total} to ${total}; records are identified by id`)
    } else if (index !== null && this.#delivered.compare(index, id) === 'other') {
      this.#knownBy = 'id'
      log.changed(`${name}: there is another record at index ${index} now; records are identified by id`)
    }
  }

  /** Looks nothing up while a first answer comes in order: it can't repeat anything. */
  #isDelivered({ index, id }: ScannedLine, attempt: Attempt): boolean {
    if (attempt.isFirst && attempt.isInOrder(index)) return false
    if (this.#knownBy === 'index' && index !== null) return this.#delivered.compare(index, id) === 'same'
    return id !== null && this.#delivered.hasId(id)
  }
}

const notAgain = '; the request is not repeated, as there are records without index and id, which can not be recognized'
