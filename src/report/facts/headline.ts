import type { Finding } from '../facts.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import type { ReportManifest } from '../report-manifest.ts'

/** The findings that somebody has to look at. Page and terminal list these, in this order. */
export function listProblems(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity !== 'note')
}

/**
 * A run in one sentence, which page and terminal begin with: `1,750 of 2,000 products, 250 left out by conditions, none
 * lost on the way; 2 things to look at`.
 */
export function describeRun(report: ReportManifest, problems: readonly Finding[]): string {
  const { failure } = report
  if (failure !== undefined) return `${failure.title}: nothing was saved, the outputs are as they were`
  const tasks = describeTasks(problems)
  const read = `${describeSample(report)}${describeRecords(report)}`
  return tasks === '' ? read : `${read}; ${tasks}`
}

/** `a sample of 1,000 lines: ` if a run was to read no more; otherwise empty. */
function describeSample({ ledger: { lines }, completeness: { limit } }: ReportManifest): string {
  return limit === undefined ? '' : `a sample of ${countOf(lines, 'line')}: `
}

function describeRecords({ ledger, completeness, contract }: ReportManifest): string {
  const { lines, blank, accepted, rejected, filtered, duplicate } = ledger
  const read = lines - blank
  const [one, many] = toNouns(contract.name)
  if (read === 0) return `no ${one} came`
  const subject = `${accepted === read ? '' : `${formatCount(accepted)} of `}${countOf(read, one, many)}`
  const lost = [
    [filtered, 'left out by conditions'],
    [duplicate, 'left out as repeated'],
    [rejected, 'rejected'],
  ] as const
  const parts = lost.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []))
  const fate = rejected > 0 ? 'nothing else missing' : 'none lost on the way'
  return [subject, ...parts, ...(completeness.status === 'proven' ? [fate] : [])].join(', ')
}

/** The names of one record and of several: `news item` and `news items` for `v4/news-item`. */
export function toNouns(contract: string): [one: string, many: string] {
  const name = contract.slice(contract.lastIndexOf('/') + 1).replaceAll('-', ' ')
  if (name === 'raw') return ['record', 'records']
  if (name === 'media') return ['media item', 'media items']
  if (name.endsWith('s')) return [name, name]
  return [name, name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`]
}

/** Such as `1 thing is wrong, 2 to look at`. */
function describeTasks(problems: readonly Finding[]): string {
  const wrong = problems.filter(({ severity }) => severity === 'wrong').length
  const look = problems.length - wrong
  if (wrong === 0) return look === 0 ? '' : `${countOf(look, 'thing')} to look at`
  const subject = `${countOf(wrong, 'thing is', 'things are')} wrong`
  return look === 0 ? subject : `${subject}, ${formatCount(look)} to look at`
}
