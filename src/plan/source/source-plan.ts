import type { InterfaceVersion } from '../../contracts/given-values.ts'
import type { ClientSettings } from '../../service/http/client-settings.ts'
import type { ServiceCredentials } from '../../service/http/service-credentials.ts'
import type { ServiceProxy } from '../../service/http/service-proxy.ts'
import type { RequestPlan } from '../../service/read/request-plan.ts'
import type { Partition } from '../../service/read/time-windows.ts'
import type { SourceIdsPlan } from './source-ids-plan.ts'

export interface FileSourcePlan {
  readonly kind: 'files'
  /** Paths and globs; `-` is standard input. */
  readonly files: readonly string[]
  readonly format: 'auto' | 'ndjson' | 'json'
  /** Whether the files together are one stream. */
  readonly parts: boolean
  /** Interface version of the records. If it is missing and columns need it, the files are asked. */
  readonly interfaceVersion?: InterfaceVersion
  readonly sourceIds: SourceIdsPlan | null
}

export interface ServiceSourcePlan {
  readonly kind: 'service'
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Null if `check` or `plan` ran without its variable. */
  readonly baseUrl: string | null
  readonly filter: unknown
  /** Filters that are requested instead, one for each key of a list; a record that several bring comes once. */
  readonly alternatives?: RequestPlan['alternatives']
  readonly sorting: unknown
  readonly page: unknown
  /** The extra request of a delta, for records that are read again by their ids. */
  readonly again?: RequestPlan['again']
  /** One request per time window; null for a single request. */
  readonly partition: Partition | null
  readonly sourceIds: SourceIdsPlan | null
  readonly client: ClientSettings
  /** Null if requests are direct, or if the address is not known. */
  readonly proxy: ServiceProxy | null
  /** Null if `check` or `plan` ran without them. They are hidden when printed. */
  readonly credentials: ServiceCredentials | null
}

export type SourcePlan = FileSourcePlan | ServiceSourcePlan
