import type { JsonObject } from '../data/record-writer.ts'
import { createColumns, type Columns } from './columns.ts'
import type { FilterKey } from './filter-keys.ts'
import type { SortKey } from './sort-keys.ts'

/** All records of one kind, by record number. */
export interface Collection extends RecordKeys {
  /** Record numbers are below this. */
  readonly size: number
  /** Tests a record number. Absent: every number below `size` has a record. */
  readonly isThere?: (number: number) => boolean
  /** The JSON of a record as UTF-8; not to be changed. */
  readonly readText: (number: number) => Buffer
  readonly columns: Columns
  /** Filters and sortings of these that the endpoint table does not have. */
  readonly openKeys?: ReadonlySet<string>
  /** The records hold addresses that are signed anew for every request. */
  readonly signed: boolean
}

/** The filters and sortings of a collection, by name. */
export interface RecordKeys {
  readonly filters: Readonly<Record<string, FilterKey>>
  readonly sortings: Readonly<Record<string, SortKey>>
}

export interface CollectionOptions extends Partial<RecordKeys> {
  readonly size: number
  readonly readText: (number: number) => Buffer
  /** The same record, for filters and sortings. Default: its JSON, parsed. */
  readonly readRecord?: (number: number) => JsonObject
  readonly signed?: boolean
}

export function createCollection(options: CollectionOptions): Collection {
  const { size, readText, filters = {}, sortings = {}, signed = false } = options
  const { readRecord = (number) => JSON.parse(readText(number).toString()) as JsonObject } = options
  return { size, readText, filters, sortings, columns: createColumns(size, readRecord), signed }
}

export function createListCollection(records: readonly JsonObject[], keys: Partial<RecordKeys> = {}): Collection {
  return createCollection({
    size: records.length,
    readText: (number) => Buffer.from(JSON.stringify(records[number])),
    ...keys,
  })
}

/** The bytes of records that may still be kept in memory, for all kinds of records together. */
export interface Allowance {
  bytes: number
}

/**
 * The JSON of records as UTF-8. Records cost about 75 µs to make, so as many as the allowance covers are kept once
 * made, which makes a stream of them several times faster. The others are made anew every time. Callers must not change
 * a text.
 */
export function createRecordTexts(write: (number: number) => string, allowance: Allowance): (number: number) => Buffer {
  const kept = new Map<number, Buffer>()
  return (number) => {
    const known = kept.get(number)
    if (known !== undefined) return known
    const text = Buffer.from(write(number))
    const cost = text.length + bookkeepingBytes
    if (cost <= allowance.bytes) {
      allowance.bytes -= cost
      kept.set(number, text)
    }
    return text
  }
}

/** The memory of a buffer and its entry in the map beside its content. */
const bookkeepingBytes = 200
