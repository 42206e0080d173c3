import { lazyEntries } from '../../contracts/lazy-entries.ts'
import { closest } from '../../text/choices.ts'
import { showValue } from '../../text/show-value.ts'
import { find, notShownQuery, optionalQuery, wholeList } from './endpoint-kinds.ts'
import type { Endpoints } from './endpoint-types.ts'
import { direction, directionInLocale, type Endpoint, type EndpointDefinition } from './endpoint.ts'
import { integerId, productId, productIdV3 } from './filter-values.ts'
import {
  activeIngredientFilters,
  codeListFilters,
  correctionFilters,
  integerListFilters,
  mediaFilters,
  newsFilters,
} from './filters.ts'
import { operationsNotOffered } from './operations-not-offered.ts'
import { productFiltersV3, productFiltersV4 } from './product-filters.ts'
import type { RequestProblem } from './request-issues.ts'

const useInstead = 'use colors, dietaryRestrictions or galenicShapes'

const queryV4 = {
  method: 'POST',
  read: 'paged',
  filter: 'required',
  sorting: 'required',
  page: 'required',
  combinators: true,
  openKeys: 'markets',
  // Not a list of statuses: it would lose the products of any status it leaves out.
  defaultFilter: {},
  defaultSorting: { id: 'ASC' },
} as const

const streamV4 = { ...queryV4, read: 'stream', page: 'none' } as const

const productsV4 = () =>
  ({
    contract: 'v4/product',
    asksById: true,
    filters: productFiltersV4(),
    sortings: {
      id: direction(),
      cnk: direction(),
      createdAt: direction(),
      touchedAt: direction(),
      statusTouchedAt: direction(),
      status: direction(),
      name: directionInLocale(),
    },
  }) as const

const mediaV4 = () =>
  ({
    contract: 'v4/media',
    openKeys: true,
    filters: mediaFilters(),
    sortings: { id: direction(), createdAt: direction(), touchedAt: direction() },
    assumption:
      'Filters and sortings are not shown: the filters are those that consumers use, filter and sorting are required as for products; other keys are sent unchecked.',
  }) as const

const productsV3 = () =>
  ({
    ...queryV4,
    sorting: 'optional',
    contract: 'v3/product',
    asksById: true,
    filters: productFiltersV3(),
    sortings: { id: direction(), cnk: direction() },
  }) as const

const definitions = {
  'v4/products/query': () => ({ ...queryV4, ...productsV4() }),
  'v4/products/stream': () => ({
    ...streamV4,
    ...productsV4(),
    assumption: 'Filter and sorting are assumed to be those of v4/products/query.',
  }),
  'v4/products/find': () => ({ ...find('v4/product', productId()), wrappedIn: 'product' }),
  'v4/products/get-fields': () => wholeList('raw'),
  'v4/product/attributes/query': () => ({ ...notShownQuery('raw', integerListFilters()), deprecated: useInstead }),
  'v4/product/attributes/find': () => ({ ...find('raw', integerId('an attribute id')), deprecated: useInstead }),
  'v4/product/attribute/options/query': () => ({
    ...notShownQuery('v4/attribute', integerListFilters()),
    deprecated: useInstead,
  }),
  'v4/product/attribute/options/find': () => ({
    ...find('v4/attribute', integerId('an attribute option id')),
    deprecated: useInstead,
  }),
  'v4/media/query': () => ({ ...queryV4, ...mediaV4() }),
  'v4/media/stream': () => ({ ...streamV4, ...mediaV4() }),
  'v4/media/find': () => ({ ...find('v4/media', integerId('a media id')), wrappedIn: 'mediaItem' }),
  'v4/media/get-fields': () => wholeList('raw'),
  'v4/updates/query': () =>
    optionalQuery('v4/news-item', newsFilters(), {
      id: direction(),
      createdAt: direction(),
      sortOrder: direction(),
    }),
  'v4/corrections/query': () => optionalQuery('v4/correction', correctionFilters(), { touchedAt: direction() }),
  'v4/corrections/find': () => find('v4/correction', integerId('a correction id')),
  'v4/corrections/types': () => wholeList('raw'),
  'v4/active-ingredients/query': () => ({
    ...optionalQuery('v4/active-ingredient', activeIngredientFilters(), {}),
    sorting: 'none',
    defaultSorting: null,
  }),
  'v4/organizations/query': () => notShownQuery('v4/organization', integerListFilters()),
  'v4/organizations/find': () => find('v4/organization', integerId('an organization id')),
  'v4/brands/query': () => notShownQuery('v4/brand', integerListFilters()),
  'v4/brands/find': () => find('v4/brand', integerId('a brand id')),
  'v4/product-families/query': () => notShownQuery('v4/product-family', integerListFilters()),
  'v4/public-categories/query': () => notShownQuery('v4/public-category', integerListFilters()),
  'v4/catalog-categories/query': () => notShownQuery('v4/catalog-category', codeListFilters()),
  'v4/bcfi-categories/query': () => notShownQuery('v4/bcfi-category', codeListFilters()),
  'v4/dietary-restrictions/query': () => notShownQuery('v4/dietary-restriction', codeListFilters()),
  'v4/colors/query': () => notShownQuery('v4/color', codeListFilters()),
  'v4/users/query': () => notShownQuery('raw', integerListFilters()),
  'v4/subscription-types/query': () => notShownQuery('raw', integerListFilters()),
  'v3/products/search': () => ({
    ...productsV3(),
    page: 'optional',
    assumption: 'Whether page is required is not shown: it is assumed to be optional.',
  }),
  'v3/products/export': () => ({ ...productsV3(), read: 'stream', page: 'none' }),
  'v3/products/get': () => find('v3/product', productIdV3()),
  'v3/products/minimum-content': () => ({
    ...wholeList('raw'),
    filter: 'optional',
    openKeys: true,
    assumption: 'Only the name is shown. A filter is assumed to go into the query string and is sent unchecked.',
  }),
  'v3/apb-categories/all': () => wholeList('v3/apb-category'),
  'v3/bcfi-categories/all': () => wholeList('v3/bcfi-category'),
  'v3/brands/all': () => wholeList('v3/brand'),
  'v3/organizations/all': () => wholeList('v3/organization'),
  'v3/public-categories/all': () => wholeList('v3/public-category'),
  'v3/attributes/all': () => wholeList('v3/attribute'),
  'v3/active-ingredients/all': () => wholeList('v3/active-ingredient'),
  'v3/corrections/get': () => find('v3/correction', integerId('a correction id')),
  'v3/corrections/types/all': () => wholeList('raw'),
  'v3/news-items/search': () => ({
    ...notShownQuery('v3/news-item', newsFilters()),
    assumption:
      'Only the name is shown, as GET in one place and POST in another. It is assumed to be POST with the filters of v4/updates/query; other keys are sent unchecked.',
  }),
} satisfies Record<EndpointName, () => EndpointDefinition>

export type EndpointName = keyof Endpoints

/**
 * Every endpoint of the specification that returns data, with what it takes and returns (specification: Endpoints). The
 * only place that says so.
 */
export const endpoints = lazyEntries(
  Object.fromEntries(
    Object.entries(definitions).map(([name, define]) => [name, () => ({ name, path: `/${name}`, ...define() })]),
  ),
) as {
  readonly [Name in EndpointName]: Endpoint & { readonly name: Name }
}

export const endpointNames = Object.keys(endpoints) as EndpointName[]

export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name)
}

/** The problem with the name of an endpoint in a config, if any; its path is empty. */
export function checkEndpointName(name: unknown): RequestProblem | undefined {
  if (typeof name === 'string' && isEndpointName(name)) return undefined
  const known = operationsNotOffered.find((operation) => operation.name === name || operation.path === name)
  if (known !== undefined) return { path: [], message: `"${known.name}" is not offered: ${known.reason}` }
  const message = `unknown endpoint, expected one that "catalogue-etl endpoints" lists, got ${showValue(name)}`
  const suggestion = typeof name === 'string' ? closest(name, endpointNames) : undefined
  return { path: [], message, ...(suggestion === undefined ? {} : { suggestion }) }
}
