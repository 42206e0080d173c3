import type { PipelinePlan, ServiceSourcePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { createServiceSources } from '../../service/create-service-sources.ts'
import { stagingPath } from '../../publish/staging-names.ts'
import type { OpenedSources, SourceContext } from './opened-sources.ts'
import { shareBudget } from '../../http/request-budget-registry.ts'
import { windowPath } from '../outputs/side-files.ts'

/** The source of a plan that reads from the service. Nothing is sent before it is read. */
export function openServiceSources(
  plan: PipelinePlan,
  source: ServiceSourcePlan,
  { token, onWarning }: SourceContext,
): OpenedSources {
  const { baseUrl, credentials, partition, client, proxy } = source
  if (baseUrl === null || credentials === null) {
    throw new CatalogueError(
      'CONFIG_INVALID',
      `${plan.name}: expected baseUrl, keyId and keySecret to be set, got none`,
    )
  }
  const { keyId, keySecret } = credentials
  return createServiceSources(
    source,
    { baseUrl, keyId, keySecret, userAgent: client.userAgent, proxy },
    {
      budget: shareBudget({ baseUrl, keyId }),
      requestsPerMinute: client.requestsPerMinute,
      limits: client.limits,
      retries: client.retries,
      maxLineBytes: plan.records.maxLineBytes,
      incomplete: plan.completeness === 'report' ? 'deliver' : 'fail',
      partition: partition ?? undefined,
      spoolPath: (window) => stagingPath(windowPath(plan, window), { pid: process.pid, token }),
      onWarning,
    },
  )
}
