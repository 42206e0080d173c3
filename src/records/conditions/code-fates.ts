import type { NotedFact } from './condition.ts'

/** What became of the line that brought a code, from the best to the worst; of a filtered one the number of its condition. */
export const codeFates = { accepted: -1, duplicate: 1_000_000, rejected: 1_000_001 } as const

/** A record with a code of a list, or one that was replaced: what a line of the list may have to say of it. Plain data. */
export interface FoundRecord {
  /** Null if the line had none that could be read. */
  readonly id: string | null
  readonly fate: number
  readonly codes: readonly { readonly key: string; readonly code: string }[]
  readonly status: string | null
  readonly replacement: string | null
}

/** The codes of lists that lines brought, each with the best fate of its lines. */
export class FoundCodes {
  readonly #fates: Map<string, number>
  readonly #ofLine: string[] = []
  readonly records: FoundRecord[] = []
  #ofRecord: { key: string; code: string }[] = []
  #facts: { status?: string; replacement?: string } = {}

  constructor(fates: Iterable<readonly [code: string, fate: number]> = []) {
    this.#fates = new Map(fates)
  }

  add(code: string, key?: string): void {
    if (key === undefined) this.#ofLine.push(code)
    else this.#ofRecord.push({ key, code })
  }

  note(fact: NotedFact, value: string): void {
    this.#facts[fact] = value
  }

  /** Ends a line. `toId` gives the id of its record. */
  settle(fate: number, toId: () => string | null): void {
    for (const code of this.#ofLine) this.#note(code, fate)
    this.#ofLine.length = 0
    const codes = this.#ofRecord
    const { status = null, replacement = null } = this.#facts
    if (status !== null || replacement !== null) this.#facts = {}
    if (codes.length === 0 && replacement === null) return
    this.records.push({ id: toId(), fate, codes, status, replacement })
    this.#ofRecord = []
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
