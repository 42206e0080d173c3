import type { InterfaceVersion } from '../../contracts/given-values.ts'
import type { ClientSettings } from '../../service/http/client-settings.ts'
import type { ServiceCredentials } from '../../service/http/service-credentials.ts'
import type { ServiceProxy } from '../../service/http/service-proxy.ts'
import type { RequestPlan } from '../../service/read/request-plan.ts'
import type { Partition } from '../../service/read/time-windows.ts'
import type { SourceIdsPlan } from './source-ids-plan.ts'

export interface FileSourcePlan {
  readonly kind: 'files'
  /** Paths and globs, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: 'auto' | 'ndjson' | 'json'
  /** The files together are one stream. */
  readonly parts: boolean
  /** The version of the interface that the records came from; where it is missing and columns are from it, the files say it. */
  readonly interfaceVersion?: InterfaceVersion
  /** The list of the records that are kept. */
  readonly sourceIds: SourceIdsPlan | null
}

/** A request to the service. */
export interface ServiceSourcePlan {
  readonly kind: 'service'
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Null where `check` or `plan` ran without the variable that holds it. */
  readonly baseUrl: string | null
  readonly filter: unknown
  readonly sorting: unknown
  readonly page: unknown
  /** Another request of a delta, for records that are read again by their ids. */
  readonly again?: RequestPlan['again']
  /** One request a window of time; null for one request in all. */
  readonly partition: Partition | null
  /** The list in the filter that came from a file. */
  readonly sourceIds: SourceIdsPlan | null
  readonly client: ClientSettings
  /** Null where requests go straight to the service, or where the address is not known. */
  readonly proxy: ServiceProxy | null
  /** Null where `check` or `plan` ran without them. No form of printing shows them. */
  readonly credentials: ServiceCredentials | null
}

export type SourcePlan = FileSourcePlan | ServiceSourcePlan
