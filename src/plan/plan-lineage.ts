import type { Sections } from '../config/check-sections.ts'
import { problemAt, type Problem } from '../config/problem.ts'
import type { LineagePlan } from './report-plan.ts'

interface PlannedLineage {
  readonly plan: LineagePlan | null
  readonly problems: readonly Problem[]
}

/** Plans `lineage`. `path` is where its file is; `isUnset` if its address is a variable that need not be set. */
export function planLineage(config: Sections['lineage'], path: string | null, isUnset: boolean): PlannedLineage {
  const { url, namespace } = config ?? {}
  const named = { ...(namespace !== undefined && { namespace }) }
  if (path !== null) return { plan: { path, ...named }, problems: [] }
  if (url === undefined || isUnset) return { plan: null, problems: [] }
  const message = checkUrl(url)
  if (message !== null) return { plan: null, problems: [problemAt(['lineage', 'url'], `url: ${message}`)] }
  return { plan: { url, ...named }, problems: [] }
}

/** In words that quote no password; null if there is none. */
function checkUrl(url: string): string | null {
  const expected = 'expected an address such as http://marquez.example.com:5000'
  if (url.includes('@')) return `${expected}, got one with a user or a password: set OPENLINEAGE_API_KEY instead`
  const { protocol = '', search = '', hash = '' } = URL.canParse(url) ? new URL(url) : {}
  if (!['http:', 'https:'].includes(protocol)) return `${expected}, got "${url}"`
  return search === '' && hash === '' ? null : `${expected}, without ? and #, got one with them, which are not shown`
}
