import type { StageReport } from '../../manifest/manifest.ts'
export type StageName = 'prepare' | 'find duplicates' | 'read and encode' | 'finish outputs'

/** Measures the stretches of a run, one after the other. */
export class Stages {
  readonly #ended: StageReport[] = []
  #name: StageName = 'prepare'
  #enteredAt = now()

  /** Ends the stage that is under way. */
  enter(name: StageName): void {
    this.#end()
    this.#name = name
  }

  /** All of them, the last one up to now. */
  list(): StageReport[] {
    this.#end()
    return [...this.#ended]
  }

  #end(): void {
    const at = now()
    this.#ended.push({ name: this.#name, ms: Math.round(at - this.#enteredAt) })
    this.#enteredAt = at
  }
}

/** Milliseconds of a clock that nobody sets. `performance` would load another module of Node. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
