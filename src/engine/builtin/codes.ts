import { checkDigit } from '../../codes/schemes.ts'
import type { Row } from '../../records/flatten/column.ts'
import type { BuiltinPlan } from '../../records/flatten/table-plan.ts'
import type { Computation, FeedRow } from './computation.ts'
import { compileProductCodes, type ListCodes } from './product-codes.ts'
import { type Holders, SharedKeys } from './shared-keys.ts'

/** The rows of `builtin: codes`: a row for each code of each product. */
export class CodesComputation implements Computation {
  readonly #listCodes: ListCodes
  readonly #keys: SharedKeys

  constructor(plan: BuiltinPlan) {
    const listCodes = compileProductCodes(plan)
    this.#listCodes = listCodes
    this.#keys = new SharedKeys((row) => listCodes(row).flatMap(({ key }) => key ?? []))
  }

  add(row: FeedRow): void {
    this.#keys.add(row)
  }

  *compute(read: () => Iterable<FeedRow>): Generator<Row> {
    const shared = this.#keys.findHolders(read())
    for (const row of read()) {
      const id = String(row['id'])
      for (const [at, { scheme, delivered, canonical, key }] of this.#listCodes(row).entries()) {
        if (canonical === null || key === null) yield [id, at + 1, scheme, delivered, null, 'none', null, null]
        else {
          const holders = shared.get(key)
          const [count, chosen] = holders === undefined ? [1, id] : [holders.size, choose(holders)]
          yield [id, at + 1, scheme, delivered, canonical, checkDigit(scheme, canonical), count, chosen]
        }
      }
    }
  }
}

/**
 * The only product that has a code, else the only active one. Of several active ones, or several of which none is
 * active, none is better than the others: to take the first would be chance.
 */
function choose(holders: Holders): string {
  const active = [...holders].flatMap(([id, status]) => (status === 'active' ? [id] : []))
  const [only, ...others] = holders.size === 1 ? holders.keys() : active
  return only === undefined || others.length > 0 ? 'ambiguous' : only
}
