/** The changes of a product between two nights. */
export type ChangeKind =
  | 'new'
  /** Another content. */
  | 'changed'
  /** The same content, another `meta.updatedAt`. */
  | 'touched'
  | 'inactive'
  /** By another product, which is its `replacement` from then on. */
  | 'replaced'
  /** `deleted: true`, with status inactive. */
  | 'deleted'
  /** Active again. */
  | 'activated'
  /** Gone without a trace: no endpoint has it any more. */
  | 'vanished'
  /** Back, as it was, touched. */
  | 'returned'

export interface Change {
  /** The number of the product. */
  readonly number: number
  readonly kind: ChangeKind
  /** Unix seconds; `meta.updatedAt` from then on, unless the product is gone. */
  readonly at: number
  /** The number of the product that replaces it; null for any other kind. */
  readonly replacement: number | null
}

/**
 * Every change of every product, in the order of time. A product's version is the position of its latest change, −1
 * before the first. Its record at a version follows from the changes up to there, so no record has to be stored.
 */
export interface ChangeLog {
  readonly count: number
  readonly add: (change: Change) => void
  readonly at: (version: number) => Change
  /** The version of a product when the log had `count` changes. */
  readonly versionOf: (number: number, count: number) => number
  readonly previousOf: (version: number) => number
}

/** Held by column: some 40 bytes a change. */
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
