import type { OpenOutcome } from '../../records/block-outcome.ts'
import type { DriftListener } from '../../records/drift.ts'
import { reportKnownDrift } from './drift-notes.ts'
import type { ScanProgram } from './open-scan.ts'
import * as layout from '../program/node-layout.ts'

/**
 * Lets the walk accept consecutive lines by itself, without a call into JavaScript for each. Such a line has the index
 * after that of the line before, the same total, and only drift that the block had before. The first line of a series
 * is applied outside the walk, and so is every line if the plan needs more of it than its cells.
 */
export class ConsecutiveLines {
  readonly #program: ScanProgram
  readonly #outcome: OpenOutcome
  readonly #acceptsInWalk: boolean

  constructor(program: ScanProgram, outcome: OpenOutcome, acceptsInWalk: boolean) {
    this.#program = program
    this.#outcome = outcome
    this.#acceptsInWalk = acceptsInWalk && needsOnlyCells(program)
    const ids = program.memory.reserve('ids', idBytes)
    program.module.beginBlock(program.scope, ids, ids + idBytes)
  }

  /**
   * Walks up to a line that has to be applied outside and returns the verdict on it, or `linesEnded`. Lines that may not
   * be UTF-8 all have to.
   */
  walk(end: number, lineInBlock: number, allUtf8: boolean): number {
    const { module, scope } = this.#program
    this.#setWord(layout.scopeLine, lineInBlock)
    if (!(this.#acceptsInWalk && allUtf8)) return module.walkLine(scope)
    const verdict = module.walkLines(scope, end)
    const accepted = this.nextLine - lineInBlock
    if (accepted > 0) this.#addAccepted(accepted)
    return verdict
  }

  /** The number within the block of the line of the last verdict. */
  get nextLine(): number {
    return this.#word(layout.scopeLine)
  }

  expectNext(): void {
    this.#program.module.expectNext(this.#program.scope)
  }

  expectNone(): void {
    this.#program.module.expectNone(this.#program.scope)
  }

  /** Reports the drift of the accepted lines. Called after the last one. */
  reportDrift(drift: DriftListener): void {
    reportKnownDrift(this.#program, drift)
  }

  #addAccepted(lines: number): void {
    const { counts, indexes, ids } = this.#outcome
    const run = indexes.at(-1)
    if (run === undefined) throw new Error('the walk has accepted lines that follow none')
    counts.lines += lines
    counts.accepted += lines
    run.count += lines
    const [first, next] = [this.#word(layout.scopeIds), this.#word(layout.scopeIdsNext)]
    ids.addEntries(this.#program.memory.wordsIn(first, next))
    this.#setWord(layout.scopeIdsNext, first)
  }

  #word(offset: number): number {
    return this.#program.memory.word(this.#program.scope + offset)
  }

  #setWord(offset: number, value: number): void {
    this.#program.memory.setWord(this.#program.scope + offset, value)
  }
}

function needsOnlyCells({ finishSteps }: ScanProgram): boolean {
  return finishSteps.recordConditions.length === 0 && finishSteps.tables.length === 0
}

/** Room for the ids of more than a thousand lines. A line whose id has no room is applied outside. */
const idBytes = 65_536
