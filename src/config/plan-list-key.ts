import { checkEndpointName } from '../service/check-endpoint-name.ts'
import type { Endpoint } from '../service/endpoint.ts'
import { endpoints, isEndpointName, type EndpointName } from '../service/endpoints.ts'
import type { FilterValue } from '../service/filter-values.ts'
import { listFilterKeys } from '../service/list-filter-keys.ts'
import { listRequestNotes } from '../service/list-request-notes.ts'
import { closest } from '../did-you-mean.ts'
import { listChoices } from './list-choices.ts'
import type { CompletePipelineConfig } from './pipeline-schema.ts'
import { problemAt, type Problem } from './problem.ts'

type SourceIdsConfig = NonNullable<CompletePipelineConfig['sourceIds']>
type SourceConfig = CompletePipelineConfig['source']

/** The filter key that a list of identifiers is for. */
export interface ListKey {
  readonly field: string
  /** What one of its identifiers is. */
  readonly item: FilterValue
}

export interface PlannedListKey {
  readonly key: ListKey | null
  readonly problems: readonly Problem[]
  /** What is no problem but worth telling. */
  readonly notes: readonly Problem[]
}

/** Finds the filter key of `sourceIds` among those of the endpoint; `source` is null where it could not be read. */
export function planListKey(config: SourceIdsConfig, source: SourceConfig | null): PlannedListKey {
  if (source?.files !== undefined && source.endpoint === undefined)
    return noKey(misplaced('it only beside a source with an endpoint', 'it beside files'))
  const endpoint = toEndpoint(source?.endpoint)
  if (endpoint === null) return noKey()
  const keys = Object.keys(endpoint.filters).filter((name) => endpoint.filters[name]?.item !== undefined)
  if (keys.length === 0) return noKey(misplaced('an endpoint whose filter takes lists of identifiers', endpoint.name))
  const named = config.field ?? config.column ?? ''
  const wrongName = keys.includes(named) ? [] : [unknownKey(config, endpoint, keys)]
  // What surrounds a misspelt key is checked against the one that was meant.
  const field = wrongName[0]?.suggestion ?? named
  const item = endpoint.filters[field]?.item
  if (item === undefined) return noKey(...wrongName)
  const problems = [...wrongName, ...checkApart(config, field, source?.filter, endpoint), ...checkLength(config, item)]
  const notes = listRequestNotes(endpoint.name as EndpointName, { filter: { [field]: [] } }).map(({ message }) =>
    problemAt(placeOf(config), message),
  )
  return { key: { field, item }, problems, notes }
}

function noKey(...problems: Problem[]): PlannedListKey {
  return { key: null, problems, notes: [] }
}

function misplaced(expected: string, got: string): Problem {
  return { path: ['sourceIds'], atKey: true, message: `sourceIds: expected ${expected}, got ${got}` }
}

/** What surrounds a misspelt name is checked against the one that was meant. */
function toEndpoint(name: string | undefined): Endpoint | null {
  if (name === undefined) return null
  const meant = checkEndpointName(name)?.suggestion ?? name
  return isEndpointName(meant) ? endpoints[meant] : null
}

function unknownKey({ field, column = '' }: SourceIdsConfig, { name }: Endpoint, keys: readonly string[]): Problem {
  const expected = `expected an identifier key of ${name} (${listChoices(keys)})`
  const path = ['sourceIds', 'field']
  if (field === undefined)
    return problemAt(path, `missing key "field", ${expected}, got nothing`, closest(column, keys))
  return problemAt(path, `field: ${expected}, got "${field}"`, closest(field, keys))
}

/** The same key twice would ask for what is in both lists, and name what is not as missing. */
function checkApart(config: SourceIdsConfig, field: string, filter: unknown, endpoint: Endpoint): Problem[] {
  const isHeld = listFilterKeys(endpoint, filter).some(({ key, isFixed }) => key === field && !isFixed)
  if (!isHeld) return []
  return [problemAt(placeOf(config), `expected "${field}" either here or in source.filter, got both`)]
}

/** Where the config names the filter key. */
function placeOf({ field }: SourceIdsConfig): Problem['path'] {
  return ['sourceIds', field === undefined ? 'column' : 'field']
}

function checkLength({ length }: SourceIdsConfig, item: FilterValue): Problem[] {
  if (length === undefined || item.schema.safeParse('1'.padStart(length, '0')).success) return []
  const message = `length: expected a number of digits that ${item.accepts} may have, got ${length}`
  return [problemAt(['sourceIds', 'length'], message)]
}
