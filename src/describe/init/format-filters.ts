import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import type { FilterParameter } from '../../service/endpoints/filter-kinds.ts'
import { cutText } from '../../text/cut-text.ts'
import { quoteYaml } from './yaml-text.ts'

/** Formats the filter of an endpoint as comments: each key that is not deprecated, with an example value. */
export function formatFilters(endpoint: Endpoint): string[] {
  const current = Object.entries(endpoint.filters).filter(([, { deprecated }]) => deprecated === undefined)
  const filters = current.toSorted(([a], [b]) => Number(b in ownExamples) - Number(a in ownExamples))
  if (endpoint.filter === 'none' || filters.length === 0) return []
  const isNeeded = endpoint.filter === 'required' && endpoint.defaultFilter === null
  const mark = isNeeded ? '' : '# '
  const comment = isNeeded
    ? 'the record to read'
    : 'reads everything; for less, remove the # here and before what you need: all of them must hold'
  return [
    `  ${mark}filter: # ${comment}`,
    ...filters.map(([key, filter]) => `  ${mark}  ${key}: ${formatExample(key, filter)}${formatAccepted(filter)}`),
  ]
}

function formatAccepted({ accepts }: FilterParameter): string {
  return accepts === 'true or false' ? '' : ` # ${cutText(accepts.replaceAll('"', ''), longestComment)}`
}

const longestComment = 100

function formatExample(key: string, filter: FilterParameter): string {
  const own = ownExamples[key]
  const examples = own === undefined ? usualExamples(filter) : [own, ...usualExamples(filter)]
  const example = examples.find((value) => filter.schema.safeParse(value).success)
  return formatValue(example ?? '')
}

const ownExamples: Readonly<Record<string, unknown>> = {
  status: ['active', 'replaced'],
  updatedSince: '-24h',
  createdAt: { from: '2026-01-01', until: '2026-07-01' },
}

/** Values of every kind; the first that a filter accepts is its example. */
function usualExamples({ accepts, hasRange }: FilterParameter): unknown[] {
  const [, choice] = /"([^"]+)"/.exec(accepts) ?? []
  return [
    ...(hasRange === true ? ['-24h'] : []),
    ...(choice === undefined ? [] : [choice]),
    true,
    { query: 'paracetamol', locale: 'nl' },
    { flag: 'name', locale: 'nl' },
    { value: 10, operator: 'gte' },
    ...(accepts.includes('whole number') ? [1] : []),
    '1234567',
    'M34C3D3A5E',
  ]
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoteYaml(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([key, member]) => `${key}: ${formatValue(member)}`)
  return `{ ${members.join(', ')} }`
}
