import type { SourcePlan } from '../../plan/pipeline-plan.ts'

/**
 * Host and path of the service that a source asks: what tells an environment from another. Null for files, and where the
 * address is not known.
 */
export function nameService(source: SourcePlan): string | null {
  if (source.kind === 'files' || source.baseUrl === null) return null
  const { hostname, pathname } = new URL(source.baseUrl)
  return hostname + pathname.replace(/\/+$/, '')
}
