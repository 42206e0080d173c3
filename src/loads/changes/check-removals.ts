import { countAllowed, describeExcess } from '../../plan/count-limit.ts'
import type { CountLimit } from '../../plan/count-limit.ts'
import { CatalogueError } from '../../errors.ts'

export interface Removals {
  /** The database or the outputs that records would be removed from. */
  readonly shown: string
  readonly removed: number
  /** Records of the state before the load. */
  readonly known: number
  readonly firstIds: readonly string[]
}

/** Throws REMOVED_TOO_MANY if a load, full or delta, would remove more records of the state than the limit allows. */
export function checkRemovals({ shown, removed, known, firstIds }: Removals, limit: CountLimit): void {
  const excess = describeExcess(limit, removed, known, 'published records to be removed (maxRemoved)')
  if (excess === null) return
  const first = firstIds.slice(0, 3).map((id) => `"${id}"`)
  const ids = first.length === 0 ? '' : `: ${first.join(', ')}${removed > first.length ? ', …' : ''}`
  const share = ((removed / known) * 100).toFixed(1)
  const message = `${shown}: ${excess} (${share} %)${ids}`
  throw new CatalogueError('REMOVED_TOO_MANY', message, listShortFix(limit, known, removed))
}

/** Advice if there are so few records that a share allows no removal; empty if the usual advice fits. */
export function listShortFix(limit: CountLimit, known: number, removed: number): { fix?: string } {
  if (limit.kind === 'count' || limit.percent === 0 || countAllowed(limit, known) > 0) return {}
  const fix =
    `Check that the source holds everything. ${limit.percent}% of ${known} is less than one, so none may go. Where some do ` +
    `now and then, give a count in the config, \`maxRemoved: ${removed}\`; for one run, \`--set maxRemoved=${removed}\`.`
  return { fix }
}
