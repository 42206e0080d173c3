import type { ServiceLimits } from '../../service/http/transport-failure.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { LocaleChain } from '../locales.ts'
import type { CountLimit } from '../count-limit.ts'

/** Everything that the command `media` does with the records of a pipeline. Plain data. */
export interface MediaPlan {
  /** The list whose elements have files; `$` where the record has. */
  readonly from: string
  /** The column of the record's id. */
  readonly recordColumn: string
  /** A row for each photo, frontal or leaflet: `item_id`, `locales`, `display_order`, and its addresses. */
  readonly table: TablePlan
  /** Conditions on records that have files themselves; those on elements of a list are in the table. */
  readonly where: readonly Condition[]
  /** The sizes of images, with the columns of their addresses; null for leaflets, whose column `url` has an address by locale. */
  readonly formats: readonly { readonly name: string; readonly column: string }[] | null
  /** Only one of a list is downloaded, for each record and format; null: all are. */
  readonly chain: LocaleChain | null
  /** Says who downloads. */
  readonly userAgent: string
  readonly concurrency: number
  readonly maxBytes: number
  /** How many files with an address may be missing. */
  readonly maxMissing: CountLimit
  readonly retries: number
  readonly limits: ServiceLimits
  /** Of one file, with redirects. */
  readonly totalTimeoutMs: number
  /** Files that are there are requested again, on the condition that they have changed. */
  readonly revalidate: boolean
  readonly keepsObsolete: boolean
  readonly allowPrivate: boolean
}
