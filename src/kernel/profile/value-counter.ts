import { type ColumnType, typeOf } from '../../types/column-types.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import { type ColumnCounts, longestGroup, mostGroups, noCounts } from './column-counts.ts'
import { SpreadCounter } from './spread.ts'
import { longestBound, longestValue, mostDistinct } from './state-layout.ts'

export class ValueCounter {
  filled = 0
  readonly #isText: boolean
  readonly #compare: (one: string, other: string) => number
  #min: string | null = null
  #max: string | null = null
  #longest = 0
  #values: Map<string, number> | null
  #spread: SpreadCounter | null = null
  readonly #type: ColumnType

  constructor(type: ColumnType) {
    this.#type = type
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
    const spread = this.#spread?.collect() ?? null
    return { filled: this.filled, min: this.#min, max: this.#max, longest: this.#longest, values: this.#values, spread }
  }

  #giveUp(): void {
    const { measure } = typeOf(this.#type)
    if (measure !== null) this.#spread ??= new SpreadCounter(measure, this.#values ?? new Map())
    this.#values = null
  }

  /** True for a value that is counted already. The column gives up on values once one is too long or too many. */
  #isCounted(text: string): boolean {
    const times = this.#values?.get(text)
    if (times === undefined && (text.length > longestValue || this.#values?.size === mostDistinct)) this.#giveUp()
    this.#values?.set(text, (times ?? 0) + 1)
    this.#spread?.add(text, 1)
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
