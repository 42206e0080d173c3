import { z } from 'zod'
import { locale, text, type FilterValue } from './filter-values.ts'
import {
  dateTime,
  dateTimeAccepts,
  toLastUnixSecond,
  toUnixSeconds,
  type DateTime,
  type RequestClock,
} from './date-time.ts'
import { closedObject, errorText, formatChoices } from './request-issues.ts'

/** The most codes that the service takes in one request (specification: Limits). */
export const maxCodesPerRequest = 1000

export interface FilterParameter<Schema extends z.ZodType = z.ZodType> {
  /** Says what the key accepts, for users: `a brand id (a whole number), or a list of them`. */
  readonly accepts: string
  /** The form in a config, which the form in a request meets too. */
  readonly schema: Schema
  /** Converts a value that met the schema to the form in a request. */
  readonly toRequest: (value: unknown, clock: RequestClock) => unknown
  /**
   * The values are codes of single records, in a list of any length. A list of more than 1000 is split into several
   * requests, and a record that several codes match comes more than once. Lists of other keys have at most 1000 values.
   */
  readonly identifier?: true
  /**
   * The key also takes a range of date-times. `schema` does not check the order of its ends, which depends on the
   * current time.
   */
  readonly hasRange?: true
  /** A member whose choices the specification does not all show, with those it does. */
  readonly openMember?: { readonly name: string; readonly listed: readonly string[] }
  /** A single identifier, if the key takes identifiers. */
  readonly item?: FilterValue
  /** Deprecated in the specification; a text says what to use instead. */
  readonly deprecated?: true | string
}

export function one<Schema extends z.ZodType>({ accepts, schema, toRequest }: FilterValue<Schema>) {
  return parameter(accepts, schema, toRequest)
}

/** One value or a list; `checkRequest` allows at most 1000. */
export function oneOrMore<Schema extends z.ZodType>(value: FilterValue<Schema>) {
  return orList(value, { maxItems: maxCodesPerRequest })
}

export function identifiers<Schema extends z.ZodType>(value: FilterValue<Schema>) {
  return { ...orList(value, {}), identifier: true, item: value as FilterValue } as const
}

export function deprecated<Parameter extends FilterParameter>(kind: Parameter, instead: true | string = true) {
  return { ...kind, deprecated: instead }
}

export function boolean() {
  return parameter('true or false', z.boolean(errorText('true or false')))
}

/** A date-time or a range of date-times (specification: Range filters). */
export function dateTimes() {
  const accepts = 'a date-time, or { from, until } with one or both'
  const range = closedObject({ from: dateTime().optional(), until: dateTime().optional() }, accepts).refine(
    ({ from, until }) => from !== undefined || until !== undefined,
    errorText('"from", "until" or both'),
  )
  const schema = z.union([dateTime(), range], errorText(`${dateTimeAccepts}, or { from, until }`))
  return { ...parameter(accepts, schema, toRequestDateTimes), hasRange: true } as const
}

export function dateTimesOrBoolean() {
  const { accepts, schema } = dateTimes()
  const either = z.union([z.boolean(), schema], errorText(`true, false, ${dateTimeAccepts}, or { from, until }`))
  return { ...parameter(`true, false, ${accepts}`, either, toRequestDateTimes), hasRange: true } as const
}

export function search() {
  return parameter('{ query, locale }', closedObject(searchShape(), 'an object { query, locale }'))
}

/** A search with the `type` of comparison; the specification shows only `contains`. */
export function typedSearch() {
  const shape = { ...searchShape(), type: text('a search type such as "contains"').schema.optional() }
  const schema = closedObject(shape, 'an object { query, locale, type? }')
  return { ...parameter('{ query, locale, type? }', schema), openMember: { name: 'type', listed: ['contains'] } }
}

export function searchOrText() {
  const accepts = '{ query, locale }, or text'
  return parameter(accepts, z.union([search().schema, text(accepts).schema], errorText(accepts)))
}

export function hasContent() {
  const shape = { flag: text('a field name such as "name"').schema, locale: locale().schema }
  const schema = closedObject(shape, 'an object { flag, locale }')
  return { ...parameter('{ flag, locale }', schema), openMember: { name: 'flag', listed: ['name'] } }
}

export function popularity() {
  const operators = ['eq', 'gt', 'gte', 'lt', 'lte', 'neq'] as const
  const number = z.string().regex(/^-?\d{1,15}(?:\.\d{1,15})?$/, errorText('a number'))
  const shape = {
    // Also as text, which environment variables give.
    value: z.union([z.number(), number], errorText('a number')),
    operator: z.enum(operators, errorText(formatChoices(operators))).optional(),
  }
  const accepts = `{ value, operator? } with operator ${formatChoices(operators)}`
  return parameter(accepts, closedObject(shape, 'an object { value, operator? }'), (value) => {
    const compared = value as { readonly value: number | string }
    return { ...compared, value: Number(compared.value) }
  })
}

function orList<Schema extends z.ZodType>(
  { accepts: single, schema, toRequest }: FilterValue<Schema>,
  limit: { readonly maxItems?: number },
) {
  const accepts = `${single}, or a list of them`
  // Only for JSON Schema: `checkRequest` counts over the whole filter, and still reports each wrong item.
  const list = z
    .array(schema, errorText(accepts))
    .min(1, errorText(accepts))
    .meta({ ...limit })
  const union = z.union([schema, list], errorText(accepts))
  if (toRequest === undefined) return parameter(accepts, union)
  return parameter(accepts, union, (value) =>
    Array.isArray(value) ? value.map((item) => toRequest(item)) : toRequest(value),
  )
}

function searchShape() {
  return { query: text('a text to search for').schema, locale: locale().schema }
}

function toRequestDateTimes(value: unknown, clock: RequestClock): unknown {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'object') return toUnixSeconds(value as DateTime, clock)
  const { from, until } = value as { readonly from?: DateTime; readonly until?: DateTime }
  return {
    ...(from === undefined ? {} : { from: toUnixSeconds(from, clock) }),
    ...(until === undefined ? {} : { until: toLastUnixSecond(until, clock) }),
  }
}

function parameter<Schema extends z.ZodType>(
  accepts: string,
  schema: Schema,
  toRequest: FilterParameter['toRequest'] = (value) => value,
): FilterParameter<Schema> {
  return { accepts, schema, toRequest }
}
