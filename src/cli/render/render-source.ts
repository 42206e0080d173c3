import type { ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { SourceIdsSummary } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatSeconds } from '../../text/format-size.ts'

export interface ShownSource extends Omit<ServiceSourcePlan, 'sourceIds'> {
  readonly sourceIds: SourceIdsSummary | null
}

/** A source as `plan` shows it: with only the first codes of a list from a file, and the number of the others. */
export function toShownSource(source: ServiceSourcePlan): ShownSource {
  const { sourceIds, filter } = source
  if (sourceIds === null) return { ...source, sourceIds }
  const { summary, matched } = sourceIds
  if (source.alternatives !== undefined && matched !== undefined) {
    const asked = matched.keys.filter(({ identifiers }) => identifiers.length > 0)
    const alternatives = source.alternatives.map((each, at) => withShownList(each, asked[at]?.field ?? ''))
    return { ...source, alternatives, sourceIds: summary }
  }
  return { ...source, filter: withShownList(filter as Filter, summary.field), sourceIds: summary }
}

type Filter = Readonly<Record<string, unknown>>

/** Replaces a list that is the whole filter or a part of `and`. */
function withShownList(filter: Filter, field: string): Filter {
  if (Object.hasOwn(filter, field)) return { ...filter, [field]: shorten(filter[field] as readonly unknown[]) }
  const parts = filter['and'] as readonly Filter[]
  return { and: parts.map((part) => (Object.hasOwn(part, field) ? withShownList(part, field) : part)) }
}

const most = 5

function shorten(codes: readonly unknown[]): readonly unknown[] {
  if (codes.length <= most) return codes
  const shown = most - 2
  return [...codes.slice(0, shown), `… ${codes.length - shown} more`]
}

/** How a source sends its requests, on one line. */
export function formatClient({ client, proxy }: Pick<ServiceSourcePlan, 'client' | 'proxy'>): string {
  const { requestsPerMinute, retries, limits, userAgent } = client
  return [
    `at most ${requestsPerMinute} requests a minute`,
    countOf(retries, 'retry', 'retries'),
    `${formatSeconds(limits.connectTimeoutMs)} to connect, ${formatSeconds(limits.firstByteTimeoutMs)} to the first byte, ${formatSeconds(limits.idleTimeoutMs)} between two pieces`,
    ...(userAgent === null ? [] : [`as ${userAgent}`]),
    ...(proxy === null ? [] : [`through the proxy ${proxy.address}`]),
  ].join('; ')
}

/** `2,500 identifiers (cnk) in cnk.csv, column cnk: 2,600 rows, 90 repeats, 10 empty, 1,200 repaired; in 3 requests` */
export function formatSourceIds(list: SourceIdsSummary): string {
  const { file, column, field, rows, identifiers, repaired, repeated, empty, bad = 0, requests } = list
  const counts = [
    countOf(rows, 'row'),
    ...(repeated === 0 ? [] : [countOf(repeated, 'repeat')]),
    ...(empty === 0 ? [] : [`${formatCount(empty)} empty`]),
    ...(bad === 0 ? [] : [`${formatCount(bad)} bad`]),
    ...(repaired === 0 ? [] : [`${formatCount(repaired)} repaired`]),
  ]
  const place = column === null ? file : `${file}, column ${column}`
  const asked = countOf(identifiers, 'identifier')
  const shared = requests === 0 ? '' : `; in ${countOf(requests, 'request')}`
  return `${asked} (${field}) from ${place}: ${counts.join(', ')}${shared}`
}
