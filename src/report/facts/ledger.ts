import type { FilteredBy, Ledger } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'
import type { ReportManifest } from '../report-manifest.ts'

export type Outcome = 'accepted' | 'rejected' | 'filtered' | 'duplicate' | 'blank'

const outcomes: readonly Outcome[] = ['accepted', 'rejected', 'filtered', 'duplicate', 'blank']

/** The outcomes of the lines; the counts add up to all lines. `text` is such as `12 rejected`. */
export function listOutcomes(ledger: Ledger): { outcome: Outcome; count: number; text: string }[] {
  return outcomes.map((outcome) => {
    const count = ledger[outcome]
    return { outcome, count, text: `${formatCount(count)} ${outcome}` }
  })
}

export function listLeftOut({ filteredBy = [] }: Pick<ReportManifest, 'filteredBy'>): FilteredBy[] {
  return filteredBy.filter(({ filtered }) => filtered > 0)
}
