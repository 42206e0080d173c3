import { cutText } from '../../text/cut-text.ts'
import type { Difference, FieldDiff } from './diff-report.ts'

export class FieldCounts {
  readonly #counts = new Map<string, { count: number; readonly example: Difference }>()

  /** Adds all differences of one record, counting each field once. */
  add(differences: readonly Difference[]): void {
    const seen = new Set<string>()
    for (const difference of differences) {
      const { field } = difference
      if (seen.has(field)) continue
      seen.add(field)
      const known = this.#counts.get(field)
      if (known === undefined) this.#counts.set(field, { count: 1, example: toExample(difference) })
      else known.count += 1
    }
  }

  /** Sorted by descending count, then by name. */
  list(): FieldDiff[] {
    return [...this.#counts]
      .map(([field, { count, example }]) => ({ field, count, example }))
      .toSorted((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1))
  }
}

function toExample(difference: Difference): Difference {
  return { ...difference, old: cutValue(difference.old), new: cutValue(difference.new) }
}

function cutValue(text: string | null): string | null {
  return text === null ? null : cutText(text, longestExample)
}

const longestExample = 200
