import { checkEndpointName, endpoints, isEndpointName, type EndpointName } from '../../service/endpoints/endpoints.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { type FilterValue, text } from '../../service/endpoints/filter-values.ts'
import { listIdentifierFields } from '../../service/endpoints/split-identifiers.ts'
import { listFilterKeys } from '../../service/endpoints/list-filter-keys.ts'
import { listRequestNotes } from '../../service/endpoints/list-request-notes.ts'
import { listChoices, closest } from '../../text/choices.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { type Contract, type ContractName, contracts, isContractName, suits } from '../../contracts/contracts.ts'
import { listCodeFields } from '../../contracts/code-fields.ts'
import type { ExtraFields } from '../../contracts/extended/extra-fields.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { toRoot } from '../records/plan-tables.ts'

type SourceIdsConfig = NonNullable<CompletePipelineConfig['sourceIds']>
type KeyConfig = Pick<SourceIdsConfig, 'field' | 'column' | 'length'>
type SourceConfig = CompletePipelineConfig['source']

export interface KeyContext {
  readonly source: SourceConfig | null
  /** The fields that `contract.extra` adds: of its codes, records of files can be found by those of the record itself. */
  readonly extra?: ExtraFields | undefined
}

export interface ListKey {
  readonly field: string
  readonly item: FilterValue
}

export interface PlannedListKey {
  readonly key: ListKey | null
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
}

/**
 * Finds the filter key of `sourceIds` among those of the endpoint, and of files also among the codes of `contract.extra`. `source` is null if it is invalid; `place` is the key of
 * the config that names it.
 */
export function planListKey(
  config: KeyConfig,
  { source, extra = {} }: KeyContext,
  place: Problem['path'],
): PlannedListKey {
  if (source?.files !== undefined && source.endpoint === undefined)
    return planFileKey(config, source.contract, place, extra)
  const endpoint = toEndpoint(source?.endpoint)
  if (endpoint === null) return noKey()
  const keys = Object.keys(endpoint.filters).filter((name) => endpoint.filters[name]?.item !== undefined)
  if (keys.length === 0) return noKey(misplaced('an endpoint whose filter takes lists of identifiers', endpoint.name))
  const named = nameOf(config)
  const wrongName = keys.includes(named) ? [] : [unknownKey(config, endpoint.name, keys, place)]
  // The rest of the config is checked against the key that was probably meant.
  const field = wrongName[0]?.suggestion ?? named
  const item = endpoint.filters[field]?.item
  if (item === undefined) return noKey(...wrongName)
  const problems = [...wrongName, ...checkApart(field, source?.filter, endpoint, place), ...checkLength(config, item)]
  const notes = listRequestNotes(endpoint.name as EndpointName, { filter: { [field]: [] } }).map(({ message }) =>
    problemAt(place, message),
  )
  return { key: { field, item }, problems, notes }
}

function planFileKey(
  config: KeyConfig,
  contract: string | undefined,
  place: Problem['path'],
  extra: ExtraFields,
): PlannedListKey {
  // An unknown contract is reported separately.
  if (contract === undefined || !isContractName(contract)) return noKey()
  const items = listFileKeys(contract, extra)
  const keys = [...items.keys()]
  if (keys.length === 0) return noKey(misplaced('a contract whose records are asked for by identifiers', contract))
  const named = nameOf(config)
  const wrongName = items.has(named) ? [] : [unknownKey(config, contract, keys, place)]
  const field = wrongName[0]?.suggestion ?? named
  const item = items.get(field)
  if (item === undefined) return noKey(...wrongName)
  return { key: { field, item }, problems: [...wrongName, ...checkLength(config, item)], notes: [] }
}

function listFileKeys(name: ContractName, extra: ExtraFields): Map<string, FilterValue> {
  const items = new Map<string, FilterValue>()
  for (const { contract, filters } of Object.values<Endpoint>(endpoints)) {
    if (!suits(name, contract)) continue
    for (const [key, { item }] of Object.entries(filters)) {
      if (item !== undefined && listIdentifierPaths(contracts[name], key).length > 0) items.set(key, item)
    }
  }
  // The service can't be asked by these, but records of files have them.
  for (const { path } of listCodeFields({ fields: new Map(), extra })) {
    const key = path.replace(/\[\]$/, '')
    if (!items.has(key) && !/[.[]/.test(key)) items.set(key, text(`a code of ${key}`))
  }
  return items
}

function nameOf({ field, column }: KeyConfig): string {
  return field ?? (typeof column === 'string' ? column : '')
}

function noKey(...problems: Problem[]): PlannedListKey {
  return { key: null, problems, notes: [] }
}

function misplaced(expected: string, got: string): Problem {
  return { path: ['sourceIds'], atKey: true, message: `sourceIds: expected ${expected}, got ${got}` }
}

function toEndpoint(name: string | undefined): Endpoint | null {
  if (name === undefined) return null
  const meant = checkEndpointName(name)?.suggestion ?? name
  return isEndpointName(meant) ? endpoints[meant] : null
}

function unknownKey(config: KeyConfig, name: string, keys: readonly string[], place: Problem['path']): Problem {
  const { field } = config
  const expected = `expected an identifier key of ${name} (${listChoices(keys)})`
  if (field === undefined)
    return problemAt(
      ['sourceIds', 'field'],
      `missing key "field", ${expected}, got nothing`,
      closest(nameOf(config), keys),
    )
  const problem = problemAt(place, `${place[1]}: ${expected}, got "${field}"`, closest(field, keys))
  return place[1] === 'columns' ? { ...problem, atKey: true } : problem
}

/** With one key in both places, identifiers of only one would be reported as missing. */
function checkApart(field: string, filter: unknown, endpoint: Endpoint, place: Problem['path']): Problem[] {
  const isHeld = listFilterKeys(endpoint, filter).some(({ key, isFixed }) => key === field && !isFixed)
  if (!isHeld) return []
  return [problemAt(place, `expected "${field}" either here or in source.filter, got both`)]
}

function checkLength({ length }: KeyConfig, item: FilterValue): Problem[] {
  if (length === undefined || item.schema.safeParse('1'.padStart(length, '0')).success) return []
  const message = `length: expected a number of digits that ${item.accepts} may have, got ${length}`
  return [problemAt(['sourceIds', 'length'], message)]
}

/** Paths in a record to the values of an identifier key: single values and lists. */
export function listIdentifierPaths(contract: Contract, key: string): Step[][] {
  const root = toRoot(contract)
  if (root.kind !== 'object') return []
  return listIdentifierFields(key).flatMap((name): Step[][] => {
    const field = root.fields.get(name)
    if (field?.kind === 'scalar') return [[{ kind: 'field', name }]]
    return field?.kind === 'list' && field.element.kind === 'scalar' ? [[{ kind: 'field', name }, { kind: 'all' }]] : []
  })
}
