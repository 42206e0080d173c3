import { CompletenessTracker, type Completeness } from '../sources/completeness.ts'
import { CatalogueError } from '../errors.ts'
import { Attempt } from './attempt.ts'
import { keepLines } from './keep-lines.ts'
import type { LineBatch } from './line-batch.ts'
import { unread, type LineReading } from './line-reader.ts'
import { isWorthRepeating } from './read-again.ts'
import type { ReadLog } from './read-log.ts'
import type { ScannedLine } from './scan-lines.ts'
import type { ServiceClient } from '../http/service-client.ts'
import { DeliveredIndex } from './delivered-index.ts'

export interface RepeatedReadingOptions {
  /** In messages: the endpoint, and which of its requests. */
  readonly name: string
  /** Asks from the start, once a call. What it throws as SOURCE_FAILED, say, is asked again. */
  readonly ask: (signal: AbortSignal) => AsyncIterable<LineBatch>
  readonly client: ServiceClient
  readonly notes: ReadLog
  /** After the last try: throw, or end with what there is; `completeness` says then what is missing. */
  readonly incomplete: 'fail' | 'deliver'
  /** An id that comes twice in one attempt is a fault: records moved from page to page, or stand for one that is lost. */
  readonly idsAreUnique?: boolean
  /** Why only a part of the records was asked for; it is not asked again for what is missing. */
  readonly onPurpose?: string | undefined
}

/**
 * One request, asked again from the start when its answer is cut, stalls, holds an error line, has a gap, or ends
 * short, until an attempt is complete on its own. Every record is handed on once: those that were, are known by index
 * and id, or by id alone once the result set turns out to have changed. Where one has neither, nothing is asked again.
 */
export class RetryingReader implements LineReading {
  readonly #options: RepeatedReadingOptions
  readonly #taken = new DeliveredIndex()
  /** Where lines stand in for an index that could not be read. */
  readonly #unreadable = new Set<number>()
  /** Gaps that were met: one that comes back is how the service delivers, and is read past. */
  readonly #gaps = new Set<number>()
  #total: number | null = null
  #knownBy: 'index' | 'id' = 'index'
  #tookNoId = false
  /** A record was handed on that nothing would tell from those of another answer. */
  #tookUnknown = false
  #completeness: Completeness = unread

  constructor(options: RepeatedReadingOptions) {
    this.#options = options
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *lines(signal: AbortSignal): AsyncGenerator<Buffer> {
    const { client, notes, incomplete } = this.#options
    for (let tries = 1; ; tries++) {
      const attempt = new Attempt(tries === 1, tries > client.retries, new CompletenessTracker())
      try {
        yield* this.#read(attempt, signal)
        return
      } catch (error) {
        if (!isWorthRepeating(error) || signal.aborted) throw error
        if (!attempt.isLast && !this.#tookUnknown) {
          notes.repeated(error.message)
          await client.backOff(tries, signal, { reason: error.message })
          continue
        }
        if (incomplete === 'deliver' && error.code !== 'SOURCE_ERROR_LINE') {
          this.#completeness = { ...attempt.tracker.finish(), status: 'incomplete', reasons: [error.message] }
          return
        }
        const more = this.#tookUnknown ? notAgain : tries === 1 ? '' : ` (${tries} tries)`
        throw new CatalogueError(error.code, error.message + more, { cause: error.cause })
      }
    }
  }

  async *#read(attempt: Attempt, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { name, ask, onPurpose } = this.#options
    const takenBefore = this.#taken.count
    for await (const batch of ask(signal)) {
      const { bytes, fault } = this.#take(batch, attempt)
      if (bytes.length > 0) yield bytes
      if (fault !== null) throw fault
    }
    const verdict = attempt.tracker.finish()
    this.#completeness =
      onPurpose === undefined || verdict.status === 'proven'
        ? verdict
        : { ...verdict, status: 'incomplete', reasons: [onPurpose] }
    if (verdict.status === 'incomplete' && onPurpose === undefined) {
      const message = `${name}: expected every record of the result once, got this: ${verdict.reasons.join('; ')}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    const gone = takenBefore - attempt.skipped
    if (this.#knownBy === 'id' && !attempt.isFirst && gone > 0) {
      const which = `${gone} ${gone === 1 ? 'record' : 'records'} of an earlier answer`
      this.#options.notes.changed(`${name}: ${which} did not come again; they are kept`)
    }
  }

  /** The lines of a batch that are new, up to the first fault. */
  #take({ bytes, lines, document }: LineBatch, attempt: Attempt): { bytes: Buffer; fault: CatalogueError | null } {
    let fault = null as CatalogueError | null
    const skippedBefore = attempt.skipped
    const kept = keepLines(bytes, lines, (line) => {
      fault ??= this.#findFault(line, attempt)
      if (fault !== null) return false
      const isNew = this.#isNew(line, attempt)
      attempt.add(line)
      return isNew
    })
    attempt.settle(document)
    this.#options.notes.skipped(attempt.skipped - skippedBefore)
    return { bytes: kept, fault }
  }

  #findFault(line: ScannedLine, attempt: Attempt): CatalogueError | null {
    const { name, client, idsAreUnique = false, onPurpose } = this.#options
    if (line.kind === 'error') {
      const { status, code, message } = line.error ?? {}
      const said = [status, code, message].filter((part) => part !== null && part !== undefined).join(' ')
      const got = `got an error line: ${client.conceal(said || 'no reason')}`
      return new CatalogueError('SOURCE_ERROR_LINE', `${name}: expected a record, ${got}`)
    }
    const gap = onPurpose === undefined ? attempt.findGap(line) : null
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
    if (idsAreUnique && line.id !== null && !attempt.meet(line.id)) {
      const message = `${name}: expected every record once, got "${line.id}" again at index ${line.index}`
      return new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    return null
  }

  /** Whether a line was not handed on yet; from now on it was. */
  #isNew(line: ScannedLine, attempt: Attempt): boolean {
    if (line.kind === 'blank') return attempt.isFirst
    if (line.kind === 'unreadable') return this.#isNewUnreadable(line.index ?? attempt.nextIndex, attempt)
    this.#noticeChange(line, attempt)
    if (this.#knownBy === 'id' && this.#tookNoId && line.id === null) {
      this.#tookUnknown = true
      const message = `${this.#options.name}: expected an id in every record of a result that changed, got one without`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
    if (this.#isTaken(line, attempt)) {
      attempt.skip()
      return false
    }
    this.#taken.add(line.index, line.id)
    if (line.id === null) this.#tookNoId = true
    if (line.id === null && line.index === null) this.#tookUnknown = true
    return true
  }

  /** It says nothing of itself, so it is known by where it stands. */
  #isNewUnreadable(index: number, attempt: Attempt): boolean {
    if (this.#unreadable.has(index) || (!attempt.isFirst && this.#taken.hasIndex(index))) return false
    this.#unreadable.add(index)
    return true
  }

  #noticeChange({ index, total, id }: ScannedLine, attempt: Attempt): void {
    const { name, notes } = this.#options
    if (attempt.isFirst) this.#total ??= total
    if (this.#knownBy === 'id' || (attempt.isFirst && attempt.isInOrder(index))) return
    if (total !== null && this.#total !== null && total !== this.#total) {
      this.#knownBy = 'id'
      notes.changed(`${name}: the total changed from ${this.#total} to ${total}; records are told apart by id`)
    } else if (index !== null && this.#taken.compare(index, id) === 'other') {
      this.#knownBy = 'id'
      notes.changed(`${name}: there is another record at index ${index} now; records are told apart by id`)
    }
  }

  /** In a first answer that comes in order nothing can have been taken: the questions are not asked. */
  #isTaken({ index, id }: ScannedLine, attempt: Attempt): boolean {
    if (attempt.isFirst && attempt.isInOrder(index)) return false
    if (this.#knownBy === 'index' && index !== null) return this.#taken.compare(index, id) === 'same'
    return id !== null && this.#taken.hasId(id)
  }
}

const notAgain =
  '; it is not asked for again, as there are records without index and id, which could not be told from those that came'
