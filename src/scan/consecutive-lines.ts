import type { OpenOutcome } from '../records/block-outcome.ts'
import type { DriftListener } from '../records/drift.ts'
import { reportKnownDrift } from './drift-notes.ts'
import type { ScanProgram } from './open-scan.ts'
import * as layout from './program/node-layout.ts'

/**
 * Lets the walk accept consecutive lines by itself: each has the index behind that of the line before, the same total, and
 * only drift that the block has met before. The first of them follows a line that was applied outside of the walk. Every line
 * is applied outside where a plan needs more of it than its cells.
 */
export class ConsecutiveLines {
  readonly #program: ScanProgram
  readonly #outcome: OpenOutcome
  readonly #acceptsInWalk: boolean

  /** Begins the lines of one block, the first of which is applied outside. */
  constructor(program: ScanProgram, outcome: OpenOutcome, acceptsInWalk: boolean) {
    this.#program = program
    this.#outcome = outcome
    this.#acceptsInWalk = acceptsInWalk && needsOnlyCells(program)
    const ids = program.memory.reserve('ids', idBytes)
    program.module.beginBlock(program.scope, ids, ids + idBytes)
  }

  /** Walks up to a line that has to be applied outside, and returns the verdict on it, or `linesEnded`. */
  walk(end: number, lineInBlock: number): number {
    const { module } = this.#program
    this.#setWord(layout.scopeLine, lineInBlock)
    if (!this.#acceptsInWalk) return module.walkLine()
    const verdict = module.walkLines(end)
    const accepted = this.nextLine - lineInBlock
    if (accepted > 0) this.#addAccepted(accepted)
    return verdict
  }

  /** The number of the line within the block that the verdict is on. */
  get nextLine(): number {
    return this.#word(layout.scopeLine)
  }

  /** Allows the walk to accept the lines that follow the last one, which was applied outside. */
  expectNext(): void {
    this.#program.module.expectNext()
  }

  /** Has the next line applied outside. */
  expectNone(): void {
    this.#program.module.expectNone()
  }

  /** Reports the drift of the accepted lines, after the last one. */
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

/** Room for the ids of a thousand lines and more; a line whose id has no room is applied outside. */
const idBytes = 65_536
