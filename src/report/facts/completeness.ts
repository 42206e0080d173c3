import type { Completeness, SourceReport } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

/** Such as `2 files, each complete: indexes 0 to 19,996, each once`. Parts of one stream have no total of their own. */
export function describeProof({ total }: Completeness, sources: readonly SourceReport[]): string {
  if (total === 0) return 'no record matches'
  const totals = sources.flatMap(({ completeness }) => completeness.total ?? [])
  const isOneStream = sources.length < 2 || totals.length === 0
  if (isOneStream) return describeRange(total ?? 0)
  const ranges = [...new Set(totals)].map(describeRange)
  const noun = sources.some(({ notes, landed }) => notes !== undefined && landed === undefined) ? 'source' : 'file'
  const shown = ranges.length === 1 ? ranges[0] : 'every index from 0 to its last, each once'
  return `${countOf(sources.length, noun)}, each complete: ${shown}`
}

function describeRange(total: number): string {
  return `indexes 0 to ${formatCount(total - 1)}, each once`
}

export function describeDoubt({ status, reasons }: Completeness): string {
  const more = reasons.length > 3 ? `; ${reasons.length - 3} more in the manifest` : ''
  const subject = status === 'incomplete' ? 'the source is not complete' : 'nothing shows if the source is complete'
  return `${subject}: ${reasons.slice(0, 3).join('; ')}${more}`
}
