import { z } from 'zod'
import type { ContractName } from '../../contracts/contracts.ts'
import type { FilterParameter } from './filter-kinds.ts'
import { locale } from './filter-values.ts'
import { closedObject, errorText, formatChoices } from './request-issues.ts'

/** Whether a request has a member. A required member gets its default if the config gives none. */
export type Need = 'required' | 'optional' | 'none'

export type Reading = 'stream' | 'paged' | 'list' | 'find'

export type Direction = 'ASC' | 'DESC'

type Table<Entry> = Readonly<Record<string, Entry>>

export interface EndpointDefinition<
  Contract extends ContractName = ContractName,
  Filters extends Table<FilterParameter> = Table<FilterParameter>,
  Sortings extends Table<z.ZodType> = Table<z.ZodType>,
> {
  readonly method: 'GET' | 'POST'
  readonly contract: Contract
  /**
   * `stream`: a record a line; `paged`: `results[]` in pages; `list`: everything in one document; `find`: one record.
   */
  readonly read: Reading
  readonly filter: Need
  readonly sorting: Need
  readonly page: Need
  readonly filters: Filters
  /** Whether filters can be combined with `and`, `or` and `not`; all POST endpoints allow it. */
  readonly combinators: boolean
  readonly sortings: Sortings
  /**
   * The filter and sorting keys beyond the tables that pass unchecked. `true`: all but misspelt ones, if the
   * specification does not show the keys. `markets`: those of other markets, if it lists only its own.
   */
  readonly openKeys: boolean | 'markets'
  /** Sent if `filter` is required and the config has none. Null if there is no sensible default. */
  readonly defaultFilter: Readonly<Record<string, never>> | null
  /**
   * The order if the config has none. Sent only if `sorting` is required; otherwise it is the service's own order. Null
   * if it is not shown or there is none.
   */
  readonly defaultSorting: Readonly<Record<string, Direction>> | null
  /** The specification shows the filter `id`, so records can be requested by id. */
  readonly asksById?: true
  /** For `find` only: the key that wraps the record, if known. */
  readonly wrappedIn?: string
  readonly deprecated?: string
  readonly assumption?: string
}

export interface Endpoint extends EndpointDefinition {
  readonly name: string
  readonly path: string
}

export function direction() {
  const accepts = formatChoices(['ASC', 'DESC'])
  return z.enum(['ASC', 'DESC'], errorText(accepts))
}

export function directionInLocale() {
  const accepts = 'an object { direction, locale }'
  return closedObject({ direction: direction(), locale: locale().schema }, accepts)
}
