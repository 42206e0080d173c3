import type { StageReport } from '../../manifest/manifest.ts'
import type { EndedStage, StageName } from '../observe/run-observer.ts'

export class Stages {
  readonly #onEnd: (stage: EndedStage) => void
  readonly #reported: StageReport[] = []
  readonly #clock = { epochMs: Date.now(), at: now() }
  #name: StageName = 'prepare'
  #enteredAt = this.#clock.at
  #countedUntil = this.#clock.at

  constructor(onEnd: (stage: EndedStage) => void = () => undefined) {
    this.#onEnd = onEnd
  }

  enter(name: StageName): void {
    this.end()
    this.#name = name
  }

  list(): StageReport[] {
    this.#count(now())
    return [...this.#reported]
  }

  /** Ends the last stage. */
  end(): void {
    const at = now()
    this.#count(at)
    this.#onEnd({ name: this.#name, from: this.#toEpoch(this.#enteredAt), until: this.#toEpoch(at) })
    this.#enteredAt = at
  }

  /** A run that begins again has a stage twice: its times are added up. */
  #count(at: number): void {
    const name = this.#name
    const ms = Math.round(at - this.#countedUntil)
    this.#countedUntil = at
    if (name === 'publish') return
    const known = this.#reported.findIndex((stage) => stage.name === name)
    if (known < 0) this.#reported.push({ name, ms })
    else this.#reported[known] = { name, ms: (this.#reported[known]?.ms ?? 0) + ms }
  }

  #toEpoch(at: number): number {
    return this.#clock.epochMs + at - this.#clock.at
  }
}

/** Monotonic milliseconds. `performance` would load another module of Node. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}
