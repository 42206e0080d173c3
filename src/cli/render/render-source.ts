import type { ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { SourceIdsSummary } from '../../manifest/manifest.ts'

export interface ShownSource extends Omit<ServiceSourcePlan, 'sourceIds'> {
  readonly sourceIds: SourceIdsSummary | null
}

/** A source as `plan` shows it: of a list from a file only the first codes, and how many more there are. */
export function toShownSource(source: ServiceSourcePlan): ShownSource {
  const { sourceIds, filter } = source
  if (sourceIds === null) return { ...source, sourceIds }
  const { summary } = sourceIds
  return { ...source, filter: withShownList(filter as Filter, summary.field), sourceIds: summary }
}

type Filter = Readonly<Record<string, unknown>>

/** The list is the whole filter, or a part of `and`. */
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

/** How a source asks the service, on one line. */
export function formatClient({ client, proxy }: Pick<ServiceSourcePlan, 'client' | 'proxy'>): string {
  const { requestsPerMinute, retries, limits, userAgent } = client
  return [
    `at most ${requestsPerMinute} requests a minute`,
    `${retries} ${retries === 1 ? 'retry' : 'retries'}`,
    `${seconds(limits.connectTimeoutMs)} to connect, ${seconds(limits.firstByteTimeoutMs)} to the first byte, ${seconds(limits.idleTimeoutMs)} between two pieces`,
    ...(userAgent === null ? [] : [`as ${userAgent}`]),
    ...(proxy === null ? [] : [`through the proxy ${proxy.address}`]),
  ].join('; ')
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`
}

/** `2,500 identifiers (cnk) in cnk.csv, column cnk: 2,600 rows, 90 repeats, 10 empty, 1,200 repaired; in 3 requests` */
export function formatSourceIds(list: SourceIdsSummary): string {
  const { file, column, field, rows, identifiers, repaired, repeated, empty, bad = 0, requests } = list
  const counts = [
    count(rows, 'row', 'rows'),
    ...(repeated === 0 ? [] : [count(repeated, 'repeat', 'repeats')]),
    ...(empty === 0 ? [] : [`${empty.toLocaleString('en')} empty`]),
    ...(bad === 0 ? [] : [`${bad.toLocaleString('en')} bad`]),
    ...(repaired === 0 ? [] : [`${repaired.toLocaleString('en')} repaired`]),
  ]
  const place = column === null ? file : `${file}, column ${column}`
  const asked = count(identifiers, 'identifier', 'identifiers')
  const shared = requests === 0 ? '' : `; in ${count(requests, 'request', 'requests')}`
  return `${asked} (${field}) from ${place}: ${counts.join(', ')}${shared}`
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
