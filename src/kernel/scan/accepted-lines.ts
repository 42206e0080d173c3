import { addCount, addIndex, type OpenOutcome } from '../../records/block-outcome.ts'
import type { DriftListener } from '../../records/drift.ts'
import * as layout from '../program/node-layout.ts'
import { reportKnownDrift } from './drift-notes.ts'
import type { ScanProgram } from './open-scan.ts'

/**
 * Lines that the walk accepts by itself, without a call into JavaScript for each. It leaves what the outcome of the
 * block needs of them in the scope: their ids, their drift, and series of their indexes.
 */
export class AcceptedLines {
  readonly #program: ScanProgram
  readonly #outcome: OpenOutcome
  readonly #drift: DriftListener

  constructor(program: ScanProgram, outcome: OpenOutcome, drift: DriftListener) {
    this.#program = program
    this.#outcome = outcome
    this.#drift = drift
    const ids = program.memory.reserve('ids', idBytes)
    this.#setWord(layout.scopeIds, ids)
    this.#setWord(layout.scopeIdsEnd, ids + idBytes)
    this.#setWord(layout.scopeLine, 0)
    this.#begin()
  }

  /** The number within the block of the line that is walked next. */
  get next(): number {
    return this.#word(layout.scopeLine)
  }

  set next(line: number) {
    this.#setWord(layout.scopeLine, line)
  }

  /** Adds the lines since the last call to the outcome. */
  collect(): void {
    const { counts, ids } = this.#outcome
    const first = this.#word(layout.scopeIds)
    const next = this.#word(layout.scopeIdsNext)
    if (next === first) return
    const lines = this.#addSeries()
    const filtered = this.#addFailed()
    counts.lines += lines
    counts.filtered += filtered
    counts.accepted += lines - filtered
    ids.addEntries(this.#program.memory.wordsIn(first, next))
    reportKnownDrift(this.#program, this.#drift)
    this.#begin()
  }

  /** Returns the number of lines in all series. */
  #addSeries(): number {
    const { memory } = this.#program
    const first = this.#word(layout.scopeSeries)
    const end = first + this.#word(layout.scopeSeriesCount) * layout.seriesBytes
    let lines = 0
    for (let at = first; at < end; at += layout.seriesBytes) {
      const count = memory.word(at + layout.seriesLines)
      const [index, total] = [this.#position(at + layout.seriesFirst), this.#position(at + layout.seriesTotal)]
      addIndex(this.#outcome.indexes, index, total, count)
      lines += count
    }
    return lines
  }

  /** Returns the number of records that failed a condition. */
  #addFailed(): number {
    const { memory, walked } = this.#program
    const { filteredByCondition, filteredElements } = this.#outcome
    let records = 0
    for (const { at, number, table } of walked ?? []) {
      const failed = memory.word(at + layout.conditionFailed)
      if (failed === 0) continue
      addCount(filteredByCondition, number, failed)
      if (table === null) records += failed
      else addCount(filteredElements, table, failed)
    }
    return records
  }

  #begin(): void {
    const { memory, walked } = this.#program
    for (const { at } of walked ?? []) memory.setWord(at + layout.conditionFailed, 0)
    this.#setWord(layout.scopeIdsNext, this.#word(layout.scopeIds))
    this.#setWord(layout.scopeKnownCount, 0)
    this.#setWord(layout.scopeSeriesCount, 0)
  }

  /** An index or a total; null if the line states none. */
  #position(address: number): number | null {
    const { memory } = this.#program
    const position = memory.word(address) + memory.word(address + 4) * 2 ** 32
    return position === layout.unnumberedPosition ? null : position - layout.firstPosition
  }

  #word(offset: number): number {
    return this.#program.memory.word(this.#program.scope + offset)
  }

  #setWord(offset: number, value: number): void {
    this.#program.memory.setWord(this.#program.scope + offset, value)
  }
}

/** Room for the ids of some thousand lines. A line whose id has no room is applied in JavaScript. */
const idBytes = 256 * 1024
