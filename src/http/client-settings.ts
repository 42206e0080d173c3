import type { ServiceLimits } from './transport-failure.ts'

/** How the service is asked. What is read does not depend on it. */
export interface ClientSettings {
  /** Null is the name and version of this tool. */
  readonly userAgent: string | null
  /** How many requests all sources with the same key may have sent in a minute when this one sends another. */
  readonly requestsPerMinute: number
  /** How often a request that failed is sent again, and a reading that came short begun again. */
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
