import { parseAgain } from '../records/parse-line.ts'

/**
 * The record of a line as it was delivered, for the items of the stages. Until somebody looks at it a stage may have it for
 * itself, and change it; whoever looks afterwards gets it parsed again.
 */
export class DeliveredValue {
  readonly #text: string
  readonly #exactNumbers: boolean
  #value: unknown
  #state: 'unseen' | 'seen' | 'taken' = 'unseen'

  /** The value that `parseLine` has made of the text. */
  constructor(value: unknown, text: string, exactNumbers: boolean) {
    this.#value = value
    this.#text = text
    this.#exactNumbers = exactNumbers
  }

  /** For everybody: from now on no stage may change it. */
  get shown(): unknown {
    if (this.#state === 'taken') this.#value = parseAgain(this.#text, { exactNumbers: this.#exactNumbers })
    this.#state = 'seen'
    return this.#value
  }

  set shown(value: unknown) {
    this.#value = value
    this.#state = 'seen'
  }

  /** For a stage that tells with `take` whether it has changed the value; undefined where it may not. */
  get unseen(): unknown {
    return this.#state === 'unseen' ? this.#value : undefined
  }

  take(): void {
    this.#value = undefined
    this.#state = 'taken'
  }
}

/** The item, with a property `delivered` that shows the value. A copy of the item has a plain value there. */
export function showDelivered<Item extends object>(
  item: Item,
  value: DeliveredValue,
): Item & { readonly delivered: unknown } {
  // Neither seen nor copied with the item.
  Object.defineProperty(item, valueOfItem, { value })
  return Object.defineProperty(item, 'delivered', shown) as Item & { readonly delivered: unknown }
}

export function deliveredValueOf(item: object): DeliveredValue | undefined {
  return (item as { readonly [valueOfItem]?: DeliveredValue })[valueOfItem]
}

const valueOfItem = Symbol('the delivered value')

/**
 * One pair of functions for all items. With a pair of its own, and likewise in a WeakMap, each item would outlive every
 * quick garbage collection, and a run take a quarter longer.
 */
const shown: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  configurable: true,
  get() {
    return deliveredValueOf(this)?.shown
  },
  set(replacement) {
    const value = deliveredValueOf(this)
    if (value !== undefined) value.shown = replacement
  },
}
