import { type ColumnType, typeOf } from '../../types/column-types.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import { type ColumnCounts, longestGroup, mostGroups, noCounts } from './column-counts.ts'
import { longestBound, longestValue, mostDistinct } from './state-layout.ts'

export class ValueCounter {
  filled = 0
  readonly #isText: boolean
  readonly #compare: (one: string, other: string) => number
  #min: string | null = null
  #max: string | null = null
  #longest = 0
  #values: Map<string, number> | null

  constructor(type: ColumnType) {
    this.#isText = type.kind === 'text'
    this.#compare = typeOf(type).compare
    this.#values = typeOf(type).isOpaque ? null : new Map()
  }

  /** Adds a value as the byte string of its canonical text; see `ColumnCounts`. */
  add(text: string): void {
    if (this.#isCounted(text)) return
    if (this.#isText) this.#longest = Math.max(this.#longest, countCharacters(text))
    const bound = text.slice(0, longestBound)
    if (this.#min === null || this.#compare(bound, this.#min) < 0) this.#min = bound
    if (this.#max === null || this.#compare(bound, this.#max) > 0) this.#max = bound
  }

  collect(): ColumnCounts {
    return { filled: this.filled, min: this.#min, max: this.#max, longest: this.#longest, values: this.#values }
  }

  /** True for a value that is counted already. The column gives up on values once one is too long or too many. */
  #isCounted(text: string): boolean {
    if (this.#values === null) return false
    const times = this.#values.get(text)
    if (times === undefined && (text.length > longestValue || this.#values.size === mostDistinct)) this.#values = null
    else this.#values.set(text, (times ?? 0) + 1)
    return times !== undefined
  }
}

/** Counts the values that rows are grouped by. */
export class GroupCounter {
  filled = 0
  readonly #values = new Map<string, number>()

  add(text: string): void {
    if (this.#values.size > mostGroups) return
    const name = text.slice(0, longestGroup)
    this.#values.set(name, (this.#values.get(name) ?? 0) + 1)
  }

  collect(): ColumnCounts {
    return { ...noCounts, filled: this.filled, values: this.#values.size > mostGroups ? null : this.#values }
  }
}

/** The bytes of a value's canonical text, a character a byte. */
export function toByteString(value: Scalar): string {
  return Buffer.from(String(value)).toString('latin1')
}

/** Counts the bytes that begin a character: all but those of the form 10xxxxxx. */
function countCharacters(text: string): number {
  let characters = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xc0) !== 0x80) characters++
  return characters
}
