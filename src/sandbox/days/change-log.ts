export type ChangeKind =
  | 'new'
  | 'changed'
  /** Only `meta.updatedAt` changes. */
  | 'touched'
  | 'inactive'
  /** Replaced by another product, which is its `replacement` from then on. */
  | 'replaced'
  | 'deleted'
  | 'activated'
  /** Missing from every endpoint, without notice. */
  | 'vanished'
  /** Present again as before, with another `meta.updatedAt`. */
  | 'returned'

export interface Change {
  readonly number: number
  readonly kind: ChangeKind
  /** Unix seconds; `meta.updatedAt` from then on, unless the product has vanished. */
  readonly at: number
  /** Number of the replacing product; null for other kinds. */
  readonly replacement: number | null
}

/**
 * All changes of all products, ordered by time. A product's version is the position of its latest change, −1 before the
 * first. Records are derived from the changes up to a version, so none are stored.
 */
export interface ChangeLog {
  readonly count: number
  readonly add: (change: Change) => void
  readonly at: (version: number) => Change
  /** The version of a product when the log had `count` changes. */
  readonly versionOf: (number: number, count: number) => number
  readonly previousOf: (version: number) => number
}

export function createChangeLog(): ChangeLog {
  const numbers: number[] = []
  const kinds: ChangeKind[] = []
  const times: number[] = []
  const replacements: number[] = []
  const previous: number[] = []
  const latest = new Map<number, number>()
  const previousOf = (version: number): number => previous[version] ?? none
  return {
    get count() {
      return numbers.length
    },
    add({ number, kind, at, replacement }) {
      previous.push(latest.get(number) ?? none)
      latest.set(number, numbers.length)
      numbers.push(number)
      kinds.push(kind)
      times.push(at)
      replacements.push(replacement ?? none)
    },
    at(version) {
      const [number, kind, at, replacement] = [numbers[version], kinds[version], times[version], replacements[version]]
      if (number === undefined || kind === undefined || at === undefined || replacement === undefined)
        throw new RangeError(`change log: expected a version below ${numbers.length}, got ${version}`)
      return { number, kind, at, replacement: replacement === none ? null : replacement }
    },
    versionOf(number, count) {
      let version = latest.get(number) ?? none
      while (version >= count) version = previousOf(version)
      return version
    },
    previousOf,
  }
}

const none = -1
