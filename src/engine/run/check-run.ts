import { countAllowed, formatAllowed } from '../../plan/count-limit.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { Reject } from '../../records/reject.ts'
import type { Completeness } from '../../sources/completeness.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import { suggestContract } from './suggest-contract.ts'
import type { Ledger } from './run-counters.ts'

/** What is left of the rejects at the end of a run. */
export interface RejectsSeen {
  /** Where and why the first line was rejected; null while none was. */
  readonly firstReject: string | null
  /** The first few of them. */
  readonly rejectSamples: readonly Reject[]
  /** Those of records that were rejected in an earlier run already, and are known to be stale; default none. */
  readonly repeatedRejects?: number
}

/** Throws where what was read must not be published: SOURCE_INCOMPLETE, then TOO_MANY_REJECTS. */
export function checkRun(
  plan: PipelinePlan,
  ledger: Ledger,
  { completeness }: ReadEnd,
  limit: number | null,
  { firstReject, rejectSamples, repeatedRejects = 0 }: RejectsSeen = { firstReject: null, rejectSamples: [] },
): void {
  checkBalance(ledger)
  if (limit === null) checkComplete(plan, completeness)
  const { limit: rejectLimit } = plan.rejects
  // A night must not fail for records that are asked for again as they were rejected before.
  const lines = ledger.lines - ledger.blank - repeatedRejects
  const rejected = ledger.rejected - repeatedRejects
  if (rejected <= countAllowed(rejectLimit, lines)) return
  const message = `${plan.name}: expected at most ${formatAllowed(rejectLimit, lines)} of ${format(lines)} lines to be rejected, got ${format(rejected)}`
  const first = firstReject === null ? '' : `; the first: ${firstReject}`
  const hint = rejected >= lines * shareOfDoubt ? suggestContract(plan, rejectSamples) : ''
  throw new CatalogueError('TOO_MANY_REJECTS', message + first + hint)
}

/** With so many rejects, the contract may be another one than the config says. */
const shareOfDoubt = 0.5

function format(count: number): string {
  return count.toLocaleString('en')
}

/** Throws SOURCE_INCOMPLETE where something is missing and the config does not take that. */
export function checkComplete(plan: PipelinePlan, { status, reasons }: Completeness): void {
  if (status !== 'incomplete' || plan.completeness !== 'require') return
  const message = `${plan.name}: expected every record of the stream once, got this: ${reasons.join('; ')}`
  throw new CatalogueError('SOURCE_INCOMPLETE', message)
}

/** The promise of the ledger, checked on every run rather than believed. */
function checkBalance({ lines, blank, rejected, filtered, duplicate, accepted }: Ledger): void {
  if (lines === blank + rejected + filtered + duplicate + accepted) return
  const message = `the ledger does not balance: ${lines} lines, ${blank} blank, ${rejected} rejected, ${filtered} filtered, ${duplicate} duplicate, ${accepted} accepted`
  throw new CatalogueError('UNEXPECTED', message)
}
