import type { StageReport } from '../../manifest/manifest.ts'
export type StageName = 'prepare' | 'find duplicates' | 'read and encode' | 'finish outputs'

export class Stages {
  readonly #ended: StageReport[] = []
  #name: StageName = 'prepare'
  #enteredAt = now()

  enter(name: StageName): void {
    this.#end()
    this.#name = name
  }

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

/** Monotonic milliseconds. `performance` would load another module of Node. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
