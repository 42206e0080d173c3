import { z } from 'zod'
import type { ContractName } from '../../contracts/contracts.ts'
import type { FilterParameter } from './filter-kinds.ts'
import { locale } from './filter-values.ts'
import { closedObject, errorText, formatChoices } from './request-issues.ts'

/** The presence of a member in a request: `required` ones get their default when a config gives none. */
export type Need = 'required' | 'optional' | 'none'

export type Direction = 'ASC' | 'DESC'

type Table<Entry> = Readonly<Record<string, Entry>>

/** An endpoint by its requests and answers. */
export interface EndpointDefinition<
  Contract extends ContractName = ContractName,
  Filters extends Table<FilterParameter> = Table<FilterParameter>,
  Sortings extends Table<z.ZodType> = Table<z.ZodType>,
> {
  readonly method: 'GET' | 'POST'
  /** The contract of its records; `raw` where the specification does not show their fields. */
  readonly contract: Contract
  /** `stream`: a record a line; `paged`: `results[]` in pages; `list`: everything in one document; `find`: one record. */
  readonly read: 'stream' | 'paged' | 'list' | 'find'
  readonly filter: Need
  readonly sorting: Need
  readonly page: Need
  readonly filters: Filters
  /** Filters can be combined with `and`, `or` and `not`; all POST endpoints can. */
  readonly combinators: boolean
  readonly sortings: Sortings
  /**
   * Filter and sorting keys beyond the tables that pass unchecked: all but misspelt ones where the specification does
   * not show the keys, and those of other markets where it lists the keys of its own.
   */
  readonly openKeys: boolean | 'markets'
  /** Sent where `filter` is required and a config has none. Null: there is no sensible default. */
  readonly defaultFilter: Readonly<Record<string, never>> | null
  /**
   * The order where a config has none. It is sent where `sorting` is required; elsewhere it is the service's own and
   * nothing is sent. Null: not shown, or no order.
   */
  readonly defaultSorting: Readonly<Record<string, Direction>> | null
  /** The specification shows the filter `id`: records can be asked for by it. */
  readonly asksById?: true
  /** `find` only: the key that the record is wrapped in, where it is known. */
  readonly wrappedIn?: string
  readonly deprecated?: string
  /** The assumption about an endpoint of which the specification shows only the name. */
  readonly assumption?: string
}

export interface Endpoint extends EndpointDefinition {
  /** As configs write it: `v4/products/stream`. */
  readonly name: string
  /** `/v4/products/stream` */
  readonly path: string
}

/** ASC or DESC, the value of every sorting but `name`. */
export function direction() {
  const accepts = formatChoices(['ASC', 'DESC'])
  return z.enum(['ASC', 'DESC'], errorText(accepts))
}

/** The value of the sorting by `name`. */
export function directionInLocale() {
  const accepts = 'an object { direction, locale }'
  return closedObject({ direction: direction(), locale: locale().schema }, accepts)
}
