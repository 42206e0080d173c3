import type { z } from 'zod'
import type { ContractName } from '../contracts/contracts.ts'
import { direction, type EndpointDefinition } from './endpoint.ts'
import { one, type FilterParameter } from './filter-kinds.ts'
import type { FilterValue } from './filter-values.ts'

const notShown = 'Only the name is shown.'

const none = {} as const
const idSorting = { id: direction() } as const

type Post<
  Contract extends ContractName | null,
  Filters extends EndpointDefinition['filters'],
  Sortings extends EndpointDefinition['sortings'],
> = EndpointDefinition<Contract, Filters, Sortings> & { readonly combinators: true }

type Get<Contract extends ContractName | null, Filters extends EndpointDefinition['filters']> = EndpointDefinition<
  Contract,
  Filters,
  typeof none
> & { readonly combinators: false }

/** A POST query in pages whose filter, sorting and page are all optional. */
export function optionalQuery<
  const Contract extends ContractName | null,
  Filters extends EndpointDefinition['filters'],
  Sortings extends EndpointDefinition['sortings'],
>(
  contract: Contract,
  filters: Filters,
  sortings: Sortings,
): Post<Contract, Filters, Sortings> & { readonly openKeys: false } {
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
  }
}

/** A v4 query of which only the name is shown: assumed to work like the lists that are shown. */
export function notShownQuery<
  const Contract extends ContractName | null,
  Filters extends EndpointDefinition['filters'],
>(contract: Contract, filters: Filters): Post<Contract, Filters, typeof idSorting> {
  return {
    ...optionalQuery(contract, filters, idSorting),
    openKeys: true,
    defaultSorting: null,
    assumption: `${notShown} Filter, sorting and page are assumed to be optional, as in the queries that are shown; keys beyond the assumed ones are sent unchecked.`,
  }
}

/** A GET of one record by its id. */
export function find<const Contract extends ContractName | null, Id extends z.ZodType>(
  contract: Contract,
  id: FilterValue<Id>,
): Get<Contract, { readonly id: FilterParameter<Id> }> {
  return {
    ...wholeList(contract),
    read: 'find',
    filter: 'required',
    filters: { id: one(id) },
    openKeys: true,
    assumption: `${notShown} The filter is assumed to go into the query string, with the id as "id"; other keys are sent unchecked.`,
  }
}

/** A GET of everything in one document. */
export function wholeList<const Contract extends ContractName | null>(contract: Contract): Get<Contract, typeof none> {
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
  }
}
