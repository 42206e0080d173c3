export interface RowKey {
  /** Null if the record has none. */
  readonly id: string | null
  /** In the lists that the row is an element of, the outermost first; none of a row that is a record. */
  readonly positions: readonly number[]
}

/** A value that breaks a rule, or a row without one, as plain data. */
export interface BrokenRow extends RowKey {
  /** Position in the rules of the plan. */
  readonly rule: number
  /** The beginning of a byte string of its canonical text, see `ColumnCounts`; null for a row without. */
  readonly value: string | null
}

/** The first rows that break each rule. */
export class BrokenRows {
  readonly #byRule = new Map<number, BrokenRow[]>()

  add(rows: readonly BrokenRow[]): void {
    for (const row of rows) {
      const listed = this.#byRule.get(row.rule) ?? []
      if (listed.length === 0) this.#byRule.set(row.rule, listed)
      if (listed.length < mostListed) listed.push(row)
    }
  }

  of(rule: number): readonly BrokenRow[] {
    return this.#byRule.get(rule) ?? []
  }

  list(): BrokenRow[] {
    return [...this.#byRule.values()].flat()
  }
}

/** The rows that are listed of each rule; whatever breaks it is counted. */
export const mostListed = 1000

/** The part of a value that is listed, as a copy: many rows may hold long texts. */
export function cutValue(text: string): string {
  return text.length <= longestValue ? text : Buffer.from(text.slice(0, longestValue), 'latin1').toString('latin1')
}

/** Bytes. */
const longestValue = 1000
