import type { ReadLog } from './read-log.ts'
import type { ServiceClient } from '../http/service-client.ts'

/** What every way to read an answer needs. */
export interface ReadContext {
  /** In messages: the endpoint, and which of its requests. */
  readonly name: string
  readonly client: ServiceClient
  readonly notes: ReadLog
  readonly maxLineBytes: number
  readonly signal: AbortSignal
}
