import { countOf, formatCount } from '../../text/format-count.ts'
import type { MissingIdentifiers, MissingReport } from '../../manifest/manifest.ts'
import type { ReportManifest } from '../report-manifest.ts'
import { readsPart } from './load.ts'

export interface MissingCodes extends Pick<MissingIdentifiers, 'key' | 'asked'> {
  readonly count: number
  /** Each code with its line in the list; null if it is not from a list. */
  readonly codes: readonly { readonly text: string; readonly line: number | null }[]
}

/**
 * The missing codes of the config, by request or filter, and those of its list. None for a delta, in which most codes
 * have not changed.
 */
export function listMissing(report: ReportManifest): {
  readonly lists: readonly MissingCodes[]
  readonly file: (Pick<MissingReport, 'path' | 'rows'> & { readonly text: string }) | null
} {
  if (readsPart(report)) return { lists: [], file: null }
  const { missingIds, sources } = report
  const lists = listMissingCodes(sources.flatMap(({ notes }) => notes?.missing ?? []))
  if (missingIds === undefined || missingIds.rows === 0) return { lists, file: null }
  const { path, rows } = missingIds
  return { lists, file: { path, rows, text: describeReasons(missingIds, report) } }
}

/** Such as `33 of 300 codes not found, 2 filtered, 1 bad`. */
function describeReasons(
  { notFound, bad, filtered = 0, duplicate = 0, rejected = 0, ...more }: MissingReport,
  { sourceIds }: ReportManifest,
): string {
  if (more.lines !== undefined) return describeLines({ ...more, notFound, bad, filtered, duplicate, rejected })
  const asked = sourceIds === undefined ? '' : ` of ${countOf(sourceIds.identifiers, 'code')}`
  const reasons = [
    [notFound, `${asked} not found`],
    [filtered, ' filtered'],
    [duplicate, ' left out as repeated'],
    [rejected, ' rejected'],
    [bad, ' bad'],
  ] as const
  return reasons.flatMap(([count, what]) => (count === 0 ? [] : [formatCount(count) + what])).join(', ')
}

/** Such as `8 of 300 lines without a product: 3 not found, 2 with a wrong check digit, 3 ambiguous`. */
function describeLines({ rows, lines = 0, ...counts }: Omit<MissingReport, 'path' | 'bytes' | 'sha256'>): string {
  const reasons = [
    [counts.notFound, ' not found'],
    [counts.wrongCheckDigit, ' with a wrong check digit'],
    [counts.ambiguous, ' on several products'],
    [counts.replaced, ' replaced'],
    [counts.inactive, ' inactive'],
    [counts.filtered, ' left out by a condition'],
    [counts.duplicate, ' left out as repeated'],
    [counts.rejected, ' rejected'],
    [counts.bad, ' with a text that is no code'],
    [counts.empty, ' without a code'],
  ] as const
  const said = reasons.flatMap(([count = 0, what]) => (count === 0 ? [] : [formatCount(count) + what]))
  return `${formatCount(rows)} of ${countOf(lines, 'line')} of the list without a product: ${said.join(', ')}`
}

export function listMissingCodes(lists: readonly MissingIdentifiers[]): MissingCodes[] {
  return lists
    .filter(({ missing }) => missing.length > 0)
    .map(({ key, asked, missing, inFile }) => {
      const inList = inFile?.map(({ line, written }) => ({ text: written.trim(), line }))
      return { key, asked, count: missing.length, codes: inList ?? missing.map((text) => ({ text, line: null })) }
    })
}
