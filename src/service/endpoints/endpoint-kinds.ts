import type { z } from 'zod'
import type { ContractName } from '../../contracts/contracts.ts'
import { direction, type EndpointDefinition } from './endpoint.ts'
import { one } from './filter-kinds.ts'
import type { FilterValue } from './filter-values.ts'

const notShown = 'Only the name is shown.'

const none = {} as const
const idSorting = { id: direction() } as const

type Filters = EndpointDefinition['filters']

export function optionalQuery<Keys extends Filters, Sortings extends EndpointDefinition['sortings']>(
  contract: ContractName,
  filters: Keys,
  sortings: Sortings,
) {
  return {
    method: 'POST',
    contract,
    read: 'paged',
    filter: 'optional',
    sorting: 'optional',
    page: 'optional',
    filters,
    combinators: true,
    sortings,
    openKeys: false,
    defaultFilter: {},
    defaultSorting: { id: 'ASC' },
  } as const satisfies EndpointDefinition
}

/** A v4 query of which the specification shows only the name; it is assumed to work like the lists that are shown. */
export function notShownQuery<Keys extends Filters>(contract: ContractName, filters: Keys) {
  return {
    ...optionalQuery(contract, filters, idSorting),
    openKeys: true,
    defaultSorting: null,
    assumption: `${notShown} Filter, sorting and page are assumed to be optional, as in the queries that are shown; keys beyond the assumed ones are sent unchecked.`,
  } as const satisfies EndpointDefinition
}

export function find<Id extends z.ZodType>(contract: ContractName, id: FilterValue<Id>) {
  return {
    ...wholeList(contract),
    read: 'find',
    filter: 'required',
    filters: { id: one(id) },
    openKeys: true,
    assumption: `${notShown} The filter is assumed to go into the query string, with the id as "id"; other keys are sent unchecked.`,
  } as const satisfies EndpointDefinition
}

export function wholeList(contract: ContractName) {
  return {
    method: 'GET',
    contract,
    read: 'list',
    filter: 'none',
    sorting: 'none',
    page: 'none',
    filters: none,
    combinators: false,
    sortings: none,
    openKeys: false,
    defaultFilter: null,
    defaultSorting: null,
    assumption: `${notShown} It is assumed to take no parameters and to return everything in one document.`,
  } as const satisfies EndpointDefinition
}
