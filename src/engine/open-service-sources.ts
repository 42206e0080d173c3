import type { PipelinePlan, ServiceSourcePlan } from '../config/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import { systemClock } from '../service/clock.ts'
import { createServiceSources } from '../service/create-service-sources.ts'
import { createRequestBudget } from '../service/request-budget.ts'
import { stagingPath } from '../sinks/staging-names.ts'
import type { OpenedSources, SourceContext } from './opened-sources.ts'
import { windowPath } from './side-files.ts'

/** One budget for all sources of the process: a key has so many requests a minute for everything it does. */
const budget = createRequestBudget({ clock: systemClock })

/** The source of a plan that reads from the service. Nothing is sent before it is read. */
export function openServiceSources(
  plan: PipelinePlan,
  source: ServiceSourcePlan,
  { token, onTrouble }: SourceContext,
): OpenedSources {
  const { baseUrl, credentials, partition } = source
  if (baseUrl === null || credentials === null) {
    throw new CatalogueError(
      'CONFIG_INVALID',
      `${plan.name}: expected baseUrl, keyId and keySecret to be set, got none`,
    )
  }
  const { keyId, keySecret } = credentials
  return createServiceSources(
    source,
    { baseUrl, keyId, keySecret },
    {
      budget,
      maxLineBytes: plan.records.maxLineBytes,
      incomplete: plan.completeness === 'report' ? 'deliver' : 'fail',
      partition: partition ?? undefined,
      spoolPath: (window) => stagingPath(windowPath(plan, window), { pid: process.pid, token }),
      onTrouble,
    },
  )
}
