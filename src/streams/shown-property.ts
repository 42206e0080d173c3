import { inspect, types } from 'node:util'

/** What is made only when somebody looks at it. */
export interface Shown {
  shown: unknown
}

/** A property of items that shows a value when somebody looks at it. A copy of the item has a plain value there. */
export interface ShownProperty<Value extends Shown> {
  readonly define: <Item extends object>(item: Item, value: Value) => Item
  /** The value of an item that has the property; undefined for any other item. */
  readonly of: (item: object) => Value | undefined
}

/**
 * One pair of functions for all items. With a pair of its own, and likewise in a WeakMap, each item would outlive every
 * quick garbage collection, and a run take a quarter longer.
 */
export function createShownProperty<Value extends Shown>(name: string): ShownProperty<Value> {
  const symbol = Symbol(name)
  const valueOf = (item: object) => (item as { readonly [symbol]?: Value })[symbol]
  /** An item that is another's child or proxy, or has had the property replaced, says for itself what it holds. */
  const isShown = (item: object) =>
    Object.hasOwn(item, symbol) &&
    Object.getOwnPropertyDescriptor(item, name)?.get === shown.get &&
    !types.isProxy(item)
  const shown: PropertyDescriptor & ThisType<object> = {
    enumerable: true,
    configurable: true,
    get() {
      return valueOf(this)?.shown
    },
    set(replacement: unknown) {
      const value = valueOf(this)
      if (Object.hasOwn(this, symbol) && value !== undefined) value.shown = replacement
      else Object.defineProperty(this, name, { ...plainly, value: replacement })
    },
  }
  return {
    define(item, value) {
      // Neither seen nor copied with the item.
      Object.defineProperty(item, symbol, { value })
      Object.defineProperty(item, name, shown)
      return item
    },
    of: (item) => (isShown(item) ? valueOf(item) : undefined),
  }
}

const plainly = { enumerable: true, configurable: true, writable: true } as const

/** Lets `console.log` show the values of such properties, where it would tell that there is a function. */
export function showInspected<Item extends object>(item: Item): Item {
  return Object.defineProperty(item, inspect.custom, inspected)
}

const inspected: PropertyDescriptor & ThisType<object> = {
  value() {
    return { ...this }
  },
}
