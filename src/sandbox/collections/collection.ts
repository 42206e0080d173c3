import { createColumns, type Columns, type JsonObject } from './columns.ts'
import type { FilterKey } from './filter-keys.ts'
import type { SortKey } from './sort-keys.ts'

/** All records of one kind, by record number. */
export interface Collection {
  /** Record numbers are below this. */
  readonly size: number
  /** Whether there is a record of that number; absent: all are there. */
  readonly isThere?: (number: number) => boolean
  /** The JSON of a record as UTF-8; not to be changed. */
  readonly readText: (number: number) => Buffer
  readonly filters: Readonly<Record<string, FilterKey>>
  readonly sortings: Readonly<Record<string, SortKey>>
  readonly columns: Columns
  /** The records hold addresses that are signed anew for every request. */
  readonly signed: boolean
}

export interface CollectionOptions {
  readonly size: number
  readonly readText: (number: number) => Buffer
  /** The same record, for filters and sortings. Default: its JSON, parsed. */
  readonly readRecord?: (number: number) => JsonObject
  readonly filters?: Readonly<Record<string, FilterKey>>
  readonly sortings?: Readonly<Record<string, SortKey>>
  readonly signed?: boolean
}

export function createCollection(options: CollectionOptions): Collection {
  const { size, readText, filters = {}, sortings = {}, signed = false } = options
  const { readRecord = (number) => JSON.parse(readText(number).toString()) as JsonObject } = options
  return { size, readText, filters, sortings, columns: createColumns(size, readRecord), signed }
}

/** A collection of records that are at hand. */
export function createListCollection(
  records: readonly JsonObject[],
  keys: Pick<CollectionOptions, 'filters' | 'sortings'> = {},
): Collection {
  return createCollection({
    size: records.length,
    readText: (number) => Buffer.from(JSON.stringify(records[number])),
    ...keys,
  })
}
