import { z } from 'zod'
import { direction, directionInLocale, type Endpoint, type Need } from './endpoint.ts'
import { closedObject, errorText, formatChoices } from './request-issues.ts'
import { marketKeys } from './open-keys.ts'
import { isObject } from '../../records/json/json-values.ts'

/** The sizes that a page may have (specification: Limits). */
export const pageSizes = [10, 50, 100, 250] as const

/**
 * The filter, sorting and page that a config may give for an endpoint. Required members with a default may be left out.
 * `checkRequest` adds what this does not check: counts of codes, and misspelt keys if keys are open. `market` lists the
 * keys of other markets that pass, if the endpoint takes them.
 */
export function createRequestSchema(endpoint: Endpoint, market: readonly string[] = marketKeys) {
  const { name, filter, defaultFilter, sorting, defaultSorting, page } = endpoint
  return z.object({
    filter: member(createFilterSchema(endpoint, market), filter, defaultFilter, `${name} takes none`),
    sorting: member(createSortingSchema(endpoint, market), sorting, defaultSorting, `${name} takes none`),
    page: member(createPageSchema(), page, {}, `${name} is not read in pages`),
  })
}

/**
 * A filter object: any number of keys that must all hold, and combinators to any depth. To find one record, it needs at
 * least one key.
 */
function createFilterSchema({ filters, combinators, openKeys, read }: Endpoint, market: readonly string[]): z.ZodType {
  const accepts = 'a filter object'
  const parameters = Object.entries(filters).map(([key, { schema, accepts: description, deprecated }]) => {
    const notes = deprecated === undefined ? { description } : { description, deprecated: true }
    return [key, schema.optional().meta(notes)] as const
  })
  const shape: Record<string, z.ZodType> = Object.fromEntries(parameters)
  if (combinators) {
    const list = z
      .array(
        z.lazy(() => nonEmpty),
        errorText('a list of filters'),
      )
      .min(1, errorText('a list of filters'))
    shape['and'] = list.optional().meta({ description: 'a list of filters that all hold' })
    shape['or'] = list.optional().meta({ description: 'a list of filters of which one holds' })
    shape['not'] = z
      .lazy(() => nonEmpty)
      .optional()
      .meta({ description: 'a filter that does not hold' })
  }
  const filter =
    openKeys === true
      ? z.looseObject(shape, errorText(accepts))
      : closedObject(withMarketKeys(shape, openKeys, market, z.unknown()), accepts, 'filter key', Object.keys(shape))
  const nonEmpty: z.ZodType = filter
    .refine((value) => countKeys(value) > 0, {
      error: 'expected a filter with at least one key, got an empty one',
    })
    .meta({ minProperties: 1 })
  if (read !== 'find') return filter
  const error = `expected ${filters['id']?.accepts ?? 'an id'} or another key, got nothing`
  return filter.refine((value) => countKeys(value) > 0, { path: ['id'], error }).meta({ minProperties: 1 })
}

function createSortingSchema({ sortings, openKeys }: Endpoint, market: readonly string[]): z.ZodType {
  const accepts = 'a sorting object with one key such as { id: ASC }'
  const shape = Object.fromEntries(Object.entries(sortings).map(([key, schema]) => [key, schema.optional()]))
  const anyDirection = z.union([direction(), directionInLocale()], errorText(formatChoices(['ASC', 'DESC'])))
  const sorting =
    openKeys === true
      ? z.object(shape, errorText(accepts)).catchall(anyDirection)
      : closedObject(withMarketKeys(shape, openKeys, market, anyDirection), accepts, 'sorting', Object.keys(shape))
  return sorting
    .refine((value) => countKeys(value) === 1, {
      error: ({ input }) => `expected one sorting, got ${countKeys(input as object) || 'none'}`,
      // Reported besides problems inside.
      when: ({ value }) => isObject(value),
    })
    .meta({ minProperties: 1, maxProperties: 1 })
}

/** Adds the keys of other markets if the endpoint takes them; a listed key keeps its schema. */
function withMarketKeys(
  shape: Record<string, z.ZodType>,
  openKeys: Endpoint['openKeys'],
  market: readonly string[],
  schema: z.ZodType,
): Record<string, z.ZodType> {
  if (openKeys !== 'markets') return shape
  const described = schema.optional().meta({ description: 'a key of other markets, sent unchecked' })
  return { ...Object.fromEntries(market.map((key) => [key, described])), ...shape }
}

function createPageSchema(): z.ZodType {
  const shape = {
    no: z.int(errorText('a page number from 0')).min(0, errorText('a page number from 0')).optional(),
    size: z.literal(pageSizes, errorText(formatChoices(pageSizes))).optional(),
  }
  return closedObject(shape, 'an object { no?, size? }')
}

function member(schema: z.ZodType, need: Need, fallback: object | null, whyNone: string): z.ZodType {
  if (need === 'none') return z.never({ error: `unexpected, ${whyNone}` }).optional()
  return need === 'required' && fallback === null ? schema : schema.optional()
}

function countKeys(value: object): number {
  return Object.values(value).filter((present) => present !== undefined).length
}
