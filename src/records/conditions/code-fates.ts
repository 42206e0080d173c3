/** What became of the line that brought a code, from the best to the worst; of a filtered one the number of its condition. */
export const codeFates = { accepted: -1, duplicate: 1_000_000, rejected: 1_000_001 } as const

/** The codes of lists that lines brought, each with the best fate of its lines. */
export class FoundCodes {
  readonly #fates: Map<string, number>
  readonly #ofLine: string[] = []

  constructor(fates: Iterable<readonly [code: string, fate: number]> = []) {
    this.#fates = new Map(fates)
  }

  add(code: string): void {
    this.#ofLine.push(code)
  }

  settle(fate: number): void {
    for (const code of this.#ofLine) this.#note(code, fate)
    this.#ofLine.length = 0
  }

  join(others: Iterable<readonly [code: string, fate: number]>): void {
    for (const [code, fate] of others) this.#note(code, fate)
  }

  /** Undefined for a code that no line brought. */
  fateOf(code: string): number | undefined {
    return this.#fates.get(code)
  }

  /** Plain data, in the order of the codes. */
  list(): [code: string, fate: number][] {
    return [...this.#fates].toSorted(([one], [other]) => (one < other ? -1 : 1))
  }

  #note(code: string, fate: number): void {
    this.#fates.set(code, Math.min(fate, this.#fates.get(code) ?? fate))
  }
}
