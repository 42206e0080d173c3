import { defaultClientSettings, type ClientSettings } from '../../http/client-settings.ts'
import type { CompletePipelineConfig } from '../../config/pipeline-schema.ts'

type SourceConfig = CompletePipelineConfig['source']

/** How the service is asked, with the defaults where the config says nothing. */
export function planClient({ userAgent, requestsPerMinute, timeouts, retries }: SourceConfig): ClientSettings {
  const usual = defaultClientSettings
  return {
    userAgent: userAgent ?? usual.userAgent,
    requestsPerMinute: requestsPerMinute ?? usual.requestsPerMinute,
    retries: retries ?? usual.retries,
    limits: {
      connectTimeoutMs: timeouts?.connect ?? usual.limits.connectTimeoutMs,
      firstByteTimeoutMs: timeouts?.firstByte ?? usual.limits.firstByteTimeoutMs,
      idleTimeoutMs: timeouts?.idle ?? usual.limits.idleTimeoutMs,
    },
  }
}
