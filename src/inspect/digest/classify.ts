import { comparePrices } from '../diff/price-change.ts'
import { isReplaced } from '../../records/replacements.ts'
import type { DigestEntry, EntryKind } from './digest-schema.ts'

/** The state of a product at one end of the span, as texts. */
export interface ProductState {
  readonly status: string | null
  readonly replacement: string | null
  readonly name: string | null
  readonly brand: string | null
  readonly code: string | null
  readonly prices: readonly (string | null)[]
}

export interface ChangedProduct {
  readonly id: string
  readonly before: ProductState | null
  readonly after: ProductState | null
}

type Change = Pick<DigestEntry, 'kind' | 'price'>

/**
 * Says what became of a product for those who sell it. A product is on sale if it is there and active; one without a known
 * status is. Prices count while it stays on sale.
 */
export function classify({ before, after }: Omit<ChangedProduct, 'id'>, priceNames: readonly string[]): Change[] {
  if (before !== null && after !== null && isNewlyReplaced(before, after)) return [toChange('replaced')]
  const [was, is] = [isOnSale(before), isOnSale(after)]
  if (!was && is) return [toChange(before === null ? 'new' : 'back')]
  if (was && !is) return [toChange(after === null ? 'gone' : 'withdrawn')]
  if (!was || before === null || after === null) return []
  return priceNames.flatMap((column, at) => {
    const [old, next] = [before.prices[at] ?? null, after.prices[at] ?? null]
    const change = comparePrices(old, next)
    if (change === null) return []
    const { direction, amount, percent } = change
    return [{ kind: kindOf[direction], price: { column, old, new: next, amount, percent } }]
  })
}

const kindOf = { up: 'up', down: 'down', came: 'priced', went: 'unpriced' } as const

function toChange(kind: EntryKind): Change {
  return { kind, price: null }
}

function isNewlyReplaced(before: ProductState, after: ProductState): boolean {
  return isReplaced(after) && !(isReplaced(before) && before.replacement === after.replacement)
}

function isOnSale(state: ProductState | null): boolean {
  return state !== null && !isReplaced(state) && (state.status === null || state.status === 'active')
}
