import type { ServiceLimits } from './transport-failure.ts'

/** Settings of requests. The records that are read don't depend on them. */
export interface ClientSettings {
  /** Null is the name and version of this tool. */
  readonly userAgent: string | null
  /** The most requests that all sources with the same key may have sent in a minute when this one sends another. */
  readonly requestsPerMinute: number
  /** The times that a request that failed is sent again, and a reading that came short is begun again. */
  readonly retries: number
  readonly limits: ServiceLimits
}

/** The rate is that of the specification (Limits). */
export const defaultClientSettings: ClientSettings = {
  userAgent: null,
  requestsPerMinute: 100,
  retries: 5,
  limits: { connectTimeoutMs: 10_000, firstByteTimeoutMs: 120_000, idleTimeoutMs: 60_000 },
}
