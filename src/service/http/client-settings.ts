import type { ServiceLimits } from './transport-failure.ts'

export interface ClientSettings {
  /** Null for the name and version of this tool. */
  readonly userAgent: string | null
  /** This source sends no request while all sources with the same key have sent this many within a minute. */
  readonly requestsPerMinute: number
  /** How often a failed request is sent again, and how often an incomplete result is read again. */
  readonly retries: number
  readonly limits: ServiceLimits
}

/** The rate is the one in the specification (Limits). */
export const defaultClientSettings: ClientSettings = {
  userAgent: null,
  requestsPerMinute: 100,
  retries: 5,
  limits: { connectTimeoutMs: 10_000, firstByteTimeoutMs: 120_000, idleTimeoutMs: 60_000 },
}
