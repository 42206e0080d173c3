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

  /** A run that begins again has a stage twice: its times are added up. */
  #end(): void {
    const at = now()
    const ms = Math.round(at - this.#enteredAt)
    const known = this.#ended.findIndex(({ name }) => name === this.#name)
    if (known < 0) this.#ended.push({ name: this.#name, ms })
    else this.#ended[known] = { name: this.#name, ms: (this.#ended[known]?.ms ?? 0) + ms }
    this.#enteredAt = at
  }
}

/** Monotonic milliseconds. `performance` would load another module of Node. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
