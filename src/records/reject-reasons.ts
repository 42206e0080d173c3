import { type Issue, type Reject, toPlace } from './reject.ts'
import type { RejectReason } from '../manifest/manifest.ts'

type Counted = { -readonly [Key in keyof RejectReason]: RejectReason[Key] }

/** Counts rejects by reason. Its memory is bounded: fields beyond the contract have any name. */
export class RejectReasons {
  readonly #reasons = new Map<string, Counted>()
  readonly #others: Counted = { code: 'other', path: '', count: 0, expected: 'the rarer reasons together' }

  add({ issues }: Pick<Reject, 'issues'>): void {
    if (issues.length === 1) this.#count(issues[0] as Issue).count++
    else for (const reason of new Set(issues.map((issue) => this.#count(issue)))) reason.count++
  }

  addCounted(reasons: readonly RejectReason[]): void {
    for (const reason of reasons) {
      const { code, path, count, expected } = reason
      const isRest = code === this.#others.code && path === '' && expected === this.#others.expected
      const counted = isRest ? this.#others : this.#open(code, path, expected)
      counted.count += count
    }
  }

  /** All that are held, the first found first, and the rest as `other`: what `addCounted` takes. */
  listHeld(): RejectReason[] {
    const others = this.#others.count === 0 ? [] : [this.#others]
    return [...this.#reasons.values(), ...others].map((reason) => ({ ...reason }))
  }

  /**
   * The most frequent first, equals in the order found; reasons beyond a thousand count as `other`, which comes last.
   */
  list(): RejectReason[] {
    const sorted = [...this.#reasons.values()].toSorted((a, b) => b.count - a.count)
    const others = sorted.slice(mostListed).reduce((sum, { count }) => sum + count, this.#others.count)
    const listed = sorted.slice(0, mostListed).map((reason) => ({ ...reason }))
    return others === 0 ? listed : [...listed, { ...this.#others, count: others }]
  }

  #count({ code, path, message }: Issue): Counted {
    return this.#open(code, toPlace(path).slice(0, longestPath), toExpected(message))
  }

  #open(code: string, place: string, expected: string): Counted {
    const key = `${code} ${place}`
    const known = this.#reasons.get(key)
    if (known !== undefined) return known
    if (this.#reasons.size >= mostHeld) return this.#others
    const reason = { code, path: place, count: 0, expected }
    this.#reasons.set(key, reason)
    return reason
  }
}

const mostListed = 1000
const mostHeld = 10_000
const longestPath = 500

/** The part of a message before the value, which differs from line to line. */
export function toExpected(message: string): string {
  return message.replace(/, got\b.*$/s, '').slice(0, longestPath)
}
