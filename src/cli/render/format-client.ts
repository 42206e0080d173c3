import type { ServiceSourcePlan } from '../../plan/pipeline-plan.ts'

/** How a source asks the service, on one line. */
export function formatClient({ client, proxy }: Pick<ServiceSourcePlan, 'client' | 'proxy'>): string {
  const { requestsPerMinute, retries, limits, userAgent } = client
  return [
    `at most ${requestsPerMinute} requests a minute`,
    `${retries} ${retries === 1 ? 'retry' : 'retries'}`,
    `${seconds(limits.connectTimeoutMs)} to connect, ${seconds(limits.firstByteTimeoutMs)} to the first byte, ${seconds(limits.idleTimeoutMs)} between two pieces`,
    ...(userAgent === null ? [] : [`as ${userAgent}`]),
    ...(proxy === null ? [] : [`through the proxy ${proxy.address}`]),
  ].join('; ')
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`
}
