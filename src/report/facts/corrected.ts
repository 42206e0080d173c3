import { countOf, formatCount } from '../../text/format-count.ts'
import type { ReportManifest } from '../report-manifest.ts'
import { readsPart } from './load.ts'

export interface CorrectedFact {
  readonly severity: 'look' | 'note'
  readonly count: number
  readonly text: string
  readonly details?: readonly string[]
}

/** What a table of corrections did, and the rows of it that lines did not need, if everything was read. */
export function describeCorrected(report: ReportManifest): CorrectedFact[] {
  const { corrected, completeness } = report
  if (corrected === undefined) return []
  const { path, rows, used, lines, unused } = corrected
  if (rows === 0) return [{ severity: 'note', count: 0, text: `no row of ${path} has a corrected value` }]
  const done = {
    severity: 'note',
    count: lines,
    text: `${countOf(lines, 'wrong value')} corrected by ${path}`,
  } as const
  const facts: CorrectedFact[] = lines === 0 ? [] : [done]
  const left = rows - used
  if (left === 0 || readsPart(report) || completeness.status === 'incomplete') return facts
  // Those that somebody has to mend come first.
  const sorted = unused.toSorted((one, other) => Number(one.reason === undefined) - Number(other.reason === undefined))
  const named = sorted.slice(0, mostNames).map(({ id, path: at, reason = usual }) => `${at} of ${id}: ${reason}`)
  const more = left > named.length ? [`${formatCount(left - named.length)} more in the manifest`] : []
  const text = `${formatCount(left)} of ${countOf(rows, 'correction')} in ${path} did nothing`
  return [{ severity: 'look', count: left, text, details: [...named, ...more] }, ...facts]
}

const usual = 'the source is right by now, or has no such line'

const mostNames = 10
