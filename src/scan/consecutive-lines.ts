import type { OpenOutcome } from '../records/block-outcome.ts'
import type { DriftListener } from '../records/drift.ts'
import { reportKnownDrift } from './drift-notes.ts'
import * as layout from './program/node-layout.ts'
import type { ScanProgram } from './open-scan.ts'

/**
 * Lines that the walk settles by itself: those whose index is the one behind that of the line before, with the same total
 * and with drift that the block has met before. They go on from a line that was settled outside, as every line is where a plan
 * wants more of it than its cells.
 */
export class ConsecutiveLines {
  readonly #program: ScanProgram
  readonly #outcome: OpenOutcome
  readonly #isSettledInWalk: boolean

  /** For the lines of one block, the first of which is settled outside. */
  constructor(program: ScanProgram, outcome: OpenOutcome, isSettledInWalk: boolean) {
    this.#program = program
    this.#outcome = outcome
    this.#isSettledInWalk = isSettledInWalk && isPlain(program)
    const ids = program.memory.reserve('ids', idBytes)
    program.module.beginBlock(program.scope, ids, ids + idBytes)
  }

  /** Walks up to a line that has to be settled outside, and gives the verdict on it, or `linesEnded`. */
  walk(end: number, lineInBlock: number): number {
    const { module } = this.#program
    this.#setWord(layout.scopeLine, lineInBlock)
    if (!this.#isSettledInWalk) return module.walkLine()
    const verdict = module.walkLines(end)
    const settled = this.nextLine - lineInBlock
    if (settled > 0) this.#enter(settled)
    return verdict
  }

  /** The number of the line within the block that the verdict is on. */
  get nextLine(): number {
    return this.#word(layout.scopeLine)
  }

  /** A line was settled outside: those behind it may go on from there. */
  follow(): void {
    this.#program.module.expectNext()
  }

  /** No line goes on from the last one. */
  interrupt(): void {
    this.#program.module.expectNone()
  }

  /** After the last line. */
  reportDrift(drift: DriftListener): void {
    reportKnownDrift(this.#program, drift)
  }

  #enter(lines: number): void {
    const { counts, indexes, ids } = this.#outcome
    const run = indexes.at(-1)
    if (run === undefined) throw new Error('lines were settled that follow none')
    counts.lines += lines
    counts.accepted += lines
    run.count += lines
    const [first, next] = [this.#word(layout.scopeIds), this.#word(layout.scopeIdsNext)]
    ids.addEntries(this.#program.memory.words.subarray(first / 4, next / 4))
    this.#setWord(layout.scopeIdsNext, first)
  }

  #word(offset: number): number {
    return this.#program.memory.words[(this.#program.scope + offset) >> 2] as number
  }

  #setWord(offset: number, value: number): void {
    this.#program.memory.words[(this.#program.scope + offset) >> 2] = value
  }
}

function isPlain({ finishSteps }: ScanProgram): boolean {
  return finishSteps.record.length === 0 && finishSteps.tables.length === 0
}

/** For the ids of a thousand lines and more; where there is no room the line is settled outside. */
const idBytes = 65_536
