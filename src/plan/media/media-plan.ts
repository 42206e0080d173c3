import type { ServiceLimits } from '../../service/http/transport-failure.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { LocaleChain } from '../locales.ts'
import type { CountLimit } from '../count-limit.ts'

/** Plan of the command `media`. Plain data. */
export interface MediaPlan {
  /** Path of the list whose elements have files; `$` if the record itself has them. */
  readonly from: string
  readonly recordColumn: string
  /** A table with a row per photo, frontal or leaflet: `item_id`, `locales`, `display_order`, and its addresses. */
  readonly table: TablePlan
  /** Conditions on records that have files themselves. Conditions on elements of a list are in the table. */
  readonly where: readonly Condition[]
  /** Image sizes with their address columns; null for leaflets, whose column `url` has an address per locale. */
  readonly formats: readonly { readonly name: string; readonly column: string }[] | null
  /** Locales to choose one file by, for each record and format; null to download all. */
  readonly chain: LocaleChain | null
  readonly userAgent: string
  readonly concurrency: number
  readonly maxBytes: number
  readonly maxMissing: CountLimit
  readonly retries: number
  readonly limits: ServiceLimits
  /** Timeout of one file including redirects. */
  readonly totalTimeoutMs: number
  readonly revalidate: boolean
  readonly keepsObsolete: boolean
  readonly allowPrivate: boolean
}
